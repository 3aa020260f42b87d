import type { Authorize } from '../../../lib/index.js'
import { defineModel, edm } from '../../../lib/index.js'
import { groupBy } from '../../../lib/util/get-or-create.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { ModelDefinition } from '../../../lib/edm/model-definition.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'

/** The hidden columns of the sets: `Items/Addr/Zip`. */
export type HiddenPaths = ReadonlySet<string>

const ID = edm.Int32({ nullable: false })
const text = edm.String({ maxLength: 100 })
const dimension = { sap: { aggregationRole: 'dimension' } } as const
const measure = { sap: { aggregationRole: 'measure' } } as const

/** A column and the columns that decide its value: it exists only where all of them do. */
type Columns = Readonly<Record<string, readonly [definition: unknown, ...uses: string[]]>>

const customerNavigation = { relationship: 'OC', fromRole: 'Order', toRole: 'Customer' }
const orderNavigation = { relationship: 'IO', fromRole: 'Item', toRole: 'Order' }
const toCity = ['Items/Order', 'Orders/Customer', 'Customers/Home', 'Customers/Home/City']

const columns: Readonly<Record<string, Columns>> = {
  Customer: { ID: [ID], Name: [text, 'Customers/Name'], Home: [{ type: 'Home' }, 'Customers/Home'] },
  Home: { City: [text, 'Customers/Home/City'], Zip: [text, 'Customers/Home/Zip'] },
  Addr: { City: [text, 'Items/Addr/City'], Zip: [text, 'Items/Addr/Zip'] },
  Order: {
    ID: [ID],
    CustomerID: [edm.Int32(), 'Orders/CustomerID'],
    Country: [text, 'Orders/Country'],
    Region: [text, 'Orders/Region'],
    Place: [
      edm.String({ computed: { expression: "concat(Country,concat('-',Customer/Home/City))" } }),
      'Orders/Place',
      'Orders/Country',
      ...toCity.slice(1),
    ],
  },
  Item: {
    ID: [ID],
    OrderID: [edm.Int32(), 'Items/OrderID'],
    Product: [text, 'Items/Product'],
    Amount: [edm.Int32(), 'Items/Amount'],
    Unit: [text, 'Items/Unit'],
    Addr: [{ type: 'Addr' }, 'Items/Addr'],
    Note: [text],
    Label: [
      edm.String({ computed: { expression: "concat(Product,concat(' ',Order/Country))" } }),
      'Items/Label',
      'Items/Product',
      'Items/Order',
      'Orders/Country',
    ],
    Shout: [
      edm.String({ computed: { expression: 'toupper(Label)' } }),
      'Items/Shout',
      'Items/Label',
      'Items/Product',
      'Items/Order',
      'Orders/Country',
    ],
    Double: [
      edm.Int32({
        computed: { needs: ['Amount'], value: ({ Amount }: { Amount: number }) => (Amount ?? 0) * 2 },
      } as never),
      'Items/Double',
      'Items/Amount',
    ],
    Where: [
      edm.String({
        computed: {
          needs: ['Addr'],
          values: (rows: readonly { Addr?: { Zip?: string } | null }[]) =>
            rows.map(({ Addr: addr }) => `at ${addr?.Zip ?? ''}`),
        },
      } as never),
      'Items/Where',
      'Items/Addr',
      'Items/Addr/City',
      'Items/Addr/Zip',
    ],
  },
  Sale: {
    ID: [edm.String({ nullable: false })],
    Country: [edm.String(dimension), 'Sales/Country', 'Items/Order', 'Orders/Country'],
    City: [edm.String(dimension), 'Sales/City', ...toCity],
    Zip: [edm.String(dimension), 'Sales/Zip', 'Items/Addr', 'Items/Addr/Zip'],
    Product: [edm.String(dimension), 'Sales/Product', 'Items/Product'],
    Note: [edm.String(dimension)],
    Currency: [edm.String({ sap: { semantics: 'currency-code' } }), 'Sales/Currency', 'Items/Unit'],
    Amount: [
      edm.Int32({ sap: { aggregationRole: 'measure', unit: 'Currency' } }),
      'Sales/Amount',
      'Items/Amount',
      'Sales/Currency',
      'Items/Unit',
    ],
    Items: [edm.Int32({ ...measure, aggregate: 'count' }), 'Sales/Items'],
    Best: [
      edm.Int32({ ...measure, aggregate: { max: 'Amount' } }),
      ...['Sales/Best', 'Sales/Amount', 'Items/Amount', 'Sales/Currency', 'Items/Unit'],
    ],
    Cities: [
      edm.Int32({ ...measure, aggregate: { countDistinct: 'City' } }),
      'Sales/Cities',
      'Sales/City',
      ...toCity,
    ],
    Totaled: [edm.String({ sap: { aggregationRole: 'totaled-properties-list' } }), 'Sales/Totaled'],
  },
  Stock: {
    ID: [edm.String({ nullable: false })],
    OrderID: [edm.Int32(dimension), 'Stocks/OrderID'],
    Shop: [text, 'Stocks/Shop'],
    Land: [
      edm.String({ ...dimension, computed: { expression: 'Order/Country' } }),
      ...['Stocks/Land', 'Stocks/Order', 'Orders/Country'],
    ],
    Pieces: [edm.Int32(measure), 'Stocks/Pieces'],
    Lands: [
      edm.Int32({ ...measure, aggregate: { countDistinct: 'Land' } }),
      ...['Stocks/Lands', 'Stocks/Land', 'Stocks/Order', 'Orders/Country'],
    ],
  },
}

