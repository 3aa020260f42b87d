import { ByteSource, padded } from '../../../util/byte-writer.js'
import { WireRows } from '../wire/wire-rows.js'
import { lengthBytesOf, nullRow, textRowCells } from './text-row-cells.js'

/** A cell that `mysql2` hands to a `typeCast` function. */
export interface CastField {
  buffer(): Buffer | null
}

/**
 * Finds the rows of a result in the chunks of the connection. The driver hands out each cell; the bytes of the first
 * cell of a row that is not null are a view of the chunk that contains the row. No other cell is read.
 */
export class RowLocator {
  /** The chunks of the rows; undefined for rows without any value. */
  private readonly chunks: (ArrayBufferLike | undefined)[] = []
  private readonly positions: number[] = []
  private firstColumn: CastField | undefined
  /** The number of nulls at the start of a row that is not located yet; -1 after it is located. */
  private nulls = -1

  add(field: CastField): void {
    // The driver has one field for each column of a result.
    this.firstColumn ??= field
    if (field === this.firstColumn) this.beginRow()
    else if (this.nulls < 0) return
    const cell = field.buffer()
    if (cell === null) this.nulls++
    else {
      this.chunks.push(cell.buffer)
      this.positions.push(cell.byteOffset - lengthBytesOf(cell.length) - this.nulls)
      this.nulls = -1
    }
  }

  /**
   * Returns the rows of a result that is complete. Before, a chunk may have room for other rows: the driver combines
   * the bytes of short rows that are split in the same buffer.
   */
  rows(): WireRows {
    this.endRow()
    const rows = new WireRows(textRowCells)
    const sources = new Map<ArrayBufferLike, ByteSource>()
    let last: ArrayBufferLike | undefined
    let source: ByteSource | undefined
    for (let index = 0; index < this.chunks.length; index++) {
      const chunk = this.chunks[index]
      const position = this.positions[index] ?? 0
      if (chunk === undefined) rows.add(nullRow(position), 0)
      else {
        if (source === undefined || chunk !== last) {
          source = sources.get(chunk) ?? new ByteSource(padded(new Uint8Array(chunk)))
          sources.set(chunk, source)
          last = chunk
        }
        rows.add(source, position)
      }
    }
    return rows
  }

  private beginRow(): void {
    this.endRow()
    this.nulls = 0
  }

  /** Adds a row of nulls; its position is their number. */
  private endRow(): void {
    if (this.nulls < 0) return
    this.chunks.push(undefined)
    this.positions.push(this.nulls)
    this.nulls = -1
  }
}
