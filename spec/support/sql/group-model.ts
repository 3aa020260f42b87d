import { defineModel, edm } from '../../../lib/edm/define-model.js'

/** Items that are added in groups, all of a group or none. */
export const groupModel = defineModel({
  namespace: 'Groups',
  entityTypes: {
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Group: edm.Int32({ nullable: false }),
        Text: edm.String(),
      },
    },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})
