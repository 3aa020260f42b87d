import type { Row } from '../../../evaluation/row.js'

/** What the database wrote of some entities; undefined when it could not write all of them. */
export interface WrittenRows {
  readonly pieces: readonly Uint8Array[]
  /** Bytes of all pieces. */
  readonly length: number
  readonly count: number
  readonly inlineCount: number
  /** The key of the last one, where it was asked for. */
  readonly last: Row | undefined
}
