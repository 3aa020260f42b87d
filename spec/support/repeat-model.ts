import { defineModel, edm } from '../../lib/index.js'

/** Orders, and receipts with versions, whose keys the store generates: an order that is created twice exists twice. */
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
    Receipt: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false, storeGeneratedPattern: 'Identity' }),
        Text: edm.String(),
        Owner: edm.String(),
        Version: edm.Int32({ concurrencyMode: 'Fixed' }),
      },
    },
  },
  entityContainer: {
    entitySets: { Orders: { entityType: 'Order' }, Receipts: { entityType: 'Receipt' } },
    functionImports: {
      Confirm: { returnType: 'Edm.String', httpMethod: 'POST', parameters: { ID: { type: 'Edm.Int32' } } },
    },
  },
})

/** The function `Confirm`, whose result has at least as many characters as its parameter. */
export const confirm = ({ ID }: { readonly ID?: unknown }): string =>
  `confirmed ${String(ID)}`.padEnd(Number(ID), '.')
