import type { WriteCell } from '../../../../../evaluation/value-row.js'
import { copyCell } from '../../../../../evaluation/value-row.js'
import type { Column, ColumnFacts } from '../../../column.js'
import type { WireColumn } from '../../../wire/wire-format.js'
import { dateTimeBytes, decodeUtf8, doubleColumn, stringColumn } from '../../../wire/text-cells.js'

/** Returns how cells of MySQL become values and bytes of documents, by the type of the property. */
export function wireColumn({ type, facts }: Column): WireColumn {
  const { dataType } = facts
  switch (type) {
    case 'Edm.Boolean':
      return { decode: (cell) => Number(cell) !== 0, bytes: { writeText: writeBoolean } }
    case 'Edm.Byte':
    case 'Edm.SByte':
      return { decode: Number, bytes: { writeText: copyInteger(2) } }
    case 'Edm.Int16':
      return { decode: Number, bytes: { writeText: isSigned(facts, 'smallint') ? copyCell : copyInteger(4) } }
    case 'Edm.Int32':
      return { decode: Number, bytes: { writeText: isSigned(facts, 'int') ? copyCell : copyInteger(9) } }
    case 'Edm.Int64':
      return {
        decode: (cell) => String(BigInt(cell as string)),
        bytes: { writeText: isSigned(facts, 'bigint') ? copyCell : copyInteger(18) },
      }
    case 'Edm.Decimal':
      return { bytes: { writeText: facts.isUnsigned === true ? copyDecimal : copyCell } }
    case 'Edm.Double':
      return doubleColumn
    case 'Edm.Single':
      return { decode: Number }
    case 'Edm.Guid':
      return dataType === 'uuid'
        ? { bytes: { writeText: copyCell } }
        : { decode: decodeUtf8, bytes: { writeText: copyGuid } }
    case 'Edm.Binary':
      return { decode: (cell) => Buffer.from(cell as string, 'latin1') }
    case 'Edm.DateTime':
      return { decode: (cell) => (cell as string).replace(' ', 'T'), bytes: dateTimeBytes }
    case 'Edm.DateTimeOffset':
      return {
        decode: (cell) => `${(cell as string).replace(' ', 'T')}Z`,
        bytes: { writeMilliseconds: dateTimeBytes.writeMilliseconds },
      }
    case 'Edm.Time':
      return {}
    case 'Edm.String':
      return stringColumn
  }
}

const TRUE = 0x65757274
const FALSE = 0x736c6166

const writeBoolean: WriteCell = (out, { view }, from, to) => {
  const digit = to - from === 1 ? view.getUint8(from) : 0
  if (digit === 0x31) out.word(TRUE)
  else if (digit === 0x30) {
    out.word(FALSE)
    out.byte(0x65)
  } else return false
  return true
}

/** Types of whole numbers, by their length. */
const integerTypes = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint']

/** Returns true if a column has signed integers, up to a given type, that are not padded with zeros. */
function isSigned({ dataType, isUnsigned }: ColumnFacts, longest: string): boolean {
  const length = integerTypes.indexOf(dataType)
  return isUnsigned !== true && length >= 0 && length <= integerTypes.indexOf(longest)
}

/** @param maxLength maximum length of a string that is certainly in the range of the type */
function copyInteger(maxLength: number): WriteCell {
  return (out, source, from, to) =>
    to - from <= maxLength &&
    (to - from === 1 || !startsWithZero(source.view, from)) &&
    copyCell(out, source, from, to)
}

const POINT = 0x2e

const copyDecimal: WriteCell = (out, source, from, to) => {
  const { view } = source
  const isPadded = startsWithZero(view, from) && to - from > 1 && view.getUint8(from + 1) !== POINT
  return !isPadded && copyCell(out, source, from, to)
}

/** Returns true for a leading zero, which columns with `zerofill` have; these are unsigned. */
function startsWithZero(view: DataView, from: number): boolean {
  return view.getUint8(from) === 0x30
}

const GUID_LENGTH = 36

/** For each four bytes of a guid, the bits of a dash. */
const dashBits = Int32Array.of(0, 0, 0xff, 0xff00, 0xff_0000, 0xff00_0000, 0, 0, 0)

/** Copies guids in lower case. */
const copyGuid: WriteCell = (out, source, from, to) => {
  if (to - from !== GUID_LENGTH) return false
  const { view } = source
  let others = 0
  for (let index = 0; index < dashBits.length; index++) {
    const bytes = view.getInt32(from + 4 * index, true)
    const dash = dashBits[index] ?? 0
    others |= ((bytes ^ 0x2d2d2d2d) & dash) | otherThanHexDigits((bytes & ~dash) | (0x30303030 & dash))
  }
  return others === 0 && copyCell(out, source, from, to)
}

/** Returns 0 if four bytes are digits or letters from `a` to `f`. */
function otherThanHexDigits(bytes: number): number {
  const letters = (bytes >>> 6) & 0x01010101
  // Digits and letters end in 0 to 9 and 0 to 5, and still have the same upper four bits with 6 and 10 added.
  const lowest = (bytes - letters) | 0
  const highest = (lowest + 0x06060606 + 4 * letters) | 0
  const upper = 0x30303030 + 0x30 * letters
  return ((lowest ^ upper) | (highest ^ upper)) & 0xf0f0f0f0
}
