import { millisecondsOfText } from '../../../edm/instant.js'
import { cellText } from '../../../evaluation/value-row.js'
import type { Column } from '../column.js'
import type { TextColumn } from '../dialect.js'
import { decodeUtf8 } from './data-rows.js'

/** Digits of a floating-point number that every language formats alike. */
const shortNumber = /^(?:0|-?(?:[1-9]\d{0,7}|0)\.\d{1,7}|-?[1-9]\d{0,14})$/

/** Printable ASCII characters that need no escape in JSON and XML. */
const plainString = /^[ !#-%'-;=?-[\]-~]*$/

const integer: TextColumn = { decode: Number, plainText: cellText }
const checkedNumber: TextColumn = { decode: Number }

/** How cells in the text format of PostgreSQL become values, by the type of the property. */
export function textColumn({ type, facts: { dataType } }: Column): TextColumn {
  switch (type) {
    case 'Edm.Boolean':
      return { decode: (cell) => cell === 't', plainText: (cell) => (cell === 't' ? 'true' : 'false') }
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Single':
      return checkedNumber
    case 'Edm.Int16':
      return dataType === 'int2' ? integer : checkedNumber
    case 'Edm.Int32':
      return dataType === 'int2' || dataType === 'int4' ? integer : checkedNumber
    case 'Edm.Int64':
      return ['int2', 'int4', 'int8'].includes(dataType) ? { plainText: cellText } : {}
    case 'Edm.Decimal':
      // A numeric can be NaN and infinite.
      return { plainText: (cell) => (endsWithDigit(cell as string) ? (cell as string) : undefined) }
    case 'Edm.Double':
      return {
        decode: Number,
        plainText: (cell) => (shortNumber.test(cell as string) ? (cell as string) : undefined),
      }
    case 'Edm.Guid':
      return dataType === 'uuid' ? { plainText: cellText } : {}
    case 'Edm.Binary':
      return { decode: (cell) => bytesOf(cell as string) }
    case 'Edm.DateTime':
      return {
        decode: (cell) => (cell as string).replace(' ', 'T'),
        plainText: (cell, precision) => dateTimeText(cell as string, precision),
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
      return {
        decode: decodeUtf8,
        plainText: (cell) => (plainString.test(cell as string) ? (cell as string) : undefined),
      }
  }
}

function endsWithDigit(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0x30 && last <= 0x39
}

/**
 * Returns `2012-05-29 09:13:28.5` in the form of Edm.DateTime; undefined for what Edm.DateTime cannot hold: infinity,
 * years before Christ and after 9999.
 */
function dateTimeText(cell: string, precision: number | undefined): string | undefined {
  const isDateTime =
    cell.length >= 19 && cell.charCodeAt(4) === 0x2d && cell.charCodeAt(10) === 0x20 && endsWithDigit(cell)
  if (!isDateTime) return undefined
  const date = cell.slice(0, 10)
  if (precision === undefined) return `${date}T${cell.slice(11)}`
  const seconds = `${date}T${cell.slice(11, 19)}`
  if (precision === 0) return seconds
  const fraction = cell.slice(20, 20 + precision).padEnd(precision, '0')
  return `${seconds}.${fraction}`
}

/** Returns the bytes of a `bytea` in the format `hex` or, where a session has chosen that, `escape`. */
function bytesOf(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex')
  const unescaped = text.replace(/\\(\\|\d{3})/g, (_, escaped: string) =>
    escaped === '\\' ? '\\' : String.fromCharCode(Number.parseInt(escaped, 8)),
  )
  return Buffer.from(unescaped, 'latin1')
}
