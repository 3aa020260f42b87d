import type { LanguageOptions } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2, readEdmx } from '../../lib/index.js'

export const model = defineModel({
  namespace: 'Shop',
  complexTypes: { Address: { properties: { City: edm.String() } } },
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
      navigationProperties: { Parts: { relationship: 'Parts', fromRole: 'Whole', toRole: 'Part' } },
    },
  },
  associations: {
    Parts: {
      ends: {
        Whole: { type: 'Product', multiplicity: '0..1' },
        Part: { type: 'Product', multiplicity: '*' },
      },
    },
  },
  entityContainer: {
    name: 'Store',
    entitySets: { Products: { entityType: 'Product' } },
    functionImports: { Best: { returnType: 'Product', entitySet: 'Products', httpMethod: 'GET' } },
  },
})

type Languages = LanguageOptions<typeof model>
const withLabels = (labels: Languages['texts'][string]['labels']): Languages => ({
  default: 'en',
  texts: { de: { labels } },
})

export const right = [
  withLabels({ 'Shop.Product': 'Produkt', 'Shop.Product/Name': { label: 'Name', quickinfo: 'Bezeichnung' } }),
  withLabels({ 'Shop.Product/Parts': 'Teile', 'Shop.Address/City': 'Ort' }),
  withLabels({ 'Store/Products': 'Produkte', 'Store/Best': 'Bestes', 'Store/Best/Top': 'Anzahl' }),
]
export const anyModel: LanguageOptions = { default: 'en', texts: { de: { labels: { 'A.B': 'x' } } } }
export const service = odataV2(model, memoryProvider(model, {}), { languages: right[0] })
export const untyped = odataV2(readEdmx(''), { entitySets: {} }, { languages: anyModel })

// @ts-expect-error -- the type is misspelt
export const wrongType = withLabels({ 'Shop.Prodct': 'Produkt' })
// @ts-expect-error -- the property is misspelt
export const wrongProperty = withLabels({ 'Shop.Product/Nam': 'Name' })
// @ts-expect-error -- the entity set is misspelt
export const wrongSet = withLabels({ 'Store/Product': 'Produkte' })
// @ts-expect-error -- there is no such annotation
export const wrongMember = withLabels({ 'Shop.Product/Name': { title: 'Name' } })