const navigation: Readonly<Record<string, Columns>> = {
  Order: {
    Customer: [customerNavigation, 'Orders/Customer'],
    Items: [{ relationship: 'IO', fromRole: 'Order', toRole: 'Item' }, 'Orders/Items'],
  },
  Item: { Order: [orderNavigation, 'Items/Order'] },
  Stock: { Order: [{ relationship: 'SO', fromRole: 'Stock', toRole: 'Order' }, 'Stocks/Order'] },
}

const sets: Readonly<Record<string, string>> = {
  Customers: 'Customer',
  Orders: 'Order',
  Items: 'Item',
  Sales: 'Sale',
  Stocks: 'Stock',
}

function existing(all: Columns | undefined, hidden: HiddenPaths): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(all ?? {}).flatMap(([name, [definition, ...uses]]) =>
      uses.some((use) => hidden.has(use)) ? [] : [[name, definition]],
    ),
  )
}

const isComplex = (name: string): boolean => name === 'Home' || name === 'Addr'

/** A model in which values are derived from columns of the same set and of others, without hidden columns. */
export function derivedModel(hidden: HiddenPaths = new Set()): EdmModel {
  const types = Object.entries(columns).map(([name, all]) => {
    const properties = existing(all, hidden)
    const isAnalytical = name === 'Sale' || name === 'Stock'
    const definition = isComplex(name)
      ? { properties }
      : {
          key: ['ID'],
          properties,
          navigationProperties: existing(navigation[name], hidden),
          ...(isAnalytical ? { sap: { semantics: 'aggregate' } } : {}),
        }
    return [name, definition] as const
  })
  const association = (one: string, many: string, property: string): unknown => ({
    ends: { [one]: { type: one, multiplicity: '0..1' }, [many]: { type: many, multiplicity: '*' } },
    ...(hidden.has(property)
      ? {}
      : {
          referentialConstraint: {
            principal: { role: one, properties: ['ID'] },
            dependent: { role: many, properties: [property.split('/')[1]] },
          },
        }),
  })
  return defineModel({
    namespace: 'D',
    complexTypes: Object.fromEntries(types.filter(([name]) => isComplex(name))),
    entityTypes: Object.fromEntries(types.filter(([name]) => !isComplex(name))),
    associations: {
      IO: association('Order', 'Item', 'Items/OrderID'),
      OC: association('Customer', 'Order', 'Orders/CustomerID'),
      SO: association('Order', 'Stock', 'Stocks/OrderID'),
    },
    entityContainer: {
      entitySets: Object.fromEntries(Object.entries(sets).map(([set, entityType]) => [set, { entityType }])),
    },
  } as unknown as ModelDefinition)
}

