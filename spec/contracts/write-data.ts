import type { ContractRows } from './contract-data.js'

/** The initial rows under the write contract; generated keys must avoid theirs. */
export const writeRows: ContractRows = {
  Categories: [
    { ID: 1, Name: 'Cheese', ParentID: null },
    { ID: 2, Name: 'Wine', ParentID: 1 },
  ],
  Products: [
    { ID: 1, Name: 'Gouda', CategoryID: 1 },
    { ID: 2, Name: 'Port', CategoryID: null },
  ],
  Coupons: [{ ID: 9_007_199_254_740_993n, Text: 'beyond what JavaScript counts exactly' }],
  Orders: [{ ID: 1, Customer: 'Ann' }],
  Lines: [{ OrderID: 1, No: 1, Text: 'first' }],
}

/** One end of an association without foreign key: the set, its key, and how many it may be linked to. */
interface LinkTableEnd {
  readonly role: string
  readonly entitySet: string
  readonly key: string
  readonly multiplicity: '0..1' | '*'
}

/**
 * The associations that no foreign key holds. None has links at the start. A database has a table for each, with
 * a column for the key at either end; a key at the end opposite to one that is `0..1` is there once.
 */
export const linkTables: readonly {
  readonly association: string
  readonly ends: readonly [LinkTableEnd, LinkTableEnd]
}[] = [
  {
    association: 'ProductTags',
    ends: [
      { role: 'Product', entitySet: 'Products', key: 'ID', multiplicity: '*' },
      { role: 'Tag', entitySet: 'Tags', key: 'ID', multiplicity: '*' },
    ],
  },
  {
    association: 'ProductParts',
    ends: [
      { role: 'Whole', entitySet: 'Products', key: 'ID', multiplicity: '*' },
      { role: 'Part', entitySet: 'Products', key: 'ID', multiplicity: '*' },
    ],
  },
  {
    association: 'ProductCover',
    ends: [
      { role: 'Product', entitySet: 'Products', key: 'ID', multiplicity: '0..1' },
      { role: 'Cover', entitySet: 'Covers', key: 'Name', multiplicity: '0..1' },
    ],
  },
  {
    association: 'Favourites',
    ends: [
      { role: 'Fan', entitySet: 'Parties', key: 'ID', multiplicity: '*' },
      { role: 'Product', entitySet: 'Products', key: 'ID', multiplicity: '0..1' },
    ],
  },
]
