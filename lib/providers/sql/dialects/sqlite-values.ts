import { integerRanges } from '../../../edm/primitive-types/integer.js'
import { integerText } from '../../../util/number-text.js'
import { hasNumbers } from '../column-fit.js'
import type { SqlDialect } from '../dialect.js'
import { raw, sql } from '../sql-text.js'
import type { Column } from '../column.js'

/** The greatest integer up to which JavaScript numbers are exact. */
const EXACT_LIMIT = raw(String(Number.MAX_SAFE_INTEGER))
/** The cells of SQLite: how they are selected, and how they are converted. Each cell has a type of its own. */
export const sqliteCells: Pick<SqlDialect, 'selected' | 'reader' | 'plainText'> = {
  selected(column, reference) {
    const { type } = column
    // Columns without text affinity, such as `json`, have converted digits to numbers.
    if (type === 'Edm.String' && hasNumbers(column)) return sql`cast(${reference} as text)`
    // The driver would return the nearest JavaScript number for longer integers.
    const isExact = sql`${reference} between -${EXACT_LIMIT} and ${EXACT_LIMIT}`
    if (type === 'Edm.Int64')
      return sql`case when ${isExact} then ${reference} else cast(${reference} as text) end`
    if (type === 'Edm.Decimal') {
      return sql`case when ${isExact} or typeof(${reference}) <> 'integer' then ${reference} else cast(${reference} as text) end`
    }
    return reference
  },

  reader({ type }) {
    switch (type) {
      case 'Edm.Boolean':
        // Values other than 0 and 1 are passed on unchanged and rejected like other invalid values.
        return (value) => booleans.get(value) ?? value
      case 'Edm.Byte':
      case 'Edm.SByte':
      case 'Edm.Int16':
      case 'Edm.Int32':
        return (value) => (typeof value === 'bigint' ? Number(value) : value)
      case 'Edm.Int64':
        return (value) => (typeof value === 'number' ? String(value) : value)
      default:
        return undefined
    }
  },

  plainText({ type }) {
    switch (type) {
      case 'Edm.Boolean':
        return (cell) => (cell === 1 ? 'true' : cell === 0 ? 'false' : undefined)
      case 'Edm.Byte':
      case 'Edm.SByte':
      case 'Edm.Int16':
      case 'Edm.Int32':
        return shortInteger(...integerRanges[type])
      case 'Edm.Int64':
        return (cell) => {
          if (typeof cell === 'number') return Number.isSafeInteger(cell) ? integerText(cell) : undefined
          return typeof cell === 'string' && canonicalInteger.test(cell) ? cell : undefined
        }
      default:
        return undefined
    }
  },
}

/** Returns the {@link SqlDialect.plainText} of integers of up to 32 bits. */
function shortInteger(least: number, greatest: number): (cell: unknown) => string | undefined {
  return (cell) => {
    if (typeof cell !== 'number') return undefined
    const integer = cell | 0
    return cell === integer && integer >= least && integer <= greatest ? `${integer}` : undefined
  }
}

/** Whole numbers of up to 18 digits, which are within 64 bits, as they are serialized. */
const canonicalInteger = /^(?:0|-?[1-9]\d{0,17})$/

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [0n, false],
  [1, true],
  [1n, true],
])

const hexadecimal = '[0-9a-fA-F]'
const guid = [8, 4, 4, 4, 12].map((count) => hexadecimal.repeat(count)).join('-')
const day = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'

/**
 * Returns the SQL condition for stored values that are valid for the type of a property. It is true or false for all
 * values but null.
 *
 * @param r the SQL reference of the column
 */
export function isValidValue(column: Column, r: string): string {
  const { type } = column
  const isText = `typeof(${r}) = 'text' and length(${r}) = length(cast(${r} as blob))`
  switch (type) {
    case 'Edm.Boolean':
      return `(typeof(${r}) = 'integer' and ${r} in (0, 1))`
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32': {
      const [least, greatest] = integerRanges[type]
      return `(typeof(${r}) = 'integer' and ${r} between ${String(least)} and ${String(greatest)})`
    }
    case 'Edm.Int64':
      return `(typeof(${r}) = 'integer')`
    case 'Edm.Double':
    case 'Edm.Single':
      return `(typeof(${r}) in ('integer', 'real'))`
    case 'Edm.Decimal':
      return `(typeof(${r}) = 'integer' or typeof(${r}) = 'real' and abs(${r}) < 9e999 or ${isText} and ${isDigits(r)})`
    case 'Edm.String':
      return hasNumbers(column) ? `(typeof(${r}) <> 'blob')` : `(typeof(${r}) = 'text')`
    case 'Edm.Binary':
      return `(typeof(${r}) = 'blob')`
    case 'Edm.Guid':
      return `(typeof(${r}) = 'text' and ${r} glob '${guid}')`
    case 'Edm.Time':
      return `(${isText} and ${isClock(r)})`
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return `(${isText} and ${isDate(r)})`
  }
}

function isDigits(r: string): string {
  return (
    `${r} not glob '*[^-0-9.]*' and ${r} not glob '*.*.*' and ${r} not glob '?*-*' and ${r} glob '*[0-9]' ` +
    `and (${r} glob '[0-9]*' or ${r} glob '-[0-9]*')`
  )
}

function isDate(r: string): string {
  // SQLite accepts the 31st of every month and returns another date.
  const isDay = `substr(${r}, 1, 10) glob '${day}' and date(substr(${r}, 1, 10)) = substr(${r}, 1, 10) and substr(${r}, 1, 4) >= '0001'`
  const time = `substr(${r}, 12)`
  const withoutZone = `case when ${time} glob '*Z' then substr(${time}, 1, length(${time}) - 1) when ${time} glob '*+00:00' then substr(${time}, 1, length(${time}) - 6) else ${time} end`
  return `${isDay} and (length(${r}) = 10 or substr(${r}, 11, 1) in ('T', ' ') and ${isClock(`(${withoutZone})`)})`
}

/** Returns the condition for a time of day with up to seven fraction digits. */
function isClock(r: string): string {
  const clock = '[0-2][0-9]:[0-5][0-9]'
  const isWhole = `${r} glob '${clock}' or ${r} glob '${clock}:[0-5][0-9]'`
  const isFraction = `${r} glob '${clock}:[0-5][0-9].[0-9]*' and length(${r}) <= 16 and substr(${r}, 10) not glob '*[^0-9]*'`
  return `substr(${r}, 1, 2) < '24' and (${isWhole} or ${isFraction})`
}
