import { convert } from '@sap-ux/annotation-converter'
import { merge, parse } from '@sap-ux/edmx-parser'
import type { AnnotationOptions } from 'express-odata-v2'
import {
  annotate,
  dataField,
  defineModel,
  edm,
  memoryProvider,
  path,
  odataV2,
  valueList,
} from 'express-odata-v2'
import express from 'express'
import request from 'supertest'

/** The annotations that the service writes, read by the parser of the Fiori tools. */

const ID = edm.Int32({ nullable: false })

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID,
        Name: edm.String(),
        Price: edm.Decimal(),
        Currency: edm.String(),
        Weight: edm.Decimal(),
        WeightUnit: edm.String(),
        Stock: edm.Int32(),
        Level: edm.Int32(),
        CategoryID: edm.Int32(),
      },
      navigationProperties: {
        Category: { relationship: 'ProductCategory', fromRole: 'Product', toRole: 'Category' },
      },
    },
    Category: { key: ['ID'], properties: { ID, Name: edm.String() } },
  },
  associations: {
    ProductCategory: {
      ends: {
        Product: { type: 'Product', multiplicity: '*' },
        Category: { type: 'Category', multiplicity: '0..1' },
      },
      referentialConstraint: {
        principal: { role: 'Category', properties: ['ID'] },
        dependent: { role: 'Product', properties: ['CategoryID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' }, Categories: { entityType: 'Category' } },
  },
})

const source = annotate(model, {
  'Shop.Product': {
    'UI.HeaderInfo': {
      TypeName: 'Product',
      TypeNamePlural: 'Products & more',
      Title: { Value: path('Name') },
      Description: { Value: path('Category/Name') },
    },
    'UI.LineItem': [
      dataField('Name', { '@UI.Importance': 'High', '@UI.Hidden': false }),
      dataField('Price', { Label: 'Net <price>', Criticality: path('Level') }),
      { $Type: 'UI.DataFieldForAnnotation', Target: '@UI.DataPoint#Stock' },
      { $Type: 'UI.DataFieldWithUrl', Value: path('Name'), Url: 'https://example.org/?a=1&b="2"' },
      { $Type: 'UI.DataFieldForAction', Label: 'Order', Action: 'Shop.Container/Order' },
    ],
    'UI.LineItem#Short': [dataField('Category/Name')],
    'UI.SelectionFields': ['Name', 'CategoryID'],
    'UI.FieldGroup#General': { Label: 'General', Data: [dataField('Name'), dataField('Price')] },
    'UI.Facets': [
      {
        $Type: 'UI.CollectionFacet',
        ID: 'all',
        Facets: [{ $Type: 'UI.ReferenceFacet', Label: 'General', Target: '@UI.FieldGroup#General' }],
      },
    ],
    'UI.DataPoint#Stock': {
      Title: 'Stock',
      Value: path('Stock'),
      TargetValue: 100,
      Visualization: 'Progress',
    },
    'UI.Chart': {
      Title: 'Stock by category',
      ChartType: 'Column',
      Dimensions: ['CategoryID'],
      DimensionAttributes: [{ Dimension: 'CategoryID', Role: 'Category' }],
      Measures: ['Stock'],
      MeasureAttributes: [{ Measure: 'Stock', Role: 'Axis1' }],
    },
    'UI.PresentationVariant': {
      SortOrder: [{ Property: 'Price', Descending: true }],
      MaxItems: 10,
      RequestAtLeast: ['Currency'],
      Visualizations: ['@UI.LineItem#Short', '@UI.Chart'],
    },
    'UI.SelectionVariant#Cheap': {
      Text: 'Cheap',
      SelectOptions: [{ PropertyName: 'Price', Ranges: [{ Sign: 'I', Option: 'BT', Low: 0, High: 9.5 }] }],
    },
    'Common.SemanticKey': ['Name'],
  },
  'Shop.Product/Price': { 'Measures.ISOCurrency': path('Currency'), 'Common.Label': 'Price' },
  'Shop.Product/Weight': { 'Measures.Unit': path('WeightUnit') },
  'Shop.Product/Level': { 'UI.Hidden': true },
  'Shop.Product/CategoryID': {
    'Common.Text': path('Category/Name'),
    'Common.Text@UI.TextArrangement': 'TextOnly',
    'Common.ValueListWithFixedValues': true,
    'Common.ValueList': valueList('Categories', {
      inOut: { CategoryID: 'ID' },
      display: ['Name'],
      search: true,
      label: 'Categories',
    }),
  },
  'Shop.Container/Products': {
    'Capabilities.InsertRestrictions': { Insertable: false },
    'Capabilities.FilterRestrictions': { RequiresFilter: true, RequiredProperties: ['CategoryID'] },
    'Capabilities.SortRestrictions': { NonSortableProperties: ['Weight'] },
    'Capabilities.SearchRestrictions': { Searchable: true },
  },
})

