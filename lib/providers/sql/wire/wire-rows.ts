import type { CellReader } from '../../../evaluation/value-row.js'

/** Rows of a result as the database sent them: row i is at `positions[i]` of `sources[i]`. */
export class WireRows {
  /** Chunks of the connection as latin1 strings: each character is one byte. */
  readonly sources: string[] = []
  readonly positions: number[] = []

  constructor(readonly reader: CellReader) {}

  add(source: string, position: number): void {
    this.sources.push(source)
    this.positions.push(position)
  }

  get length(): number {
    return this.sources.length
  }
}
