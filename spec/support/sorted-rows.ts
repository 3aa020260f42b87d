import type { RowOrder } from '../../lib/evaluation/order.js'
import type { Row } from '../../lib/evaluation/row.js'

/** The rows in an order, as a new array. */
export function sortedRows(order: RowOrder, rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, key: order.keyOf(row) }))
    .sort((a, b) => order.compareKeys(a.key, b.key))
    .map(({ row }) => row)
}
