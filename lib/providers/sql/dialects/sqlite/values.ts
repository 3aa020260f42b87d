import { earliest, latest } from '../../../../edm/instant.js'
import { integerRanges } from '../../../../edm/primitive-types/integer.js'
import { integerText } from '../../../../util/number-text.js'
import type { SqlDialect, ValueKind } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { raw, sql } from '../../sql-text.js'
import type { Column } from '../../column.js'
import { hasNumbers, isUntyped } from './column-types.js'
import { dateReader, hasOffset, splitOffset } from '../shared/text-dates.js'

/** The greatest integer up to which JavaScript numbers are exact. */
const EXACT_LIMIT = raw(String(Number.MAX_SAFE_INTEGER))
/** The cells of SQLite: how they are selected, and how they are converted. Each cell has a type of its own. */
export const sqliteCells: Pick<SqlDialect, 'selected' | 'reader' | 'plainText'> = {
  selected(column, reference) {
    const { type } = column
    // The driver would return the nearest JavaScript number for longer integers.
    const isExact = sql`${reference} between -${EXACT_LIMIT} and ${EXACT_LIMIT}`
    if (type === 'Edm.Int64')
      return sql`case when ${isExact} then ${reference} else cast(${reference} as text) end`
    if (type === 'Edm.Decimal') {
      return sql`case when ${isExact} or typeof(${reference}) <> 'integer' then ${reference} else cast(${reference} as text) end`
    }
    return readable(column, reference)
  },

  reader(column) {
    const { type } = column
    switch (type) {
      case 'Edm.DateTime':
      case 'Edm.DateTimeOffset':
        return dateReader(type, column)
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

/**
 * Returns the expression for the string or bytes that a column shows. Values of the wrong type stay as they are, and are
 * rejected like other invalid values.
 */
export function readable(column: Column, reference: Sql): Sql {
  const { type, facts } = column
  if (type === 'Edm.Binary' && isUntyped(facts)) return sql`cast(${reference} as blob)`
  if (type !== 'Edm.String' || !hasNumbers(column)) return reference
  const bytes =
    column.hasBinaryJson === true
      ? sql`case when json_valid(${reference}, 8) then json(${reference}) else ${reference} end`
      : reference
  return sql`(case when typeof(${reference}) = 'blob' then ${bytes} else cast(${reference} as text) end)`
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
export function isValidValue(kind: ValueKind, r: string): string | undefined {
  const { type, facts, hasMilliseconds, hasBinaryJson } = kind
  if (facts.isRowId === true && type === 'Edm.Int64') return undefined
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
      if (!hasNumbers(kind)) return `(typeof(${r}) = 'text')`
      return `(typeof(${r}) <> 'blob'${hasBinaryJson === true ? ` or json_valid(${r}, 8)` : ''})`
    case 'Edm.Binary':
      return isUntyped(facts) ? '(1 = 1)' : `(typeof(${r}) = 'blob')`
    case 'Edm.Guid':
      return `(typeof(${r}) = 'text' and ${r} glob '${guid}')`
    case 'Edm.Time':
      return `(${isText} and ${isClock(r, 7)})`
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return `(${isText} and ${isDate(r)}${hasMilliseconds === true ? ` or ${isMilliseconds(r)}` : ''})`
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
  const time = (date: string): string =>
    `(length(${date}) = 10 or substr(${date}, 11, 1) in ('T', ' ') and ${isClock(`substr(${date}, 12)`, 12)})`
  const { local, offset } = splitOffset(r)
  const isOffset = `abs(substr(${offset}, 1, 3)) * 60 + substr(${offset}, 5) <= 840 and substr(${offset}, 5) < '60'`
  return `${isDay} and case when ${hasOffset(r)} then length(${local}) > 10 and ${time(local)} and ${isOffset} when ${r} glob '*Z' then ${time(`substr(${r}, 1, length(${r}) - 1)`)} else ${time(r)} end`
}

/** Returns the condition for milliseconds in the years 1 to 9999. */
function isMilliseconds(r: string): string {
  return `typeof(${r}) = 'integer' and ${r} between ${String(earliest)} and ${String(latest)}`
}

/** Returns the condition for a time of day. @param digits the maximum number of fraction digits */
function isClock(r: string, digits: number): string {
  const clock = '[0-2][0-9]:[0-5][0-9]'
  const isWhole = `${r} glob '${clock}' or ${r} glob '${clock}:[0-5][0-9]'`
  const isFraction = `${r} glob '${clock}:[0-5][0-9].[0-9]*' and length(${r}) <= ${String(9 + digits)} and substr(${r}, 10) not glob '*[^0-9]*'`
  return `substr(${r}, 1, 2) < '24' and (${isWhole} or ${isFraction})`
}
