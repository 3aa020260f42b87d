import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import { parseDecimal } from '../../../../edm/decimal.js'
import type { Column, ColumnFacts } from '../../column.js'
import type { ExactSumSql, OrderKey } from '../../dialect.js'
import { impossiblePosition } from '../../seek-condition.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'

/** The number of decimal digits that a floating-point number always represents exactly. */
const MAX_EXACT_DIGITS = 15
/** Sums of the upper and of the lower bits do not overflow. */
const LOW_BITS = 31n
const LOW_MASK = 2n ** LOW_BITS - 1n
const INT64_LIMIT = 2n ** 63n

/**
 * Returns the sum of a column of SQLite. Decimals are added as integers: the database has no decimal numbers. Values
 * with more digits than a floating-point number represents exactly, or of another type, are `unsure`.
 */
export function sqliteSum({ property, type }: Column, reference: Sql): ExactSumSql | undefined {
  if (isInteger(type)) {
    const unsure = sql`max(typeof(${reference}) not in ('integer', 'null'))`
    return scaledSum(reference, 0, unsure)
  }
  const { scale } = property
  if (type !== 'Edm.Decimal' || scale === undefined || scale >= MAX_EXACT_DIGITS) return undefined
  const factor = raw(`1e${String(scale)}`)
  const rounded = sql`round(${reference} * ${factor})`
  const isNumber = sql`(typeof(${reference}) in ('integer', 'real') or (length(${reference}) <= 16 and ${reference} not glob '*[^0-9.-]*' and ${reference} glob '*[0-9]*'))`
  const isExact = sql`(${isNumber} and abs(${rounded}) < ${raw(`1e${String(MAX_EXACT_DIGITS)}`)} and cast(${reference} as real) = ${rounded} / ${factor})`
  const unsure = sql`max(case when ${reference} is null or ${isExact} then 0 else 1 end)`
  return scaledSum(sql`cast(${rounded} as integer)`, scale, unsure)
}

/** Returns the sum of integers, each a value multiplied by `10 ** scale`. */
function scaledSum(integer: Sql, scale: number, unsure: Sql): ExactSumSql {
  const [bits, mask] = [raw(String(LOW_BITS)), raw(String(LOW_MASK))]
  const high = sql`sum(${integer} >> ${bits})`
  const low = sql`sum(${integer} & ${mask})`
  const key = (keySql: Sql, part: (value: bigint) => bigint): OrderKey => ({
    sql: keySql,
    nullable: true,
    literal: (at) => raw(`(${String(part(scaledValue(at, scale)))})`),
  })
  return {
    parts: [
      { sql: high, factor: 2n ** LOW_BITS },
      { sql: low, factor: 1n },
    ],
    scale,
    digits: (part) => sql`cast(${part} as text)`,
    unsure,
    digitsAfterPoint: scale,
    orderKeys: [
      key(sql`(${high} + (${low} >> ${bits}))`, (value) => value >> LOW_BITS),
      key(sql`(${low} & ${mask})`, (value) => value & LOW_MASK),
    ],
  }
}

/** Returns a number multiplied by `10 ** scale`; further digits are ignored. */
function scaledValue(value: unknown, scale: number): bigint {
  const decimal = parseDecimal(String(value))
  if (decimal === undefined) throw impossiblePosition()
  const { coefficient, scale: digits } = decimal
  const scaled =
    digits <= scale
      ? coefficient * 10n ** BigInt(scale - digits)
      : coefficient / 10n ** BigInt(digits - scale)
  if (scaled >= INT64_LIMIT << LOW_BITS || scaled < -INT64_LIMIT << LOW_BITS) throw impossiblePosition()
  return scaled
}

/** Returns the sum of a column of PostgreSQL, which is exact for integers and decimals. */
export function postgresSum({ facts, type }: Column, reference: Sql): ExactSumSql | undefined {
  if (!isInteger(type) && type !== 'Edm.Decimal') return undefined
  return exactSum(sql`sum(${reference})`, {
    digits: (part) => sql`${part}::text`,
    digitsAfterPoint: digitsAfterPoint(facts, 'numeric'),
    literal: (at) => sql`${parameter(String(at))}::numeric`,
  })
}

