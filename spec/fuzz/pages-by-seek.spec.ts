import { fc, runs } from '../support/random.js'
import { primitiveTypes } from '../../lib/edm/primitive-types/primitive-types.js'
import { FirstRows } from '../../lib/evaluation/row-scan.js'
import { RowOrder } from '../../lib/evaluation/order.js'
import type { Row } from '../../lib/evaluation/row.js'
import { bindSkipToken } from '../../lib/query/bind-query-options.js'
import type { SeekPosition } from '../../lib/query/entity-query.js'
import { totalOrder } from '../../lib/query/entity-query.js'
import type { OrderByTerm } from '../../lib/query/expression.js'
import { TimeSlice } from '../../lib/util/time-slice.js'
import { embeddedNavigation, orderOn } from '../support/expressions.js'
import { setNamed } from '../support/protocol-model.js'
import { randomCondition, randomNumber } from '../support/random-expressions.js'
import { randomProduct, referenceProduct } from '../support/random-rows.js'
import { evaluateReference } from '../support/reference-evaluator.js'
import type { ReferenceValue } from '../support/reference-values.js'
import { compared } from '../support/reference-values.js'
import { sortedRows } from '../support/sorted-rows.js'

const type = setNamed('Products').entityType

const rows = fc.uniqueArray(randomProduct, { selector: ({ ID }) => ID, maxLength: 30 })
const term = fc.oneof(
  fc.constantFrom(
    'Name',
    'Price',
    'Stock',
    'Weight',
    'Discount',
    'Active',
    'Released',
    'Changed',
    'Opens',
    'Code',
    'Pic',
  ),
  fc.constantFrom('Category/Name', 'Dims/W', 'Category/Parent/Rank', 'ID mod 2', 'Small', 'null'),
  randomNumber,
  randomCondition,
)
const terms = fc.array(fc.tuple(term, fc.constantFrom('', ' asc', ' desc')), { minLength: 1, maxLength: 3 })

/** Null first, then NaN, then all else. */
function compareReference(a: ReferenceValue, b: ReferenceValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  const [left, right] = [isNotANumber(a), isNotANumber(b)]
  return left || right ? Number(right) - Number(left) : (compared(a, b) ?? 0)
}

function isNotANumber(value: ReferenceValue): boolean {
  return value !== null && 'v' in value && Number.isNaN(value.v)
}

function sortedByReference(given: readonly Row[], order: readonly (readonly [string, string])[]): Row[] {
  const all = [...order, ['ID', ''] as const]
  const keyed = given.map((row) => ({
    row,
    key: all.map(([text]) => evaluateReference(text, row, referenceProduct)),
  }))
  return keyed
    .sort((a, b) => {
      for (const [index, [, direction]] of all.entries()) {
        const result = compareReference(a.key[index] ?? null, b.key[index] ?? null)
        if (result !== 0) return direction === ' desc' ? -result : result
      }
      return 0
    })
    .map(({ row }) => row)
}

function tokenOf(position: SeekPosition, order: readonly OrderByTerm[]): string {
  const literals = position.map((value, index) => {
    const expected = order[index]?.expression.type
    return value === null || typeof expected !== 'string'
      ? 'null'
      : primitiveTypes[expected].formatLiteral(value)
  })
  return literals.join(',')
}

describe('Pages', () => {
  it('MUST be in the order of an independent evaluator', () => {
    fc.assert(
      fc.property(rows, terms, (given, order) => {
        const text = order.map(([one, direction]) => one + direction).join(',')
        const orderBy = totalOrder(orderOn('Products', text), type)
        const sorted = sortedRows(new RowOrder(orderBy, type, embeddedNavigation), given)
        expect(sorted.map(({ ID }) => ID)).toEqual(sortedByReference(given, order).map(({ ID }) => ID))
      }),
      { numRuns: runs(250) },
    )
  })

  it('MUST add up to the sorted list, each found from the end of the previous one', () =>
    fc.assert(
      fc.asyncProperty(rows, terms, fc.integer({ min: 1, max: 7 }), async (given, requested, size) => {
        const orderBy = orderOn('Products', requested.map(([one, direction]) => one + direction).join(','))
        const all = totalOrder(orderBy, type)
        const order = new RowOrder(all, type, embeddedNavigation)
        const pages: Row[] = []
        const slice = new TimeSlice({ signal: new AbortController().signal })
        let seek: SeekPosition | undefined
        while (pages.length <= given.length) {
          const key = seek === undefined ? undefined : order.keyAt(seek, all)
          const first = new FirstRows(order, size, key)
          for (const row of given) first.add(row)
          const page = await first.rows(slice)
          const last = page.at(-1)
          if (last === undefined) break
          pages.push(...page)
          seek = bindSkipToken(tokenOf(order.positionOf(last), all), orderBy, type)
        }
        expect(pages.map(({ ID }) => ID)).toEqual(sortedRows(order, given).map(({ ID }) => ID))
      }),
      { numRuns: runs(250) },
    ))
})
