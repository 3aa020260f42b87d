import { orderType } from './orders.mjs'

/**
 * The model that the services of the benchmarks have: categories, and products with a property of each usual type.
 *
 * @param isVersioned whether the stock of a product is its version
 * @param hasOrders whether there are orders, with forty properties
 * @param hasSales whether there are totals of products, an aggregating set over their table
 */
export function shopModel(
  { defineModel, edm },
  { isVersioned = false, hasOrders = false, hasSales = false } = {},
) {
  return defineModel({
    namespace: 'Shop',
    entityTypes: {
      Category: {
        key: ['ID'],
        properties: { ID: edm.Int16({ nullable: false }), Name: edm.String({ nullable: false }) },
        navigationProperties: {
          Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Products' },
        },
      },
      Product: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Name: edm.String({ nullable: false, maxLength: 80 }),
          Description: edm.String(),
          Price: edm.Decimal({ nullable: false, precision: 10, scale: 2 }),
          Stock: edm.Int64(isVersioned ? { concurrencyMode: 'Fixed' } : {}),
          CategoryID: edm.Int16({ nullable: false }),
          Weight: edm.Double(),
          Active: edm.Boolean({ nullable: false }),
          Released: edm.DateTime({ precision: 3 }),
          Code: edm.Guid(),
        },
      },
      ...(hasOrders && { Order: orderType(edm) }),
      ...(hasSales && { Sale: saleType(edm) }),
    },
    associations: {
      CategoryProducts: {
        ends: {
          Category: { type: 'Category', multiplicity: '1' },
          Products: { type: 'Product', multiplicity: '*' },
        },
        referentialConstraint: {
          principal: { role: 'Category', properties: ['ID'] },
          dependent: { role: 'Products', properties: ['CategoryID'] },
        },
      },
    },
    entityContainer: {
      entitySets: {
        Categories: { entityType: 'Category' },
        Products: { entityType: 'Product' },
        ...(hasOrders && { Orders: { entityType: 'Order' } }),
        ...(hasSales && { Sales: { entityType: 'Sale' } }),
      },
    },
  })
}

const dimension = { sap: { aggregationRole: 'dimension' } }
const measure = { sap: { aggregationRole: 'measure' } }

const saleType = (edm) => ({
  key: ['GroupID'],
  sap: { semantics: 'aggregate' },
  properties: {
    GroupID: edm.String({ nullable: false }),
    CategoryID: edm.Int16(dimension),
    Active: edm.Boolean(dimension),
    Released: edm.DateTime({ precision: 3, ...dimension }),
    Price: edm.Decimal({ precision: 15, scale: 2, ...measure }),
    Items: edm.Int32({ ...measure, aggregate: 'count' }),
  },
})

/** The table of the aggregating set. */
export const salesMapping = { entitySets: { Sales: { table: 'Products' } } }
