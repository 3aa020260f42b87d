/**
 * Checks the types of annotations. Nothing here runs: `tsc -p tsconfig.json` is the test. A line that is marked as an error
 * but compiles is an error itself.
 */
import type { ODataV2Options } from '../../lib/index.js'
import { annotate, dataField, defineModel, edm, path, readEdmx, term, valueList } from '../../lib/index.js'

const ID = edm.Int32({ nullable: false })

const shop = defineModel({
  namespace: 'Shop',
  complexTypes: { Size: { properties: { Width: edm.Int32(), Unit: edm.String() } } },
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: { ID, Name: edm.String(), CategoryID: edm.Int32(), Size: { type: 'Size' } },
      navigationProperties: {
        Category: { relationship: 'ProductCategory', fromRole: 'Product', toRole: 'Category' },
      },
    },
    Category: { key: ['ID'], properties: { ID, Title: edm.String() } },
  },
  associations: {
    ProductCategory: {
      ends: {
        Product: { type: 'Product', multiplicity: '*' },
        Category: { type: 'Category', multiplicity: '0..1' },
      },
    },
  },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' }, Categories: { entityType: 'Category' } },
  },
})

// Targets, terms, properties, and paths over navigation and complex properties are known.
annotate(shop, {
  'Shop.Product': {
    'UI.HeaderInfo': { TypeName: 'Product', TypeNamePlural: 'Products', Title: { Value: path('Name') } },
    'UI.LineItem': [dataField('Name', { '@UI.Importance': 'High' }), dataField('Category/Title')],
    'UI.LineItem#Short': [dataField('Size/Unit')],
    'UI.SelectionFields': ['Name', 'CategoryID'],
    ...term('com.example.v1.Reviewed', true),
  },
  'Shop.Product/CategoryID': {
    'Common.Text': path('Category/Title'),
    'Common.Text@UI.TextArrangement': 'TextOnly',
    'Common.ValueList': valueList('Categories', { inOut: { CategoryID: 'ID' }, display: ['Title'] }),
  },
  'Shop.Size/Width': { 'Measures.Unit': path('Unit') },
  'Shop.Container/Products': { 'Capabilities.SearchRestrictions': { Searchable: true } },
})

// @ts-expect-error: the type is called Product
annotate(shop, { 'Shop.Prodict': { 'UI.SelectionFields': ['Name'] } })
// @ts-expect-error: the property is called Name
annotate(shop, { 'Shop.Product/Nmae': { 'Common.Label': 'Name' } })
// @ts-expect-error: the entity set is called Products
annotate(shop, { 'Shop.Container/Product': { 'Capabilities.SearchRestrictions': { Searchable: true } } })
// @ts-expect-error: the category has no other property than ID and Title
annotate(shop, { 'Shop.Category/Name': { 'Common.Label': 'Name' } })
// @ts-expect-error: the property is called Title
annotate(shop, { 'Shop.Category': { 'UI.SelectionFields': ['Other/Title'] } })
// @ts-expect-error: the term is called LineItem
annotate(shop, { 'Shop.Product': { 'UI.Lineitem': [dataField('Name')] } })
// @ts-expect-error: the property is called Name
annotate(shop, { 'Shop.Product': { 'UI.LineItem': [dataField('Nmae')] } })
// @ts-expect-error: the property is called Name
annotate(shop, { 'Shop.Product': { 'UI.SelectionFields': ['Nmae'] } })
// @ts-expect-error: the property of the category is called Title
annotate(shop, { 'Shop.Product/CategoryID': { 'Common.Text': path('Category/Name') } })
// @ts-expect-error: the property is called CategoryID
annotate(shop, { 'Shop.Product/CategoryID': { 'Common.ValueList': valueList('Categories', { inOut: { Category: 'ID' } }) } }) // prettier-ignore

// The names of models from EDMX are only known at start-up.
annotate(readEdmx(''), { 'Any.Type': { 'UI.LineItem': [dataField('Any/Path')] } })

// The paths of searched properties are those of annotations.
export const searched: ODataV2Options<unknown, typeof shop> = {
  search: { Products: ['Name', 'Category/Title', 'Size/Unit'], Categories: ['Title'] },
}
// @ts-expect-error: the property is called Name
export const misspeltSearch: ODataV2Options<unknown, typeof shop> = { search: { Products: ['Nmae'] } }
// @ts-expect-error: the property of the category is called Title
export const misspeltPath: ODataV2Options<unknown, typeof shop> = { search: { Products: ['Category/Name'] } }