async function converted(
  place: NonNullable<AnnotationOptions['place']>,
): Promise<ReturnType<typeof convert>> {
  const app = express()
  app.use('/shop', odataV2(model, memoryProvider(model, {}), { annotations: { source, place } }))
  const metadata = parse((await request(app).get('/shop/$metadata')).text)
  if (place === 'metadata') return convert(metadata)
  const document = await request(app).get('/shop/$annotations').buffer()
  return convert(merge(metadata, parse(document.text, 'annotations')))
}

/** Members of a converted annotation without those that the converter adds. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  if ('type' in value && value.type === 'Path') return { path: (value as unknown as { path: string }).path }
  if ('isDecimal' in value) return (value as { toString(): string }).toString()
  if ('value' in value && 'type' in value) return value.value
  const added = [
    'fullyQualifiedName',
    '__source',
    'annotations',
    'term',
    'qualifier',
    '$target',
    'CollectionPathTarget',
  ]
  const members = Object.keys(value).filter((name) => !added.includes(name))
  return Object.fromEntries(members.map((name) => [name, plain(Reflect.get(value, name))]))
}

const ui = (name: string): string => `com.sap.vocabularies.UI.v1.${name}`
const field = (name: string): object => ({ $Type: ui('DataField'), Value: { path: name } })

/** The annotations of the entity type, as the converter returns them. */
const expectedTerms: Readonly<Record<string, unknown>> = {
  HeaderInfo: {
    $Type: ui('HeaderInfoType'),
    TypeName: 'Product',
    TypeNamePlural: 'Products & more',
    Title: field('Name'),
    Description: field('Category/Name'),
  },
  LineItem: [
    field('Name'),
    { ...field('Price'), Label: 'Net <price>', Criticality: { path: 'Level' } },
    { $Type: ui('DataFieldForAnnotation'), Target: `@${ui('DataPoint')}#Stock` },
    { $Type: ui('DataFieldWithUrl'), Value: { path: 'Name' }, Url: 'https://example.org/?a=1&b="2"' },
    { $Type: ui('DataFieldForAction'), Label: 'Order', Action: 'Shop.Container/Order' },
  ],
  'LineItem#Short': [field('Category/Name')],
  SelectionFields: ['Name', 'CategoryID'],
  'FieldGroup#General': {
    $Type: ui('FieldGroupType'),
    Label: 'General',
    Data: [field('Name'), field('Price')],
  },
  Facets: [
    {
      $Type: ui('CollectionFacet'),
      ID: 'all',
      Facets: [{ $Type: ui('ReferenceFacet'), Label: 'General', Target: `@${ui('FieldGroup')}#General` }],
    },
  ],
  'DataPoint#Stock': {
    $Type: ui('DataPointType'),
    Title: 'Stock',
    Value: { path: 'Stock' },
    TargetValue: 100,
    Visualization: 'UI.VisualizationType/Progress',
  },
  Chart: {
    $Type: ui('ChartDefinitionType'),
    Title: 'Stock by category',
    ChartType: 'UI.ChartType/Column',
    Dimensions: ['CategoryID'],
    DimensionAttributes: [
      {
        $Type: ui('ChartDimensionAttributeType'),
        Dimension: 'CategoryID',
        Role: 'UI.ChartDimensionRoleType/Category',
      },
    ],
    Measures: ['Stock'],
    MeasureAttributes: [
      { $Type: ui('ChartMeasureAttributeType'), Measure: 'Stock', Role: 'UI.ChartMeasureRoleType/Axis1' },
    ],
  },
  PresentationVariant: {
    $Type: ui('PresentationVariantType'),
    SortOrder: [
      { $Type: 'com.sap.vocabularies.Common.v1.SortOrderType', Property: 'Price', Descending: true },
    ],
    MaxItems: 10,
    RequestAtLeast: ['Currency'],
    Visualizations: [`@${ui('LineItem')}#Short`, `@${ui('Chart')}`],
  },
  'SelectionVariant#Cheap': {
    $Type: ui('SelectionVariantType'),
    Text: 'Cheap',
    SelectOptions: [
      {
        $Type: ui('SelectOptionType'),
        PropertyName: 'Price',
        Ranges: [
          {
            $Type: ui('SelectionRangeType'),
            Sign: 'UI.SelectionRangeSignType/I',
            Option: 'UI.SelectionRangeOptionType/BT',
            Low: 0,
            High: '9.5',
          },
        ],
      },
    ],
  },
}

