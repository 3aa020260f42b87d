import type { CellReader } from '../../../../../evaluation/value-row.js'
import type { ByteSource } from '../../../../../util/byte-source.js'

/** Reads cells of a DataRow message: their number in two bytes, then the length of each in four bytes and its bytes. */
export const dataRowCells: CellReader = {
  cells(source, position) {
    const { text: bytes } = source as ByteSource
    const count = int16At(bytes, position)
    const cells = new Array<string | null>(count)
    let at = position + 2
    for (let index = 0; index < count; index++) {
      const length = int32At(bytes, at)
      at += 4
      // The length of null is -1.
      if (length < 0) cells[index] = null
      else cells[index] = bytes.slice(at, (at += length))
    }
    return cells
  },

  cell(source, position, index) {
    const { text: bytes } = source as ByteSource
    if (index >= int16At(bytes, position)) return undefined
    let at = position + 2
    for (let left = index; left > 0; left--) at += 4 + Math.max(0, int32At(bytes, at))
    const length = int32At(bytes, at)
    return length < 0 ? null : bytes.slice(at + 4, at + 4 + length)
  },

  locate({ view }, position, bounds) {
    const end = Math.min(2 * view.getInt16(position), bounds.length)
    let at = position + 2
    for (let index = 0; index < end; index += 2) {
      const length = view.getInt32(at)
      at += 4
      bounds[index] = length < 0 ? -1 : at
      if (length > 0) at += length
      bounds[index + 1] = at
    }
  },
}

function int16At(bytes: string, at: number): number {
  return (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1)
}

function int32At(bytes: string, at: number): number {
  return (int16At(bytes, at) << 16) | int16At(bytes, at + 2)
}
