import type { ContractRows } from '../contracts/contract-data.js'
import { inBatches } from '../contracts/handicaps.js'
import { describeProvider } from '../contracts/provider-contract.js'
import { evaluatingProvider } from '../support/evaluating-provider.js'
import { plainProvider } from '../support/plain-provider.js'

/** The other forms in which providers may give values: numbers and digits for Int64, numbers for Decimal. */
function inOtherForms(rows: ContractRows): ContractRows {
  const other = (name: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    if (name === 'Amount' || (name === 'Price' && value === '12.50'))
      return value === null ? null : Number(value)
    if (name === 'Code' && typeof value === 'string') return value.toUpperCase()
    return value
  }
  const entries = Object.entries(rows).map(([set, list]) => [
    set,
    list.map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .map(([name, value]) => [name, other(name, value)] as const)
          .filter(([, value]) => value !== null),
      ),
    ),
  ])
  return Object.fromEntries(entries)
}

describeProvider(
  'A promise of an array whose values have other forms, and no members that are null',
  ({ rows }) => plainProvider(inOtherForms(rows), (all) => ({ read: () => Promise.resolve(all) })),
)

describeProvider('An async generator of batches', ({ rows }) =>
  plainProvider(rows, (all) => ({ read: () => inBatches(all, 2) })),
)

describeProvider('A generator of batches, some of them empty, in no order', ({ rows }) =>
  plainProvider(rows, (all) => ({
    *read() {
      yield []
      yield all.slice(3).reverse()
      yield []
      yield all.slice(0, 3).reverse()
    },
  })),
)

describeProvider('A provider that takes every part of a query', ({ model, rows }) =>
  evaluatingProvider(model, rows),
)