const searched: Columns = {
  Note: [undefined],
  Product: [undefined, 'Items/Product'],
  'Order/Country': [undefined, 'Items/Order', 'Orders/Country'],
  'Addr/Zip': [undefined, 'Items/Addr', 'Items/Addr/Zip'],
  Label: [undefined, 'Items/Label', 'Items/Product', 'Items/Order', 'Orders/Country'],
}

/** Options that name columns, without the hidden ones. */
export function derivedOptions(hidden: HiddenPaths = new Set()): ODataV2Options {
  const sale = existing(columns.Sale, hidden)
  const paths: Readonly<Record<string, string>> = {
    Country: 'Order/Country',
    City: 'Order/Customer/Home/City',
    Zip: 'Addr/Zip',
    Currency: 'Unit',
  }
  const properties = Object.fromEntries(Object.entries(paths).filter(([name]) => name in sale))
  const items = Object.keys(existing(searched, hidden))
  const sales = ['Note', 'Country', 'City', 'Zip', 'Product'].filter((name) => name in sale)
  return {
    exports: true,
    serviceRoot: 'http://depot.test/',
    analytics: { Sales: { source: 'Items', properties } },
    search: {
      Items: items,
      Sales: sales,
    },
  }
}

export const derivedRows = {
  Customers: [
    { ID: 1, Name: 'Ada', Home: { City: 'Ulm', Zip: '89' } },
    { ID: 2, Name: 'Ben', Home: { City: 'Bonn', Zip: '53' } },
  ],
  Orders: [
    { ID: 1, CustomerID: 1, Country: 'DE', Region: 'South' },
    { ID: 2, CustomerID: 2, Country: 'FR', Region: 'West' },
    { ID: 3, CustomerID: null, Country: null, Region: null },
  ],
  Items: [
    {
      ID: 1,
      Note: 'y',
      OrderID: 1,
      Product: 'Tea',
      Amount: 10,
      Unit: 'EUR',
      Addr: { City: 'Ulm', Zip: '1' },
    },
    {
      ID: 2,
      Note: 'x',
      OrderID: 1,
      Product: 'Salt',
      Amount: 20,
      Unit: 'EUR',
      Addr: { City: 'Ulm', Zip: '2' },
    },
    {
      ID: 3,
      Note: 'y',
      OrderID: 2,
      Product: 'Tea',
      Amount: 5,
      Unit: 'USD',
      Addr: { City: 'Bonn', Zip: '1' },
    },
    { ID: 4, Note: 'x', OrderID: 3, Product: null, Amount: 7, Unit: 'EUR', Addr: { City: null, Zip: null } },
    {
      ID: 5,
      Note: 'y',
      OrderID: null,
      Product: 'Tea',
      Amount: null,
      Unit: null,
      Addr: { City: 'Rom', Zip: '3' },
    },
  ],
  Stocks: [
    { ID: 'a', OrderID: 1, Shop: 'A', Pieces: 1 },
    { ID: 'b', OrderID: 1, Shop: 'B', Pieces: 2 },
    { ID: 'c', OrderID: 2, Shop: 'A', Pieces: 4 },
  ],
}

/** All columns that can be hidden. */
export const derivedPaths: readonly string[] = [
  ...new Set(
    [...Object.values(columns), ...Object.values(navigation)]
      .flatMap((all) => Object.values(all))
      .flatMap(([, ...uses]) => uses),
  ),
]

const navigationsOf: Readonly<Record<string, readonly string[]>> = {
  'Items/OrderID': ['Items/Order', 'Orders/Items'],
  'Orders/CustomerID': ['Orders/Customer'],
  'Stocks/OrderID': ['Stocks/Order'],
}

/** Adds the navigation properties of hidden foreign keys, which would reveal them. */
export function withNavigations(hidden: readonly string[]): HiddenPaths {
  return new Set(hidden.flatMap((path) => [path, ...(navigationsOf[path] ?? [])]))
}

/** Hides columns from every caller. */
export function hidingPaths(hidden: HiddenPaths): Authorize {
  const bySet = groupBy(hidden, (path) => path.slice(0, path.indexOf('/')))
  return ({ entitySet = '' }) => {
    const names = bySet.get(entitySet)?.map((path) => path.slice(path.indexOf('/') + 1))
    return names && { hidden: names }
  }
}
