import type { SeekPosition } from '../query/entity-query.js'
import type { WrittenBatch } from '../provider/rendering.js'
import type { RowBatch } from '../provider/row-batch.js'

/** Entities of a page: rows that are still to be written, or bytes. */
export type PageBatch = RowBatch | WrittenBatch

export function isWritten(batch: PageBatch): batch is WrittenBatch {
  return 'pieces' in batch
}

/** The entities of one page as they come, and after them where the next page starts. */
export interface Page {
  /** Matches of path and filter, when the client asked for their number. */
  readonly inlineCount: number | undefined
  /** How many entities have been shown. */
  readonly count: number
  /** The next entities; undefined at the end of the page. After an error there are no more. */
  next(): Promise<PageBatch | undefined>
  /** Where the next page starts, known at the end of this one; undefined when there is none. */
  nextPosition(): Promise<SeekPosition | undefined>
  close(): Promise<void>
}
