import type { Column } from '../column.js'
import type { TextColumn } from '../dialect.js'

/** Digits of a floating-point number that every language writes alike. */
const shortNumber = /^(?:0|-?(?:[1-9]\d{0,7}|0)\.\d{1,7}|-?[1-9]\d{0,14})$/

const same = (cell: unknown): string => cell as string

/** How the strings of PostgreSQL's text format become values, by the type of the property. */
export function postgresText({ type, facts: { dataType } }: Column): TextColumn {
  switch (type) {
    case 'Edm.Boolean':
      return { decode: (cell) => cell === 't', plainText: (cell) => (cell === 't' ? 'true' : 'false') }
    case 'Edm.Byte':
    case 'Edm.SByte':
      return { decode: Number }
    case 'Edm.Int16':
      return dataType === 'int2' ? { decode: Number, plainText: same } : { decode: Number }
    case 'Edm.Int32':
      return dataType === 'int2' || dataType === 'int4'
        ? { decode: Number, plainText: same }
        : { decode: Number }
    case 'Edm.Int64':
      return ['int2', 'int4', 'int8'].includes(dataType) ? { plainText: same } : {}
    case 'Edm.Decimal':
      // A numeric can be NaN and infinite.
      return { plainText: (cell) => (endsWithDigit(cell as string) ? (cell as string) : undefined) }
    case 'Edm.Double':
      return {
        decode: Number,
        plainText: (cell) => (shortNumber.test(cell as string) ? (cell as string) : undefined),
      }
    case 'Edm.Single':
      return { decode: Number }
    case 'Edm.Guid':
      return dataType === 'uuid' ? { plainText: same } : {}
    case 'Edm.Binary':
      return { decode: (cell) => bytes(cell as string) }
    case 'Edm.DateTime':
      return { decode: (cell) => (cell as string).replace(' ', 'T') }
    case 'Edm.DateTimeOffset':
      return { decode: (cell) => `${(cell as string).replace(' ', 'T')}Z` }
    default:
      return {}
  }
}

function endsWithDigit(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0x30 && last <= 0x39
}

/** The bytes of a `bytea` in the format `hex` or, where a session has chosen that, `escape`. */
function bytes(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex')
  const unescaped = text.replace(/\\(\\|\d{3})/g, (_, escaped: string) =>
    escaped === '\\' ? '\\' : String.fromCharCode(Number.parseInt(escaped, 8)),
  )
  return Buffer.from(unescaped, 'latin1')
}
