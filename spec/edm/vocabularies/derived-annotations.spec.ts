import { annotate, defineModel, edm } from '../../../lib/index.js'
import { wordsOf } from '../../../lib/edm/vocabularies/derive-annotations.js'

const ID = edm.Int32({ nullable: false })
const sap = (name: string, value: string): object => ({
  annotations: {
    attributes: [{ namespace: 'http://www.sap.com/Protocols/SAPData', prefix: 'sap', name, value }],
  },
})

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    OrderItem: {
      key: ['ID'],
      properties: {
        ID,
        Name: edm.String(),
        UnitPrice: edm.Decimal(),
        Photo: edm.Binary(),
        Secret: { ...edm.String(), ...sap('visible', 'false') },
        Weight: { ...edm.Decimal(), ...sap('label', 'Weight (kg)') },
        CategoryID: edm.Int32(),
      },
      navigationProperties: {
        Category: { relationship: 'ItemCategory', fromRole: 'Item', toRole: 'Category' },
      },
    },
    Category: { key: ['ID'], properties: { ID, Title: edm.String() } },
  },
  associations: {
    ItemCategory: {
      ends: {
        Item: { type: 'OrderItem', multiplicity: '*' },
        Category: { type: 'Category', multiplicity: '0..1' },
      },
      referentialConstraint: {
        principal: { role: 'Category', properties: ['ID'] },
        dependent: { role: 'Item', properties: ['CategoryID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { OrderItems: { entityType: 'OrderItem' }, Categories: { entityType: 'Category' } },
  },
})

describe('Derived labels', () => {
  it.each([
    ['UnitPrice', 'Unit Price'],
    ['unit_price', 'Unit Price'],
    ['unitPrice', 'Unit Price'],
    ['VATRate', 'VAT Rate'],
    ['ProductID', 'Product ID'],
    ['ID', 'ID'],
    ['Address2', 'Address2'],
    ['ÄnderungsDatum', 'Änderungs Datum'],
    ['_', ''],
  ])('MUST be the words of %s', (name, label) => {
    expect(wordsOf(name)).toBe(label)
  })

  it('MUST only be added where a name has several words and no label', () => {
    expect(annotate(model, {}, { labels: true }).targets).toEqual({
      'Shop.OrderItem/UnitPrice': { 'Common.Label': 'Unit Price' },
      'Shop.OrderItem/CategoryID': { 'Common.Label': 'Category' },
      'Shop.Container/OrderItems': { 'Common.Label': 'Order Items' },
    })
  })
})

describe('Derived lists', () => {
  it('MUST show simple visible properties, and filter by the title and the foreign keys', () => {
    const { targets } = annotate(model, {}, { lists: true })
    const value = ($Path: string): object => ({ $Type: 'UI.DataField', Value: { $Path } })
    expect(targets['Shop.OrderItem']).toEqual({
      'UI.HeaderInfo': {
        TypeName: 'Order Item',
        TypeNamePlural: 'Order Items',
        Title: { Value: { $Path: 'Name' } },
      },
      'UI.LineItem': ['ID', 'Name', 'UnitPrice', 'Weight', 'CategoryID'].map(value),
      'UI.SelectionFields': ['Name', 'CategoryID'],
    })
    expect(targets['Shop.Category']?.['UI.SelectionFields']).toEqual(['Title'])
  })

  it('MUST give way to terms of the application', () => {
    const own = { 'Shop.OrderItem': { 'UI.SelectionFields': ['UnitPrice'] } } as const
    const { targets } = annotate(model, own, { lists: true, labels: true, valueHelps: true })
    expect(targets['Shop.OrderItem']?.['UI.SelectionFields']).toEqual(['UnitPrice'])
    expect(targets['Shop.OrderItem']?.['UI.LineItem']).toHaveLength(5)
    expect(Object.keys(targets['Shop.OrderItem/CategoryID'] ?? {})).toEqual([
      'Common.Label',
      'Common.Text',
      'Common.ValueList',
    ])
  })
})
