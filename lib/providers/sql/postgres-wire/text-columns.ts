import { millisecondsOfText } from '../../../edm/instant.js'
import { cellText } from '../../../evaluation/value-row.js'
import type { Column } from '../column.js'
import type { TextColumn } from '../dialect.js'
import { dateTimeText, doubleColumn, stringColumn } from '../wire/cell-text.js'

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
      return doubleColumn
    case 'Edm.Guid':
      return dataType === 'uuid' ? { plainText: cellText } : {}
    case 'Edm.Binary':
      return { decode: (cell) => bytesOf(cell as string) }
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

function endsWithDigit(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0x30 && last <= 0x39
}

/** Returns undefined for what Edm.DateTime cannot hold: infinity, years before Christ and after 9999. */
function plainDateTime(cell: string, precision: number | undefined): string | undefined {
  const isDateTime =
    cell.length >= 19 && cell.charCodeAt(4) === 0x2d && cell.charCodeAt(10) === 0x20 && endsWithDigit(cell)
  return isDateTime ? dateTimeText(cell, precision) : undefined
}

/** Returns the bytes of a `bytea` in the format `hex` or, where a session has chosen that, `escape`. */
function bytesOf(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex')
  const unescaped = text.replace(/\\(\\|\d{3})/g, (_, escaped: string) =>
    escaped === '\\' ? '\\' : String.fromCharCode(Number.parseInt(escaped, 8)),
  )
  return Buffer.from(unescaped, 'latin1')
}
