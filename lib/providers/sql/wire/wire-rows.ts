import type { CellReader } from '../../../evaluation/value-row.js'
import type { ByteSource } from '../../../util/byte-source.js'

/** Rows of a result as the database sent them: row i is at `positions[i]` of `sources[i]`. */
export class WireRows {
  /** Chunks of the connection. */
  readonly sources: ByteSource[] = []
  readonly positions: number[] = []

  constructor(readonly reader: CellReader) {}

  add(source: ByteSource, position: number): void {
    this.sources.push(source)
    this.positions.push(position)
  }

  get length(): number {
    return this.sources.length
  }
}
