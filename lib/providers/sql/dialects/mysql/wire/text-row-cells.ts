import type { CellReader } from '../../../../../evaluation/value-row.js'
import { ByteSource, padded } from '../../../../../util/byte-source.js'

/** The first byte of a cell is its length up to 250, or says how many bytes the length has. */
export const NULL = 0xfb
const TWO_BYTES = 0xfc
const THREE_BYTES = 0xfd
export const EIGHT_BYTES = 0xfe

/** Reads cells of a text result row: the length of each in up to nine bytes, and its bytes. */
export const textRowCells: CellReader = {
  cells(source, position, count) {
    const { text: bytes } = source as ByteSource
    const cells = new Array<string | null>(count)
    let at = position
    for (let index = 0; index < count; index++) {
      const first = bytes.charCodeAt(at)
      if (first === NULL) {
        cells[index] = null
        at++
      } else {
        const start = at + lengthBytes(first)
        cells[index] = bytes.slice(start, (at = start + lengthOf(bytes, at, first)))
      }
    }
    return cells
  },

  cell(source, position, index) {
    const { text: bytes } = source as ByteSource
    let at = position
    for (let left = index; ; left--) {
      const first = bytes.charCodeAt(at)
      const start = at + lengthBytes(first)
      const end = start + lengthOf(bytes, at, first)
      if (left === 0) return first === NULL ? null : bytes.slice(start, end)
      at = end
    }
  },

  locate({ view }, position, bounds) {
    let at = position
    for (let index = 0; index < bounds.length; index += 2) {
      const first = view.getUint8(at)
      if (first === NULL) {
        at++
        bounds[index] = -1
      } else {
        const start = first < NULL ? at + 1 : at + lengthBytes(first)
        at = start + (first < NULL ? first : longLength(view, at, first))
        bounds[index] = start
      }
      bounds[index + 1] = at
    }
  },
}

/** Returns the number of bytes before the bytes of a cell that is not null. */
export function lengthBytesOf(length: number): number {
  if (length < NULL) return 1
  if (length < 0x1_0000) return 3
  return length < 0x100_0000 ? 4 : 9
}

function lengthBytes(first: number): number {
  if (first <= NULL) return 1
  if (first === TWO_BYTES) return 3
  return first === THREE_BYTES ? 4 : 9
}

function lengthOf(bytes: string, at: number, first: number): number {
  if (first < NULL) return first
  if (first === NULL) return 0
  const low = bytes.charCodeAt(at + 1) | (bytes.charCodeAt(at + 2) << 8)
  if (first === TWO_BYTES) return low
  const middle = low | (bytes.charCodeAt(at + 3) << 16)
  // No string of JavaScript is longer than four bytes can say.
  return first === EIGHT_BYTES ? middle + bytes.charCodeAt(at + 4) * 0x100_0000 : middle
}

function longLength(view: DataView, at: number, first: number): number {
  if (first === TWO_BYTES) return view.getUint16(at + 1, true)
  // Three bytes, or the lower ones of eight: no result has more than four.
  return first === THREE_BYTES ? view.getUint32(at, true) >>> 8 : view.getUint32(at + 1, true)
}

/** Returns a row of null in each column. */
export function nullRow(count: number): ByteSource {
  return new ByteSource(padded(Buffer.alloc(count, NULL)))
}
