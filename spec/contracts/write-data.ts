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
