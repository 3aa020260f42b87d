import { defineModel, edm } from '../../../lib/edm/define-model.js'

/** A model of boxes that have owners, which are boxes too. */
export const boxModel = defineModel({
  namespace: 'Sorted',
  complexTypes: { Size: { properties: { Width: edm.Double(), Height: edm.Double() } } },
  entityTypes: {
    Box: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Size: { type: 'Size' },
        OwnerID: edm.Int32(),
      },
      navigationProperties: { Owner: { relationship: 'Owning', fromRole: 'Owned', toRole: 'Owner' } },
    },
  },
  associations: {
    Owning: {
      ends: { Owner: { type: 'Box', multiplicity: '0..1' }, Owned: { type: 'Box', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Owner', properties: ['ID'] },
        dependent: { role: 'Owned', properties: ['OwnerID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Boxes: { entityType: 'Box' } },
    associationSets: { Ownings: { association: 'Owning', ends: { Owner: 'Boxes', Owned: 'Boxes' } } },
  },
} as const)
