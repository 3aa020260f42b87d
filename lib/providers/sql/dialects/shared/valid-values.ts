import { INT64_RANGE, integerRanges } from '../../../../edm/primitive-types/integer.js'
import type { IntegerTypeName } from '../../../../edm/primitive-types/integer.js'
import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from '../../column.js'
import type { IsValidValue, ValueKind } from '../../dialect.js'

const guid = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

/**
 * Returns the SQL condition for values of PostgreSQL that are valid for their property. Times can be infinite, before
 * the year 1 or after 9999, and 24:00; decimal numbers can be infinite or NaN, whose difference with itself is NaN.
 */
export const isValidInPostgres: IsValidValue = (column, r) => {
  const { type, facts } = column
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset': {
      const zone = facts.dataType === 'timestamptz' ? ' 00:00Z' : ''
      return `(${r} >= '0001-01-01${zone}' and ${r} < '10000-01-01${zone}')`
    }
    case 'Edm.Time':
      return `(${r} < '24:00')`
    case 'Edm.Decimal':
      return facts.dataType === 'numeric' ? `(${r} - ${r} = 0)` : undefined
    case 'Edm.Guid':
      return facts.dataType === 'uuid' ? undefined : `(${r} ~ '${guid}')`
    default:
      return isInRange(column, r)
  }
}

/**
 * Returns the SQL condition for values of MySQL and MariaDB that are valid for their property. Dates can be zero, have
 * a month or a day that is zero, or be the 31st of every month; times can be negative and longer than a day.
 */
export const isValidInMysql: IsValidValue = (column, r) => {
  const { type, facts } = column
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return `(${r} >= '0001-01-01' and dayofmonth(${r}) > 0 and (dayofmonth(${r}) <= dayofmonth(last_day(${r}))) is true)`
    case 'Edm.Time':
      return `(${r} between '00:00:00' and '23:59:59.999999')`
    case 'Edm.Guid':
      return facts.dataType === 'uuid' ? undefined : `(${r} regexp '${guid}')`
    default:
      return isInRange(column, r)
  }
}

/** Integer columns with the number of their bits. */
const integerBits: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  bigint: 64,
  year: 12,
  int2: 16,
  int4: 32,
  int8: 64,
}

/** Returns the condition for integers that are within the range of their property; undefined if all are. */
function isInRange({ type, facts }: ValueKind, r: string): string | undefined {
  if (!isInteger(type)) return undefined
  const [least, greatest] = integerRanges[type as IntegerTypeName] ?? INT64_RANGE
  const [lowest, highest] = rangeOf(facts)
  if (lowest >= least && highest <= greatest) return undefined
  return `(${r} between ${String(least)} and ${String(greatest)})`
}

function rangeOf({ dataType, isUnsigned }: ColumnFacts): readonly [least: bigint, greatest: bigint] {
  const bits = BigInt(integerBits[dataType] ?? 64)
  return isUnsigned === true ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
}
