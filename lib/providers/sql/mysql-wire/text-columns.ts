import { millisecondsOfText } from '../../../edm/instant.js'
import type { ValueColumn } from '../../../evaluation/value-row.js'
import { cellText } from '../../../evaluation/value-row.js'
import type { Column, ColumnFacts } from '../column.js'
import type { TextColumn } from '../dialect.js'
import { dateTimeText, decodeUtf8, doubleColumn, stringColumn } from '../wire/cell-text.js'

const canonicalGuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** How cells in the text format of MySQL become values, by the type of the property. */
export function textColumn({ type, facts }: Column): TextColumn {
  const { dataType } = facts
  switch (type) {
    case 'Edm.Boolean':
      return { decode: (cell) => Number(cell) === 1, plainText: booleanText }
    case 'Edm.Byte':
    case 'Edm.SByte':
      return { decode: Number, plainText: integerText(2) }
    case 'Edm.Int16':
      return { decode: Number, plainText: isSigned(facts, 'smallint') ? cellText : integerText(4) }
    case 'Edm.Int32':
      return { decode: Number, plainText: isSigned(facts, 'int') ? cellText : integerText(9) }
    case 'Edm.Int64':
      return {
        decode: (cell) => String(BigInt(cell as string)),
        plainText: isSigned(facts, 'bigint') ? cellText : integerText(18),
      }
    case 'Edm.Decimal':
      return { plainText: facts.isUnsigned === true ? decimalText : cellText }
    case 'Edm.Double':
      return doubleColumn
    case 'Edm.Single':
      return { decode: Number }
    case 'Edm.Guid':
      return dataType === 'uuid' ? { plainText: cellText } : { decode: decodeUtf8, plainText: guidText }
    case 'Edm.Binary':
      return { decode: (cell) => Buffer.from(cell as string, 'latin1') }
    case 'Edm.DateTime':
      return {
        decode: (cell) => (cell as string).replace(' ', 'T'),
        plainText: (cell, precision) => plainDateTime(cell as string, precision),
        milliseconds: (cell) => millisecondsOfText(cell as string),
      }
    case 'Edm.DateTimeOffset':
      return {
        decode: (cell) => `${(cell as string).replace(' ', 'T')}Z`,
        milliseconds: (cell) => millisecondsOfText(cell as string),
      }
    case 'Edm.Time':
      return {}
    case 'Edm.String':
      return stringColumn
  }
}

function booleanText(cell: unknown): string | undefined {
  if (cell === '1') return 'true'
  return cell === '0' ? 'false' : undefined
}

/** Types of whole numbers, by their length. */
const integerTypes = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint']

/** Returns true if a column has signed integers, up to a given type, that are not padded with zeros. */
function isSigned({ dataType, isUnsigned }: ColumnFacts, longest: string): boolean {
  const length = integerTypes.indexOf(dataType)
  return isUnsigned !== true && length >= 0 && length <= integerTypes.indexOf(longest)
}

/** @param maxLength maximum length of a string that is certainly in the range of the type */
function integerText(maxLength: number): ValueColumn['plainText'] {
  return (cell) => {
    const digits = cell as string
    return digits.length <= maxLength && (digits.length === 1 || !startsWithZero(digits)) ? digits : undefined
  }
}

function decimalText(cell: unknown): string | undefined {
  const digits = cell as string
  const isPadded = startsWithZero(digits) && digits.length > 1 && digits[1] !== '.'
  return isPadded ? undefined : digits
}

/** Columns with `zerofill`, which are unsigned, have leading zeros. */
function startsWithZero(digits: string): boolean {
  return digits.charCodeAt(0) === 0x30
}

function guidText(cell: unknown): string | undefined {
  return canonicalGuid.test(cell as string) ? (cell as string) : undefined
}

/** Returns undefined for dates such as `0000-00-00`, and for zeros at the end that a value would not have. */
function plainDateTime(cell: string, precision: number | undefined): string | undefined {
  if (millisecondsOfText(cell) === undefined) return undefined
  const hasFraction = cell.length > 19
  return precision === undefined && hasFraction && cell.endsWith('0')
    ? undefined
    : dateTimeText(cell, precision)
}
