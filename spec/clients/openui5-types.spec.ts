import type Text from 'sap/m/Text'
import type ODataModel from 'sap/ui/model/odata/v2/ODataModel'
import { memoryProvider, odataV2, readEdmx } from 'express-odata-v2'
import { northwindEdmx } from '../../sample-app/northwind/northwind-edmx.js'
import { northwindData, northwindFunctions } from '../../sample-app/northwind/northwind-service.js'
import { OpenUI5, startTime } from './support/openui5.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

let ui5: OpenUI5

beforeAll(async () => {
  ui5 = await OpenUI5.start()
}, startTime)
afterAll(() => ui5.close())
afterEach(() => {
  expect(ui5.takeErrors()).toEqual([])
})

describe.each(stores)('types of OpenUI5 over values in %s', (_name, openStore) => {
  let northwind: Northwind
  let root: string

  beforeAll(async () => {
    northwind = await openNorthwind(openStore)
    root = ui5.mount('northwind', northwind.service)
  })
  afterAll(() => northwind.close())

  it.each([
    ['DateTimeValue', 'Nov 22, 2026, 1:02:03 PM', 'DateTime'],
    ['DateTimeOffsetValue', 'Nov 22, 2026, 1:02:03 PM', 'DateTimeOffset'],
    ['DecimalValue', '1,234,567.0000000001', 'Decimal'],
    ['GuidValue', '936da01f-9abd-4d9d-80c7-02af85c822a8', 'Guid'],
    ['Int64Value', '9,007,199,254,740,993', 'Int64'],
    ['TimeValue', '1:02:03 PM', 'Time'],
  ] as const)('MUST preserve user input for %s: %s', async (property, text, type) => {
    const seen = await ui5.run(
      async ({ open, submit, until, show, Text, types }, { root, property, text, type }) => {
        const settings = type === 'Decimal' ? { precision: 28, scale: 10 } : {}
        const bound = async (model: ODataModel): Promise<Text> => {
          const field = new Text({
            text: { path: property, mode: 'TwoWay', type: new types[type]({}, settings) },
          })
          field.setModel(model)
          field.bindElement('/AllTypes(5)')
          show(field)
          await until(() => model.getProperty('/AllTypes(5)/ID') === 5, 'the entity')
          return field
        }
        const model = await open(root)
        const field = await bound(model)
        field.setText(text)
        const written = model.hasPendingChanges()
        await submit(model)
        // Another client, which knows nothing of it.
        const again = await bound(await open(root, { useBatch: false }))
        await until(() => again.getText() !== '', 'the text')
        return { written, text: again.getText() }
      },
      { root, property, text, type },
    )
    // Times are written with narrow blanks before AM and PM.
    expect({ ...seen, text: seen.text.replace(/\u202f/g, ' ') }).toEqual({ written: true, text })
  })

  it('MUST return the values of all types in the form that the model expects', async () => {
    const values = await ui5.run(async ({ open, read }, root) => {
      const { data } = await read<Record<string, unknown>>(await open(root), '/AllTypes(2)')
      return Object.entries(data).flatMap(([name, value]) =>
        name === '__metadata' || name === 'BinaryValue'
          ? []
          : [[name, value instanceof Date ? 'Date' : typeof value === 'object' ? 'object' : value]],
      )
    }, root)
    expect(Object.fromEntries(values as [string, unknown][])).toMatchObject({
      BooleanValue: true,
      ByteValue: 255,
      DateTimeValue: 'Date',
      DateTimeOffsetValue: 'Date',
      DecimalValue: '999999999999999999.9999999999',
      GuidValue: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      Int64Value: '9223372036854775807',
      SByteValue: 127,
      TimeValue: 'object',
    })
  })
})

/** The catalogue with a list of values for the category of a product, as Fiori apps read it. */
const withValueList = northwindEdmx
  .replace(
    'Type="Edm.Int32" Nullable="true" sap:label="Category"',
    (text) => `${text} sap:value-list="fixed-values"`,
  )
  .replace(
    '</Schema>',
    `<Annotations Target="NorthwindModel.Product/CategoryID" xmlns="http://docs.oasis-open.org/odata/ns/edm">
       <Annotation Term="com.sap.vocabularies.Common.v1.ValueList">
         <Record>
           <PropertyValue Property="Label" String="Categories" />
           <PropertyValue Property="CollectionPath" String="Categories" />
           <PropertyValue Property="Parameters">
             <Collection>
               <Record Type="com.sap.vocabularies.Common.v1.ValueListParameterInOut">
                 <PropertyValue Property="LocalDataProperty" PropertyPath="CategoryID" />
                 <PropertyValue Property="ValueListProperty" String="CategoryID" />
               </Record>
             </Collection>
           </PropertyValue>
         </Record>
       </Annotation>
     </Annotations>
   </Schema>`,
  )

describe('sap.ui.model.odata.ODataMetaModel', () => {
  let root: string

  beforeAll(() => {
    const model = readEdmx(withValueList)
    root = ui5.mount(
      'annotated',
      odataV2(model, memoryProvider(model, northwindData, { functions: northwindFunctions as never })),
    )
  })

  it('MUST find labels, descriptions, lengths and updatable properties', async () => {
    const found = await ui5.run(async ({ open, metaOf }, root) => {
      const model = await open(root)
      const meta = await metaOf(model)
      const type = meta.getODataEntityType('NorthwindModel.Product')
      return {
        set: meta.getODataEntitySet('Products')['sap:label'],
        price: meta.getODataProperty(type, 'UnitPrice'),
        name: meta.getODataProperty(type, 'ProductName').maxLength,
        version: meta.getODataProperty(type, 'Version')['sap:updatable'],
        label: model.getProperty('/#Product/UnitPrice/@sap:label') as string,
        navigation: meta.getODataAssociationEnd(type, 'Category'),
        functionImport: meta.getODataFunctionImport('ProductsBelowStock')['sap:label'],
      }
    }, root)
    expect(found).toEqual({
      set: 'Products',
      price: expect.objectContaining({ precision: '19', scale: '4', 'sap:label': 'Price' }),
      name: '60',
      version: 'false',
      label: 'Price',
      navigation: expect.objectContaining({ type: 'NorthwindModel.Category', multiplicity: '0..1' }),
      functionImport: 'Products that run out',
    })
  })

  it('MUST find and read the value list of a property', async () => {
    const found = await ui5.run(async ({ open, metaOf, read }, root) => {
      const model = await open(root)
      const meta = await metaOf(model)
      await read(model, '/Products(1)')
      const context = meta.getMetaContext('/Products(1)/CategoryID')
      const lists = await meta.getODataValueLists(context)
      const path = lists['']?.CollectionPath.String ?? ''
      const { data } = await read(model, `/${path}`, { urlParameters: { $top: '2' } })
      return {
        kind: context.getObject()['sap:value-list'],
        label: lists['']?.Label.String,
        values: data.results.map(({ CategoryName }) => CategoryName),
      }
    }, root)
    expect(found).toEqual({
      kind: 'fixed-values',
      label: 'Categories',
      values: ['Drinks', 'Sauces and spices'],
    })
  })
})
