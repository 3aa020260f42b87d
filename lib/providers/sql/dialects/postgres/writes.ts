import { lengthOf } from '../../../../edm/check-value.js'
import { Decimal, parseDecimal } from '../../../../edm/decimal.js'
import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column, ColumnFacts } from '../../column.js'
import { sql } from '../../sql-text.js'
import type { WriteDialect } from '../../write-dialect.js'
import { jsonError, notOneOf } from '../shared/allowed-strings.js'
import { lostDigits } from '../shared/column-facets.js'

/**
 * Rows that a change depends on are locked until its end. Each statement sees all changes that were committed before
 * it.
 */
export const postgresWrites: WriteDialect = {
  async begin(run) {
    const [row] = await run(sql`select current_setting('default_transaction_isolation') as "level"`)
    // With repeatable read, changes would miss rows that other transactions committed after the first statement.
    return [row?.level === 'serializable' ? sql`begin` : sql`begin isolation level read committed`]
  },
  failureEndsTransaction: true,
  returnsBeforeTriggers: true,
  generatesValidValues,
  lockToChange: ' for no key update of t0',
  lockToRemove: ' for update of t0',
  lockToKeep: ' for key share',
  derivesOwnTable: false,
  insertUnlessTaken: ['insert into', ' on conflict do nothing'],
  ignoresErrors: false,
  requestTable: [
    'create table if not exists odata_requests (id text primary key, expires bigint not null, response text not null)',
    'create index if not exists odata_requests_expires on odata_requests (expires)',
  ],
  defaultRow: ' default values',
  transactionCheck: {
    // Fails outside of transactions, and within those that a failed statement has aborted.
    statement: sql`savepoint before_commit`,
    isOpen: (error) => error === undefined,
  },
  isRolledBack: (error) => (error as { readonly code?: unknown }).code === ABORTED_TRANSACTION,
}

/** Code of the error of statements after one that has failed. */
const ABORTED_TRANSACTION = '25P02'

/** Column types whose values are all valid for a type of the model. */
const validTypes: Partial<Record<PrimitiveTypeName, readonly string[]>> = {
  'Edm.Boolean': ['bool'],
  'Edm.Guid': ['uuid'],
  'Edm.Int16': ['int2'],
  'Edm.Int32': ['int2', 'int4'],
  'Edm.Int64': ['int2', 'int4', 'int8'],
  'Edm.String': ['text', 'varchar'],
}

/**
 * Returns true if generated values are valid. Times and numbers can be infinite, except the current time and literals.
 */
function generatesValidValues({ type, facts }: Column): boolean {
  const { dataType, defaultText = '' } = facts
  if (validTypes[type]?.includes(dataType) === true) return true
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return /^(?:now\(\)|CURRENT_TIMESTAMP|LOCALTIMESTAMP)(?:\(\d\))?$/.test(defaultText)
    case 'Edm.Decimal':
    case 'Edm.Double':
      return /^'?\d{1,9}(?:\.\d{1,4})?'?(?:::[a-z ]+)?$/.test(defaultText)
    default:
      return false
  }
}

/** The number of bits of integer columns, without the sign. */
const bits: Readonly<Record<string, bigint>> = { int2: 15n, int4: 31n, int8: 63n }

const checkedTypes: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'citext'])

/** Returns why a column cannot store a value: the database would round it, or its error would not name the column. */
export function postgresMisfit({ facts }: Column, value: unknown): string | undefined {
  const { dataType, isJson, members, typeArguments } = facts
  if (typeof value === 'string' && value.includes('\0'))
    return 'the database cannot store the character U+0000'
  const size = bits[dataType]
  if (size !== undefined)
    return isWithin(value, size) ? lostDigits(0, value) : 'the number is out of range for the database'
  if (typeof value === 'string' && isJson === true) return jsonError(value)
  // Other columns with members have a check.
  const isEnumeration = members !== undefined && !checkedTypes.has(dataType)
  if (isEnumeration && !members.includes(String(value))) return notOneOf(members)
  const lost = typeof value === 'string' ? lostInString(facts, value) : undefined
  if (lost !== undefined) return lost
  const [length, scale] = typeArguments
  if (scale !== undefined) return lostDigits(scale, value)
  if (length === undefined || typeof value !== 'string') return undefined
  if ((dataType === 'varchar' || dataType === 'bpchar') && lengthOf(value) > length) {
    return `it is longer than the ${String(length)} characters that the database can store`
  }
  return undefined
}

/** The length of identifiers. */
const MAX_NAME_BYTES = 63

/** Returns why a column would store another string, without an error. */
function lostInString({ dataType, fractionDigits, parts }: StringFacts, value: string): string | undefined {
  const bytes = Buffer.byteLength(value)
  if (dataType === 'name' && bytes > MAX_NAME_BYTES)
    return `it is longer than the ${String(MAX_NAME_BYTES)} bytes that the database can store`
  if (dataType === 'char' && bytes > 1 && !/^\\[0-7]{3}$/.test(value)) return 'the database stores one byte'
  if (parts !== undefined) return firstLost(parts, dataType.startsWith('_') ? itemsOf(value) : [value])
  if (fractionDigits === undefined) return undefined
  if (dataType === 'interval' || dataType === '_interval') return lostInInterval(fractionDigits, value)
  for (const [number] of roundedNumbers(dataType, value)) {
    const lost = lostDigits(fractionDigits, `0${number}`)
    if (lost !== undefined) return lost
  }
  return undefined
}

