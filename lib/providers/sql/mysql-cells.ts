import { cellText } from '../../evaluation/value-row.js'
import { millisecondsOfText } from '../../edm/instant.js'
import type { Column } from './column.js'
import type { TextColumn } from './dialect.js'

/** A cell of `mysql2`. */
interface CastField {
  readonly type: string
  string(): string | null
}

/** Types whose values the driver would parse; the others are strings and bytes. */
const parsedTypes: ReadonlySet<string> = new Set([
  'TINY',
  'SHORT',
  'INT24',
  'LONG',
  'LONGLONG',
  'YEAR',
  'FLOAT',
  'DOUBLE',
  'DECIMAL',
  'NEWDECIMAL',
  'DATE',
  'DATETIME',
  'TIMESTAMP',
  'TIME',
])

/**
 * The options of a query of `mysql2` whose rows are arrays of strings. Kysely hands the text of a statement to the driver
 * as it is, so this is also the text. A `log` function of the application may call the methods of strings on it.
 */
export class MysqlCellQuery {
  readonly rowsAsArray = true

  constructor(readonly sql: string) {}

  readonly typeCast = (field: CastField, next: () => unknown): unknown =>
    parsedTypes.has(field.type) ? field.string() : next()

  get length(): number {
    return this.sql.length
  }

  toString(): string {
    return this.sql
  }

  toJSON(): string {
    return this.sql
  }
}

// The methods of strings work on everything that has a string.
Object.setPrototypeOf(MysqlCellQuery.prototype, String.prototype)

/** Columns with `zerofill` have leading zeros. */
const canonicalInteger = /^(?:0|-?[1-9]\d{0,17})$/
const canonicalDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const canonicalGuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
/** Digits of a floating-point number that every language formats alike. */
const shortNumber = /^(?:0|-?(?:[1-9]\d{0,7}|0)\.\d{1,7}|-?[1-9]\d{0,14})$/

/** Returns the `plainText` of cells that match a pattern. */
function matching(pattern: RegExp): (cell: unknown) => string | undefined {
  return (cell) => (pattern.test(cell as string) ? cellText(cell) : undefined)
}

const int32: TextColumn = { decode: Number, plainText: matching(canonicalInteger) }
const int64: TextColumn = {
  decode: (cell) => String(BigInt(cell as string)),
  plainText: matching(canonicalInteger),
}

/** How cells in the text format of MySQL become values, by the type of the property. */
export function mysqlTextColumn({ type, facts: { dataType } }: Column): TextColumn {
  switch (type) {
    case 'Edm.Boolean':
      return { decode: (cell) => Number(cell) === 1 }
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Single':
      return { decode: Number }
    case 'Edm.Int16':
      return dataType === 'smallint' || dataType === 'tinyint' ? int32 : { decode: Number }
    case 'Edm.Int32':
      return dataType === 'bigint' ? { decode: Number } : int32
    case 'Edm.Int64':
      return int64
    case 'Edm.Decimal':
      return { plainText: matching(canonicalDecimal) }
    case 'Edm.Double':
      return { decode: Number, plainText: matching(shortNumber) }
    case 'Edm.Guid':
      return { plainText: matching(canonicalGuid) }
    case 'Edm.DateTime':
      return {
        decode: (cell) => (cell as string).replace(' ', 'T'),
        milliseconds: (cell) => millisecondsOfText(cell as string),
      }
    case 'Edm.DateTimeOffset':
      return {
        decode: (cell) => `${(cell as string).replace(' ', 'T')}Z`,
        milliseconds: (cell) => millisecondsOfText(cell as string),
      }
    default:
      return {}
  }
}
