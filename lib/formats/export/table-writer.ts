import type { RowBatch } from '../../data/row-batch.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { ExportColumn } from './export-columns.js'
import type { ExportSettings } from './export-options.js'

/** Serializes the rows of one export, after a header row. */
export interface TableWriter {
  /** True if the rows since the last chunk fill a chunk. */
  readonly isFull: boolean
  add(batch: RowBatch, index: number): void
  /** Returns the document since the last chunk. */
  flush(): PromiseOrValue<string | Uint8Array>
  /** Returns the rest of the document. */
  finish(): PromiseOrValue<string | Uint8Array>
}

/** Title and columns of a document. */
export interface TableInfo {
  /** Name of the entity set or function. */
  readonly title: string
  readonly columns: readonly ExportColumn[]
}

/** A format of exports. */
export interface ExportFormat {
  /** `text/csv` */
  readonly mediaType: string
  readonly contentType: string
  createWriter(info: TableInfo, settings: ExportSettings): TableWriter
}

/** The minimum number of characters of a chunk, which ends with a row. */
export const CHUNK_LENGTH = 60_000
