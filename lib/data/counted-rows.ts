import type { Row } from '../evaluation/row.js'
import type { Expression } from '../query/expression.js'
import { expressionKey } from '../query/expression-key.js'
import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError } from '../util/batch-reader.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, isPromiseLike, mapValue } from '../util/promise-or-value.js'
import type { CollectionQuery, SplitQuery } from './pushdown.js'

/** The rows of a page, and the number of all matches. */
export interface CountedRows {
  readonly rows: BatchReader<Row>
  /** Undefined when the entities are not counted. */
  readonly total: number | undefined
  /** True or false if the provider reports whether further entities follow. */
  readonly hasMore?: boolean | undefined
}

/** Returns the conditions of the count that the page does not have. */
export function othersThan(
  restrictions: readonly Expression[],
  counting: readonly Expression[],
): readonly Expression[] {
  if (counting.length === 0) return counting
  const known = new Set(restrictions.map(expressionKey))
  return counting.filter((one) => !known.has(expressionKey(one)))
}

/**
 * Returns the rows of a page that the provider has paged.
 *
 * @throws TypeError if the provider does not report whether entities follow those that it was limited to
 */
export function counted(
  rows: BatchReader<Row>,
  total: number | undefined,
  { limit }: CollectionQuery,
  { pushed: { top = limit } }: SplitQuery,
): CountedRows {
  if (top < limit && rows.hasMore === undefined)
    throw new TypeError('read() of a provider with pushdown.pageSize must return { rows, hasMore }.')
  return { rows, total, hasMore: rows.hasMore }
}

/** Counts the rows of a page that is being opened. Closes the rows if counting fails. */
export function readAndCount(
  opening: PromiseOrValue<BatchReader<Row>>,
  count: () => PromiseOrValue<number>,
): PromiseOrValue<CountedRows> {
  if (isPromiseLike(opening)) return readWhileCounting(opening, count)
  return catchValue(
    () => mapValue(count(), (total) => ({ rows: opening, total })),
    async (error) => {
      await closeAfterError(opening)
      throw error
    },
  )
}

/** Waits for both, even if one of them fails: nothing may still run when the error is reported. */
async function readWhileCounting(
  opening: Promise<BatchReader<Row>>,
  count: () => PromiseOrValue<number>,
): Promise<CountedRows> {
  const counting = (async () => count())()
  const [rows, total] = await Promise.allSettled([opening, counting])
  if (rows.status === 'rejected') throw rows.reason
  if (total.status === 'fulfilled') return { rows: rows.value, total: total.value }
  await closeAfterError(rows.value)
  throw total.reason
}
