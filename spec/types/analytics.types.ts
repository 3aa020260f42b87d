/** Checks the types of analytical models and options: `tsc -p tsconfig.json` is the test. */
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'

const model = defineModel({
  namespace: 'A',
  entityTypes: {
    Sale: {
      key: ['ID'],
      sap: { semantics: 'aggregate', label: 'Sales' },
      properties: {
        ID: edm.String({ nullable: false }),
        Country: edm.String({ sap: { aggregationRole: 'dimension', text: 'CountryName' } }),
        CountryName: edm.String({ sap: { attributeFor: 'Country' } }),
        Currency: edm.String({ sap: { semantics: 'currency-code', filterable: false } }),
        Amount: edm.Decimal({
          scale: 2,
          sap: { aggregationRole: 'measure', unit: 'Currency' },
          aggregate: 'sum',
        }),
        Best: edm.Decimal({ scale: 2, sap: { aggregationRole: 'measure' }, aggregate: { max: 'Amount' } }),
      },
    },
    Item: { key: ['ID'], properties: { ID: edm.Int32() } },
  },
  entityContainer: {
    entitySets: { Sales: { entityType: 'Sale', sap: { searchable: true } }, Items: { entityType: 'Item' } },
  },
})

const provider = memoryProvider(model)
odataV2(model, provider, {
  analytics: {
    Sales: {
      source: 'Items',
      properties: { Country: 'Order/Country' },
      measures: { Best: { max: 'Amount' } },
    },
  },
})

odataV2(model, provider, {
  // @ts-expect-error There is no set with this name.
  analytics: { Sales: { source: 'Item' } },
})
odataV2(model, provider, {
  // @ts-expect-error There is no property with this name.
  analytics: { Sales: { source: 'Items', properties: { County: 'Order/Country' } } },
})

// @ts-expect-error The annotation is misspelt.
edm.String({ sap: { aggregateRole: 'dimension' } })
// @ts-expect-error The annotation has another value.
edm.String({ sap: { aggregationRole: 'dimensions' } })
// @ts-expect-error Restrictions are true or false.
edm.String({ sap: { sortable: 'no' } })
// @ts-expect-error There is no method with this name.
edm.Int32({ aggregate: 'total' })

defineModel({
  namespace: 'A',
  entityTypes: {
    // @ts-expect-error The annotation is misspelt.
    Sale: { key: ['ID'], sap: { semantic: 'aggregate' }, properties: { ID: edm.String() } },
  },
})

defineModel({
  namespace: 'A',
  entityTypes: {
    Sale: {
      key: ['ID'],
      properties: {
        ID: edm.String(),
        Currency: edm.String(),
        // @ts-expect-error The type has no property with this name.
        Amount: edm.Int32({ sap: { aggregationRole: 'measure', unit: 'Currencies' } }),
        // @ts-expect-error The type has no property with this name.
        Best: edm.Int32({ sap: { aggregationRole: 'measure' }, aggregate: { max: 'Amounts' } }),
      },
    },
  },
})

defineModel({
  namespace: 'A',
  entityTypes: { Item: { key: ['ID'], properties: { ID: edm.Int32() } } },
  // @ts-expect-error The annotation is misspelt.
  entityContainer: { entitySets: { Items: { entityType: 'Item', sap: { searched: true } } } },
})