type StringFacts = Pick<ColumnFacts, 'dataType' | 'fractionDigits' | 'parts'>

/** @param rows composite values such as `(1.5,"a b",)` */
function firstLost(parts: readonly StringFacts[], rows: readonly string[]): string | undefined {
  for (const row of rows) {
    const values = itemsOf(row.trim().slice(1, -1))
    for (const [index, part] of parts.entries()) {
      const lost = lostInString(part, values[index] ?? '')
      if (lost !== undefined) return lost
    }
  }
  return undefined
}

/** Returns the items of a list such as `1,"a ""b""",`, or `{1,"a b"}`, without their quotes. */
function itemsOf(list: string): readonly string[] {
  return Array.from(
    list.matchAll(/(?<=^|[,{])(?:\s*"((?:[^"\\]|\\.|"")*)"|([^,{}]*))/gs),
    ([, quoted, plain = '']) =>
      quoted === undefined ? plain : quoted.replace(/\\(.)|""/gs, (_, escaped?: string) => escaped ?? '"'),
  )
}

const numberSource = String.raw`(?<![\d.])(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?(?![\d.])`
const numbers = new RegExp(numberSource, 'gi')
/** Dates can contain points too: `02.03.2024`. */
const secondsOfTimes = /(?<=:\d{1,2}|\d{6})\.\d+/g

/** Finds the numbers in a string whose fractions the database rounds. */
function roundedNumbers(dataType: string, value: string): Iterable<RegExpExecArray> {
  switch (dataType) {
    case 'numeric':
    case '_numeric':
    case '_money':
      return value.matchAll(numbers)
    case 'money':
      // In locales with decimal commas, points separate thousands: `1.234,50 €`.
      return value.slice(value.lastIndexOf(',') + 1).matchAll(numbers)
    default:
      return value.matchAll(secondsOfTimes)
  }
}

const numbersWithUnits = new RegExp(String.raw`(${numberSource})\s*([a-z]*)`, 'gi')
/** Before `T`, `M` are months: `P1MT1M`. */
const monthsOfPeriod = /^\s*[+-]?p[^t]*?\dm/i

/** Units of intervals in months, or in seconds as a factor and a scale. The first matching prefix of a unit applies. */
const units: readonly (readonly [prefix: string, months: bigint, seconds: bigint, scale?: number])[] = [
  ['us', 0n, 1n, 6],
  ['micro', 0n, 1n, 6],
  ['ms', 0n, 1n, 3],
  ['millis', 0n, 1n, 3],
  ['mil', 12_000n, 0n],
  ['mon', 0n, 2_592_000n],
  ['m', 0n, 60n],
  ['h', 0n, 3600n],
  ['dec', 120n, 0n],
  ['d', 0n, 86_400n],
  ['w', 0n, 604_800n],
  ['q', 3n, 0n],
  ['y', 12n, 0n],
  ['c', 1200n, 0n],
  ['', 0n, 1n],
]

/** In characters, for a number of an interval: PostgreSQL stores at most 16 digits, and long numbers take long to check. */
const MAX_NUMBER_LENGTH = 100

/** Fractions of years are rounded to months, and those of months and shorter units continue in days and seconds. */
function lostInInterval(fractionDigits: number, value: string): string | undefined {
  const endOfMonths = monthsOfPeriod.exec(value)?.[0].length
  for (const { 0: match, 1: number = '', 2: unit = '', index } of value.matchAll(numbersWithUnits)) {
    if (number.length > MAX_NUMBER_LENGTH)
      return `its numbers must have at most ${String(MAX_NUMBER_LENGTH)} characters`
    const decimal = parseDecimal(`0${number}`)
    if (decimal === undefined) continue
    // The unit of `P1MT1H` is read as `MT`.
    const isMonth = endOfMonths === index + match.length - unit.length + 1
    const name = isMonth ? 'mon' : unit.toLowerCase()
    const [, months, seconds, scale = 0] = units.find(([prefix]) => name.startsWith(prefix)) ?? ['', 0n, 1n]
    const { coefficient, scale: digits } = decimal
    if ((coefficient * months) % 10n ** BigInt(digits) !== 0n) return 'the database stores whole months'
    const lost = lostDigits(fractionDigits, new Decimal(coefficient * seconds, digits + scale).toString())
    if (lost !== undefined) return lost
  }
  return undefined
}

function isWithin(value: unknown, size: bigint): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string') return true
  if (typeof value === 'number' ? !Number.isInteger(value) : !/^-?\d+$/.test(String(value))) return true
  const whole = BigInt(value)
  return whole >= -(1n << size) && whole < 1n << size
}