describe.each(['metadata', 'document'] as const)('annotations in the %s', (place) => {
  let service: ReturnType<typeof convert>
  beforeAll(async () => {
    service = await converted(place)
  })

  const product = (): (typeof service)['entityTypes'][number] | undefined =>
    service.entityTypes.find(({ name }) => name === 'Product')
  const termsOf = (name: string): Record<string, Record<string, unknown>> =>
    (product()?.entityProperties.find((one) => one.name === name)?.annotations ?? {}) as never

  it('MUST be understood, and lead to nothing that does not exist', () => {
    expect(service.diagnostics).toEqual([])
  })

  it.each(Object.entries(expectedTerms))('MUST have the members of UI.%s', (name, expected) => {
    const terms = (product()?.annotations.UI ?? {}) as Record<string, unknown>
    expect(plain(terms[name])).toEqual(expected)
  })

  it('MUST resolve paths over navigation properties, and paths of annotations', () => {
    const { HeaderInfo, LineItem } = product()?.annotations.UI ?? {}
    expect((HeaderInfo?.Description as { Value: { $target: object } }).Value.$target).toMatchObject({
      fullyQualifiedName: 'Shop.Category/Name',
    })
    const [name, , stock] = (LineItem ?? []) as unknown as {
      Target?: { $target: object }
      annotations: { UI?: { Importance: unknown; Hidden: unknown } }
    }[]
    expect(stock?.Target?.$target).toMatchObject({ qualifier: 'Stock', Title: 'Stock' })
    expect(String(name?.annotations.UI?.Importance)).toBe('UI.ImportanceType/High')
    expect(String(name?.annotations.UI?.Hidden)).toBe('false')
  })

  it('MUST have the terms of properties', () => {
    const value = (property: string, vocabulary: string, term: string): unknown =>
      plain(termsOf(property)[vocabulary]?.[term])
    expect(String(termsOf('Price').Common?.Label)).toBe('Price')
    expect(value('Price', 'Measures', 'ISOCurrency')).toEqual({ path: 'Currency' })
    expect(value('Weight', 'Measures', 'Unit')).toEqual({ path: 'WeightUnit' })
    expect(value('CategoryID', 'Common', 'Text')).toEqual({ path: 'Category/Name' })
    const parameter = (type: string, members: object): object => ({
      $Type: `com.sap.vocabularies.Common.v1.ValueListParameter${type}`,
      ...members,
    })
    expect(value('CategoryID', 'Common', 'ValueList')).toMatchObject({
      $Type: 'com.sap.vocabularies.Common.v1.ValueListType',
      CollectionPath: 'Categories',
      Label: 'Categories',
      SearchSupported: true,
      Parameters: [
        parameter('InOut', { LocalDataProperty: 'CategoryID', ValueListProperty: 'ID' }),
        parameter('DisplayOnly', { ValueListProperty: 'Name' }),
      ],
    })
  })

  it('MUST have the capabilities of entity sets', () => {
    const set = service.entitySets.find(({ name }) => name === 'Products')
    const { InsertRestrictions, FilterRestrictions, SortRestrictions, SearchRestrictions } = (set?.annotations
      .Capabilities ?? {}) as unknown as Record<string, Record<string, unknown>>
    expect(InsertRestrictions?.Insertable).toBe(false)
    expect(plain(FilterRestrictions?.RequiredProperties)).toEqual(['CategoryID'])
    expect(FilterRestrictions?.RequiresFilter).toBe(true)
    expect(plain(SortRestrictions?.NonSortableProperties)).toEqual(['Weight'])
    expect(SearchRestrictions?.Searchable).toBe(true)
  })
})
