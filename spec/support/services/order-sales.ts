import { defineModel, edm } from '../../../lib/index.js'

const ID = edm.Int32({ nullable: false })

/** An analytical set that groups the items of orders, and has no rows of its own. */
export const orderSalesModel = defineModel({
  namespace: 'A',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: { ID, Country: edm.String({ maxLength: 100 }), Secret: edm.Int32() },
    },
    Item: {
      key: ['ID'],
      properties: {
        ID,
        OrderID: edm.Int32(),
        Product: edm.String({ maxLength: 100 }),
        Amount: edm.Decimal({ precision: 15, scale: 2 }),
        Unit: edm.String({ maxLength: 100 }),
      },
      navigationProperties: { Order: { relationship: 'OrderItems', fromRole: 'Item', toRole: 'Order' } },
    },
    Region: {
      key: ['Name'],
      properties: { Name: edm.String({ nullable: false, maxLength: 100 }) },
      navigationProperties: { Sales: { relationship: 'RegionSales', fromRole: 'Region', toRole: 'Sale' } },
    },
    Sale: {
      key: ['ID'],
      sap: { semantics: 'aggregate', searchable: true },
      properties: {
        ID: edm.String({ nullable: false }),
        Country: edm.String({ sap: { aggregationRole: 'dimension' } }),
        Product: edm.String({ sap: { aggregationRole: 'dimension' } }),
        Currency: edm.String({ sap: { semantics: 'currency-code' } }),
        Amount: edm.Decimal({
          precision: 15,
          scale: 2,
          sap: { aggregationRole: 'measure', unit: 'Currency' },
          aggregate: 'sum',
        }),
        Items: edm.Int32({ sap: { aggregationRole: 'measure' }, aggregate: 'count' }),
        Countries: edm.Int32({
          sap: { aggregationRole: 'measure' },
          aggregate: { countDistinct: 'Country' },
        }),
      },
    },
  },
  associations: {
    OrderItems: {
      ends: {
        Order: { type: 'Order', multiplicity: '0..1' },
        Item: { type: 'Item', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['ID'] },
        dependent: { role: 'Item', properties: ['OrderID'] },
      },
    },
    RegionSales: {
      ends: {
        Region: { type: 'Region', multiplicity: '0..1' },
        Sale: { type: 'Sale', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Region', properties: ['Name'] },
        dependent: { role: 'Sale', properties: ['Country'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Orders: { entityType: 'Order' },
      Items: { entityType: 'Item' },
      Regions: { entityType: 'Region' },
      Sales: { entityType: 'Sale' },
    },
  },
})

export const orderRows = {
  Orders: [
    { ID: 1, Country: 'DE', Secret: 1 },
    { ID: 2, Country: 'FR', Secret: 2 },
    { ID: 3, Country: 'IT', Secret: 3 },
  ],
  Items: [
    { ID: 1, OrderID: 1, Product: 'Tea', Amount: '10.00', Unit: 'EUR' },
    { ID: 2, OrderID: 1, Product: 'Tea', Amount: '20.00', Unit: 'EUR' },
    { ID: 3, OrderID: 1, Product: 'Salt', Amount: '5.00', Unit: 'USD' },
    { ID: 4, OrderID: 2, Product: 'Tea', Amount: '7.50', Unit: 'EUR' },
    { ID: 5, OrderID: null, Product: 'Salt', Amount: '1.00', Unit: 'EUR' },
  ],
  Regions: [{ Name: 'DE' }, { Name: 'FR' }],
}

export const orderSalesOptions = {
  analytics: { Sales: { source: 'Items', properties: { Country: 'Order/Country', Currency: 'Unit' } } },
  search: { Sales: ['Country', 'Product'] },
} as const
