import type { FunctionHandler } from '../../lib/provider/provider.js'

/** A row with nothing in it but data: what a table has. */
export type PlainRow = Readonly<Record<string, unknown>>

/** Rows by entity set. Of a derived type if there is `$type`; the media resource is in `$media`. */
export type ContractRows = Readonly<Record<string, readonly PlainRow[]>>

/** Two entities that are linked without a foreign key, by the values of their keys. */
type Link = readonly [from: unknown, to: unknown]

/** An association without foreign key: its links, and the navigation properties on both sides. */
interface LinkTable {
  readonly from: LinkSide
  readonly to: LinkSide
  readonly links: readonly Link[]
}

interface LinkSide {
  readonly set: string
  readonly key: string
  /** Undefined when no navigation property leads from here. */
  readonly navigation: string | undefined
  readonly isCollection: boolean
}

const tag = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-00000000000${digit}`
export const tags = { red: tag('a'), blue: tag('b'), green: tag('c') } as const

/** Beyond this number JavaScript's own numbers are not exact. */
const large = 9_007_199_254_740_992n

const nothing = {
  Name: null,
  Price: null,
  Stock: null,
  Rating: null,
  Grade: null,
  Shelf: null,
  Weight: null,
  Discount: null,
  Active: null,
  Released: null,
  Changed: null,
  Opens: null,
  Code: null,
  Pic: null,
  Dims: { W: null, Unit: null },
  CategoryID: null,
  SupplierName: null,
}

const products: readonly PlainRow[] = [
  {
    ...nothing,
    ID: 1n,
    Name: 'Gouda',
    Price: '12.50',
    Stock: 10n,
    Rating: 5,
    Grade: -128,
    Shelf: 255,
    Weight: 0.25,
    Discount: 0.5,
    Active: true,
    Released: '2012-05-29T09:13:28.1234567',
    Changed: '2012-05-29T09:13:28Z',
    Opens: '09:13:28',
    Code: '12345678-aaaa-bbbb-cccc-ddddeeeeffff',
    Pic: Uint8Array.of(0, 15, 160, 255),
    Dims: { W: 1.5, Unit: 'cm' },
    CategoryID: 1,
    SupplierName: "O'Neil & Sons",
  },
  {
    ...nothing,
    ID: 2n,
    Name: 'Edam',
    Price: '12.50',
    Stock: large + 1n,
    Rating: 3,
    Grade: 127,
    Shelf: 0,
    Active: false,
    Released: '2012-05-29T09:13:28.1234568',
    Changed: '2012-05-29T09:13:29Z',
    Opens: '23:59:59.9999999',
    Dims: { W: 1.5, Unit: null },
    CategoryID: 1,
    SupplierName: 'Z',
  },
  { ...nothing, ID: 3n, Name: 'gouda', Stock: large, Weight: 1e21, CategoryID: 4, Pic: new Uint8Array(0) },
  {
    ...nothing,
    ID: 4n,
    Price: '-3',
    Rating: 5,
    Weight: -0.5,
    Active: true,
    Released: new Date('2012-05-29T09:13:28.123Z'),
    Opens: '00:00:00',
    SupplierName: 'a',
  },
  {
    ...nothing,
    ID: 5n,
    Name: 'Émmental',
    Price: '12345678901234567.8901234567',
    Stock: 0n,
    Rating: -1,
    Weight: 2.5,
    Active: false,
    Released: '1969-12-31T23:59:59.9999999',
    CategoryID: 3,
    SupplierName: 'a/b?c#d%',
  },
  {
    ...nothing,
    ID: 6n,
    Name: '\u{1F600}',
    Price: '12345678901234567.8901234568',
    Stock: -9_223_372_036_854_775_808n,
    Rating: 3,
    Weight: 0.1,
    Active: true,
    Released: '9999-12-31T23:59:59.9999999',
    CategoryID: 5,
    SupplierName: '\u{1F600}',
  },
  {
    ...nothing,
    ID: 7n,
    Name: '\uFFFD',
    Price: '0',
    Stock: 9_223_372_036_854_775_807n,
    Rating: 3,
    Weight: 0.1,
    Dims: { W: 0, Unit: 'm' },
    CategoryID: 99,
  },
  { ...nothing, ID: 8n, Name: "It's", Price: '12.5', Discount: 0.1, Code: tag('d'), CategoryID: 3 },
  { ...nothing, ID: large, Name: 'Same', Price: '1', CategoryID: 2 },
  { ...nothing, ID: large + 1n, Name: 'Same', Price: '1', CategoryID: 2 },
]

/** The data that every provider under the contract has. */
export const contractRows: ContractRows = {
  Categories: [
    { ID: 1, Name: 'Cheese', ParentID: null },
    { ID: 2, Name: 'Wine', ParentID: null },
    { ID: 3, Name: null, ParentID: 1 },
    { ID: 4, Name: 'cheese', ParentID: 1 },
    { ID: 5, Name: '\u{1F600}', ParentID: 3 },
    { ID: 6, Name: '\uFFFD', ParentID: 3 },
  ],
  Products: products,
  Suppliers: ['', "O'Neil & Sons", 'Z', 'a', 'a/b?c#d%', 'é', '\uFFFD', '\u{1F600}'].map((Name, index) => ({
    Name,
    City: index % 3 === 0 ? null : index % 3 === 1 ? 'Oslo' : 'Bergen',
  })),
  Lines: [
    { Order: 1, No: 1, Amount: '2.50', ProductID: 1n },
    { Order: 1, No: 2, Amount: '2.50', ProductID: 2n },
    { Order: 2, No: -1, Amount: null, ProductID: large + 1n },
    { Order: 2, No: 1, Amount: '-1', ProductID: null },
    { Order: 10, No: 1, Amount: '99999999.99', ProductID: 1n },
  ],
  Tags: [
    { Id: tags.red, Label: 'red' },
    { Id: tags.blue, Label: 'blue' },
    { Id: tags.green, Label: null },
  ],
  Journal: [
    { At: '2012-05-29T09:13:28', Text: 'whole' },
    { At: '2012-05-29T09:13:28.1234567', Text: 'seven' },
    { At: '2012-05-29T09:13:28.1234568', Text: 'eight' },
    { At: '1969-12-31T23:59:59.5', Text: 'early' },
  ],
  Parties: [
    { ID: 1, Name: 'Guild' },
    { $type: 'Depot.Person', ID: 2, Name: 'Ada', Age: 36 },
    { $type: 'Depot.Person', ID: 3, Name: 'Ben', Age: null },
    { $type: 'Depot.Person', ID: 4, Name: null, Age: 7 },
  ],
  Photos: [
    { ID: 1, Title: 'Gouda', $media: { contentType: 'image/png', bytes: Uint8Array.of(1, 2, 3, 4, 5) } },
    {
      ID: 2,
      Title: null,
      $media: { contentType: 'text/plain;charset=utf-8', bytes: new TextEncoder().encode('héllo') },
    },
  ],
}

/** Links without foreign keys. */
export const linkTables: readonly LinkTable[] = [
  {
    from: { set: 'Products', key: 'ID', navigation: 'Tags', isCollection: true },
    to: { set: 'Tags', key: 'Id', navigation: 'Products', isCollection: true },
    links: [
      [1n, tags.red],
      [1n, tags.blue],
      [2n, tags.red],
      [large + 1n, tags.blue],
    ],
  },
  {
    from: { set: 'Photos', key: 'ID', navigation: 'Product', isCollection: false },
    to: { set: 'Products', key: 'ID', navigation: 'Photo', isCollection: false },
    links: [[1, 1n]],
  },
  {
    from: { set: 'Parties', key: 'ID', navigation: 'Favourite', isCollection: false },
    to: { set: 'Products', key: 'ID', navigation: undefined, isCollection: true },
    links: [
      [2, 2n],
      [3, 2n],
    ],
  },
]

/** A copy of rows that holds the keys of what they are linked to, on one side of each association or on both. */
export function rowsWithLinks(rows: ContractRows, sides: 'one' | 'both'): ContractRows {
  const present = new Map(
    Object.entries(rows).map(([set, list]) => [set, new Set(list.map((row) => keyText(row[keyOf(set)])))]),
  )
  const isThere = (set: string, key: unknown): boolean => present.get(set)?.has(keyText(key)) ?? false
  const entries = Object.entries(rows).map(([set, list]) => {
    const complete = linkMembers(set, sides, isThere)
    return [set, list.map((row) => ({ ...row, ...complete(row) }))] as const
  })
  return Object.fromEntries(entries)
}

/**
 * Returns the link members of the rows of a set, for providers that let the service follow links.
 *
 * @param isThere false for entities outside of the data: there are no links to them
 */
export function linkMembers(
  set: string,
  sides: 'one' | 'both',
  isThere: (set: string, key: unknown) => boolean = () => true,
): (row: PlainRow) => PlainRow {
  const views = linkTables.flatMap(({ from, to, links }) => [
    { near: from, far: to, pairs: links },
    ...(sides === 'one' ? [] : [{ near: to, far: from, pairs: links.map(([a, b]): Link => [b, a]) }]),
  ])
  const own = views.filter(({ near }) => near.set === set && near.navigation !== undefined)
  return (row) => {
    const members = own
      .filter(({ near }) => near.navigation !== 'Favourite' || row.$type !== undefined)
      .map(({ near, far, pairs }) => {
        const keys = pairs
          .filter(([one, other]) => keyText(one) === keyText(row[near.key]) && isThere(far.set, other))
          .map(([, other]) => ({ [far.key]: other }))
        return [near.navigation, near.isCollection ? keys : (keys[0] ?? null)]
      })
    return Object.fromEntries(members)
  }
}

function keyOf(set: string): string {
  const side = linkTables.flatMap(({ from, to }) => [from, to]).find((one) => one.set === set)
  return side?.key ?? ''
}

/** Converts a key to a string; equal keys of different types become equal strings. */
function keyText(key: unknown): string {
  return String(key).toLowerCase()
}

/** Implements the functions of the model on the existing products. */
export function contractFunctions({ Products = [] }: ContractRows): Record<string, FunctionHandler> {
  return {
    Rated: ({ min }) =>
      Products.filter(({ Rating }) => typeof Rating === 'number' && Rating >= Number(min ?? 0)),
    Best: () => Products.find(({ ID }) => keyText(ID) === '1') ?? null,
    Total: () => 42,
  }
}
