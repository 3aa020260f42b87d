import type { Row } from '../evaluation/row.js'

/**
 * Rows with what is shown inline of them. No object is made for a row: related rows of all rows of a batch stand in
 * one array, and numbers tell whose they are.
 */
export interface RowBatch {
  readonly rows: readonly Row[]
  /** In the order of the projection's expansions. */
  readonly expansions: readonly ExpandedRows[]
}

/** The related rows of all rows of a batch, for one navigation property. */
export interface ExpandedRows {
  readonly batch: RowBatch
  /** Those of row i are the ones from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: readonly number[]
  /** Rows of which there are more related ones than are shown. */
  readonly cut: ReadonlySet<number>
}
