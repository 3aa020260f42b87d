import type { Row } from '../evaluation/row.js'

/** Rows with their expanded related rows, which are stored in one array for all rows of the batch. */
export interface RowBatch {
  readonly rows: readonly Row[]
  /** In the order of the projection's expansions. */
  readonly expansions: readonly ExpandedRows[]
}

/** The related rows of all rows of a batch, for one navigation property. */
export interface ExpandedRows {
  readonly batch: RowBatch
  /** The related rows of row i are those from `offsets[i]` up to `offsets[i + 1]`. */
  readonly offsets: readonly number[]
  /** Rows that have more related rows than the response shows. */
  readonly truncated: ReadonlySet<number>
}
