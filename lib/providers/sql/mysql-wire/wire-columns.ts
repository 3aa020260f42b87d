import type { WriteCell } from '../../../evaluation/value-row.js'
import { copyCell } from '../../../evaluation/value-row.js'
import type { Column, ColumnFacts } from '../column.js'
import type { WireColumn } from '../dialect.js'
import { dateTimeBytes, decodeUtf8, doubleColumn, stringColumn } from '../wire/text-cells.js'

/** Returns how cells of MySQL become values and bytes of documents, by the type of the property. */
export function wireColumn({ type, facts }: Column): WireColumn {
  const { dataType } = facts
  switch (type) {
    case 'Edm.Boolean':
      return { decode: (cell) => Number(cell) === 1, bytes: { writeText: writeBoolean } }
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
  if (digit === 0x31) out.word(TRUE, 4)
  else if (digit === 0x30) {
    out.word(FALSE, 4)
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
const DASH = 0x2d

/** Copies guids in lower case. */
const copyGuid: WriteCell = (out, source, from, to) => {
  if (to - from !== GUID_LENGTH) return false
  for (let index = 0; index < GUID_LENGTH; index++) {
    const byte = source.view.getUint8(from + index)
    const isExpected =
      index === 8 || index === 13 || index === 18 || index === 23 ? byte === DASH : isHexDigit(byte)
    if (!isExpected) return false
  }
  return copyCell(out, source, from, to)
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
}