/** The precision of sums of MySQL and MariaDB exceeds that of their values by this number of digits. */
const ADDED_DIGITS = 22
const MAX_MYSQL_DIGITS = 65

/** Returns the sum of a column of MySQL and MariaDB, which is a decimal. */
export function mysqlSum({ facts, type }: Column, reference: Sql): ExactSumSql | undefined {
  const [precision = 10, scale = 0] = facts.typeArguments
  const isDecimal = type === 'Edm.Decimal' && facts.dataType === 'decimal'
  if (isDecimal && precision + ADDED_DIGITS > MAX_MYSQL_DIGITS) return undefined
  if (!isDecimal && !(mysqlIntegers.has(facts.dataType) && (isInteger(type) || type === 'Edm.Decimal')))
    return undefined
  const digits = isDecimal ? scale : 0
  return exactSum(sql`sum(${reference})`, {
    digits: (part) => sql`cast(${part} as char)`,
    digitsAfterPoint: digits,
    literal: (at) => sql`cast(${parameter(String(at))} as decimal(65, ${raw(String(digits))}))`,
  })
}

const mysqlIntegers: ReadonlySet<string> = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'bigint'])

function exactSum(
  sum: Sql,
  {
    digits,
    digitsAfterPoint,
    literal,
  }: Pick<ExactSumSql, 'digits' | 'digitsAfterPoint'> & Pick<OrderKey, 'literal'>,
): ExactSumSql {
  return {
    parts: [{ sql: sum, factor: 1n }],
    scale: 0,
    digits,
    unsure: undefined,
    digitsAfterPoint,
    orderKeys: [{ sql: sum, nullable: true, literal }],
  }
}

function digitsAfterPoint({ dataType, typeArguments }: ColumnFacts, decimalType: string): number | undefined {
  if (dataType !== decimalType) return 0
  const [precision, scale = 0] = typeArguments
  return precision === undefined ? undefined : scale
}

const sqliteTypes: ReadonlySet<PrimitiveTypeName> = new Set([
  'Edm.Boolean',
  'Edm.Byte',
  'Edm.DateTime',
  'Edm.Decimal',
  'Edm.Guid',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
  'Edm.SByte',
  'Edm.String',
])

/** Returns the group key of a column; undefined for values that the service groups differently. */
export function sqliteGroupKey({ type }: Column, comparable: Sql): Sql | undefined {
  return sqliteTypes.has(type) ? comparable : undefined
}

/**
 * Returns the SQL by which a column is grouped; undefined for floating-point numbers, whose NaN and -0 the service
 * groups in its own way, and for binary values.
 */
export function postgresGroupKey({ type }: Column, comparable: Sql): Sql | undefined {
  return type === 'Edm.Double' || type === 'Edm.Single' || type === 'Edm.Binary' ? undefined : comparable
}

/** MySQL sorts by the first 1,024 bytes of longer strings, and characters have up to 4 bytes. */
const MAX_MYSQL_CHARACTERS = 256

/**
 * Returns the SQL by which a column is grouped: strings are grouped as bytes. Undefined for types that the service
 * groups.
 */
export function mysqlGroupKey({ facts, type }: Column, comparable: Sql): Sql | undefined {
  switch (type) {
    case 'Edm.String':
      return (facts.typeArguments[0] ?? Number.POSITIVE_INFINITY) <= MAX_MYSQL_CHARACTERS
        ? comparable
        : undefined
    case 'Edm.Guid':
      return facts.dataType === 'uuid' ? comparable : undefined
    case 'Edm.Double':
    case 'Edm.Single':
    case 'Edm.Binary':
      return undefined
    default:
      return comparable
  }
}

export function mysqlGroupValue({ type }: Column, key: Sql): Sql {
  switch (type) {
    case 'Edm.String':
    case 'Edm.Guid':
      return sql`convert(${key} using utf8mb4)`
    case 'Edm.Int64':
    case 'Edm.Decimal':
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
    case 'Edm.Time':
      return sql`cast(${key} as char)`
    default:
      return key
  }
}
