import { parseDecimal } from '../../../../edm/decimal.js'
import type { RelationalOperator } from '../../../../evaluation/compare-values.js'
import type { ColumnFacts } from '../../column.js'
import type { SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'

/** The maximum number of digits of a decimal. */
const MAX_DIGITS = 38
/** The number of digits of integers with 64 bits. */
const INTEGER_DIGITS = 19

interface DecimalType {
  /** The name in SQL. */
  readonly name: string
  readonly scale: number
  /** The range of the values, multiplied by `10 ** scale`. */
  readonly least: bigint
  readonly greatest: bigint
}

const integers: Readonly<Record<string, readonly [least: bigint, greatest: bigint]>> = {
  ubigint: [0n, 2n ** 64n - 1n],
  hugeint: [-(2n ** 127n), 2n ** 127n - 1n],
  uhugeint: [0n, 2n ** 128n - 1n],
}

/** Returns the type of a column of decimals or of integers with more than 63 bits. */
function decimalType({ dataType, typeArguments }: ColumnFacts): DecimalType | undefined {
  const range = integers[dataType]
  if (range !== undefined) return { name: dataType, scale: 0, least: range[0], greatest: range[1] }
  const [precision, scale = 0] = typeArguments
  if (dataType !== 'decimal' || precision === undefined) return undefined
  const greatest = 10n ** BigInt(precision) - 1n
  return { name: `decimal(${String(precision)}, ${String(scale)})`, scale, least: -greatest, greatest }
}

/** Returns a value as the type of a column; null if no column of this type can have it. */
export function storedDecimal(facts: ColumnFacts, value: unknown): Sql {
  const type = decimalType(facts)
  const found = type && scaled(String(value), type.scale)
  if (type === undefined) return sql`${parameter(String(value))}::${raw(`decimal(${MAX_DIGITS}, 0)`)}`
  const fits = found?.isExact === true && found.units >= type.least && found.units <= type.greatest
  return sql`${parameter(fits ? String(value) : null)}::${raw(type.name)}`
}

/**
 * Compares a column with a number of any size and scale. DuckDB would convert both to a common type, and fail for columns
 * whose values are out of its range.
 */
export function compareDecimal(
  operator: 'eq' | RelationalOperator,
  column: Sql,
  facts: ColumnFacts,
  value: unknown,
): Sql | undefined {
  const type = decimalType(facts)
  const found = type && scaled(String(value), type.scale)
  if (type === undefined || found === undefined) return undefined
  const { units, isExact } = found
  if (operator === 'eq' && !isExact) return sql`(${column} <> ${column})`
  const isBelow = units < type.least
  if (isBelow || units > type.greatest) {
    const holds = isBelow ? operator === 'gt' || operator === 'ge' : operator === 'lt' || operator === 'le'
    return holds ? sql`(${column} is not null)` : sql`(${column} <> ${column})`
  }
  const symbol = isExact ? symbols[operator] : operator === 'lt' || operator === 'le' ? '<=' : '>'
  const digits = formatUnits(units, type.scale)
  return sql`(${column} ${raw(symbol)} ${parameter(digits)}::${raw(type.name)})`
}

const symbols = { eq: '=', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

/** Returns the greatest multiple of `10 ** -scale` that is not greater than a number. */
function scaled(
  text: string,
  scale: number,
): { readonly units: bigint; readonly isExact: boolean } | undefined {
  const decimal = parseDecimal(text)
  if (decimal === undefined) return undefined
  const { coefficient, scale: digits } = decimal
  if (digits <= scale) return { units: coefficient * 10n ** BigInt(scale - digits), isExact: true }
  const factor = 10n ** BigInt(digits - scale)
  const rest = coefficient % factor
  const units = coefficient / factor - (rest < 0n ? 1n : 0n)
  return { units, isExact: rest === 0n }
}

function formatUnits(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return units < 0n ? `-${text}` : text
}

/** Returns the literal of a decimal; undefined if it has too many digits. */
export function decimalLiteral(text: string): Sql | undefined {
  const { whole, scale } = digitsOf(text)
  return whole + scale > MAX_DIGITS
    ? undefined
    : sql`${parameter(text)}::${raw(`decimal(${String(Math.max(1, whole + scale))}, ${String(scale)})`)}`
}

interface Digits {
  /** Before the decimal point. */
  readonly whole: number
  readonly scale: number
}

function digitsOf(text: string): Digits {
  const { coefficient, scale } = parseDecimal(text) ?? { coefficient: 0n, scale: MAX_DIGITS + 1 }
  const digits = coefficient.toString().replace('-', '').length
  return { whole: Math.max(1, digits - scale), scale: Math.max(0, scale) }
}

/** Returns true if DuckDB has a common type for two numbers that holds all their values. */
export function hasCommonType(a: SqlValue, b: SqlValue): boolean {
  if (a.type !== 'Edm.Decimal' && b.type !== 'Edm.Decimal') return true
  const [one, other] = [digitsOfValue(a), digitsOfValue(b)]
  if (one === undefined || other === undefined) return false
  const isSame =
    a.column?.facts.dataType === b.column?.facts.dataType &&
    one.whole === other.whole &&
    one.scale === other.scale
  return isSame || Math.max(one.whole, other.whole) + Math.max(one.scale, other.scale) <= MAX_DIGITS
}

function digitsOfValue({ type, column, literal, bits }: SqlValue): Digits | undefined {
  if (literal !== undefined) return digitsOf(String(literal.value))
  if (type !== 'Edm.Decimal')
    return { whole: bits === undefined || bits <= 63 ? INTEGER_DIGITS : MAX_DIGITS + 1, scale: 0 }
  if (column === undefined) return undefined
  const { dataType, typeArguments } = column.facts
  if (dataType === 'ubigint') return { whole: 20, scale: 0 }
  const [precision, scale = 0] = typeArguments
  if (dataType !== 'decimal' || precision === undefined) return { whole: MAX_DIGITS + 1, scale: 0 }
  return { whole: precision - scale, scale }
}
