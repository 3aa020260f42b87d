import { BYTES_AFTER_SOURCE, ByteSource, padded } from '../../../../../util/byte-source.js'
import { WireRows } from '../../../wire/wire-rows.js'
import { EIGHT_BYTES, lengthBytesOf, NULL, nullRow, textRowCells } from './text-row-cells.js'

/** A cell that `mysql2` hands to a `typeCast` function. */
export interface CastField {
  buffer(): Buffer | null
}

/** A packet is the length of its content in three bytes, a sequence number, and its content, here a row. */
const HEADER_BYTES = 4
/** The length of packets that are continued in another. */
const CONTINUED = 0xff_ffff
/** The length of the longest packet that ends a result. */
const LONGEST_END = 8
/** The first byte of an error. */
const FAILURE = 0xff

/**
 * Finds the rows of a result in the chunks of the connection. The driver reports each cell; the bytes of the first cell
 * of a row that is not null are a view of the chunk that contains the row. The rows that follow it in the chunk are found
 * by the lengths of their packets, and only the last of them is compared with the row that the driver reports: reading a
 * cell from the driver takes twice as long as the rest of finding its row.
 */
export class RowLocator {
  /** True if rows that were found ahead were others than those of the driver: the rows are not those of the result. */
  hasOtherRows = false
  private readonly found = new WireRows(textRowCells)
  private firstColumn: CastField | undefined
  /** The number of nulls at the start of a row that is not located yet; -1 after it is located. */
  private nulls = -1
  /** The chunk of the row that was found last, and the start of the row. */
  private source: ByteSource | undefined
  private start = 0
  /** The number of rows that were found, but that the driver has not reported yet. */
  private ahead = 0

  /** @param findsAhead false to read a cell of each row from the driver */
  constructor(private readonly findsAhead: boolean) {}

  add(field: CastField): void {
    // The driver has one field for each column of a result.
    this.firstColumn ??= field
    if (field === this.firstColumn) {
      if (this.ahead > 1) {
        this.ahead--
        return
      }
      this.endRow()
      this.nulls = 0
    } else if (this.nulls < 0) return
    const cell = field.buffer()
    if (cell === null) {
      this.nulls++
      return
    }
    const start = cell.byteOffset - lengthBytesOf(cell.length) - this.nulls
    this.nulls = -1
    if (this.ahead === 0) this.locate(cell.buffer, start)
    else {
      this.ahead = 0
      if (cell.buffer !== this.source?.bytes.buffer || start !== this.start) this.hasOtherRows = true
    }
  }

  /** Returns the rows of a result that is complete. */
  rows(): WireRows {
    this.endRow()
    const { found, ahead } = this
    if (ahead > 0) {
      this.hasOtherRows = true
      this.ahead = 0
      found.sources.length -= ahead
      found.positions.length -= ahead
    }
    return found
  }

  /** Adds a row, and those that follow it in its chunk. */
  private locate(chunk: ArrayBufferLike, start: number): void {
    const source = this.source?.bytes.buffer === chunk ? this.source : new ByteSource(Buffer.from(chunk))
    this.source = source
    let end = endOfRow(source, start)
    this.addRow(source, start, end)
    if (!this.findsAhead || end === undefined) return
    for (;;) {
      const next: number = end + HEADER_BYTES
      if (!isRow(source, next, this.start)) return
      end = next + lengthBefore(source.view, next)
      this.addRow(source, next, end)
      this.ahead++
    }
  }

  /** @param end undefined if it is not known */
  private addRow(source: ByteSource, start: number, end: number | undefined): void {
    this.start = start
    const { bytes } = source
    if (end !== undefined && end + BYTES_AFTER_SOURCE <= bytes.length) this.found.add(source, start)
    else this.found.add(new ByteSource(padded(bytes.subarray(start))), 0)
  }

  /** Adds a row of nulls. */
  private endRow(): void {
    if (this.nulls >= 0) this.found.add(nullRow(this.nulls), 0)
    this.nulls = -1
  }
}

/**
 * Returns the end of a row; undefined for one whose bytes the driver may have combined, without their header, in memory
 * of their own or of the pool of Node.js.
 */
function endOfRow({ view, bytes }: ByteSource, start: number): number | undefined {
  const isCombined = start <= HEADER_BYTES || bytes.length === Buffer.poolSize
  return isCombined ? undefined : start + lengthBefore(view, start)
}

function lengthBefore(view: DataView, start: number): number {
  return view.getUint32(start - HEADER_BYTES, true) & CONTINUED
}

/** Returns true if a complete row whose first cell is not null follows another. */
function isRow({ view }: ByteSource, start: number, previous: number): boolean {
  if (start >= view.byteLength) return false
  const length = lengthBefore(view, start)
  if (length === 0 || length === CONTINUED || start + length > view.byteLength) return false
  const isInOrder = view.getUint8(start - 1) === ((view.getUint8(previous - 1) + 1) & 0xff)
  const first = view.getUint8(start)
  const isEnd = first === FAILURE || (first === EIGHT_BYTES && length <= LONGEST_END)
  return isInOrder && !isEnd && first !== NULL
}
