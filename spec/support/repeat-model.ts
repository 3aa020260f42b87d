import { defineModel, edm } from '../../lib/index.js'

/** Orders whose keys the store generates, so that an order that is created twice exists twice. */
export const repeatModel = defineModel({
  namespace: 'NW',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false, storeGeneratedPattern: 'Identity' }),
        Text: edm.String(),
        Owner: edm.String(),
      },
    },
  },
  entityContainer: {
    entitySets: { Orders: { entityType: 'Order' } },
    functionImports: {
      Confirm: { returnType: 'Edm.String', httpMethod: 'POST', parameters: { ID: { type: 'Edm.Int32' } } },
    },
  },
})
