import { parseDecimal } from '../../../edm/decimal.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { Column } from '../column.js'
import type { SqlDialect } from '../dialect.js'
import type { Sql } from '../sql-text.js'
import { joined, parameter, raw, sql } from '../sql-text.js'
import type { SqlValue } from '../sql-value.js'
import { limitClause } from './limit-clause.js'
import { callMysqlFunction } from './mysql-functions.js'
import { mysqlWrites } from './mysql-writes.js'
import { isTextDate, paddedDate, formattedDate } from './text-dates.js'
import type { TextDate } from './text-dates.js'
import { bitLength, bitsOfResult, isWhole } from './whole-numbers.js'

const largest = 2n ** 63n
/** What the longest decimal can hold: 65 digits, 30 of them behind the point. */
const wholeDigits = 35
const fractionDigits = 30

const wholeColumns = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'year']
const dateColumns = ['datetime', 'timestamp', 'date']

/** The types of columns in which a value of a type can be compared. */
const columnTypes: Readonly<Record<PrimitiveTypeName, readonly string[]>> = {
  'Edm.Binary': ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
  'Edm.Boolean': ['tinyint'],
  'Edm.Byte': wholeColumns,
  'Edm.SByte': wholeColumns,
  'Edm.Int16': wholeColumns,
  'Edm.Int32': wholeColumns,
  'Edm.Int64': wholeColumns,
  'Edm.Decimal': ['decimal', ...wholeColumns],
  'Edm.Double': ['double'],
  'Edm.Single': ['float'],
  'Edm.String': ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum'],
  'Edm.Guid': ['uuid', 'char', 'varchar'],
  'Edm.DateTime': dateColumns,
  'Edm.DateTimeOffset': ['timestamp', 'datetime'],
  'Edm.Time': ['time'],
}

const castTypes = {
  'Edm.DateTime': 'datetime(6)',
  'Edm.DateTimeOffset': 'datetime(6)',
  'Edm.Time': 'time(6)',
} as const

/**
 * MySQL and MariaDB. What is equal there depends on collations, which do not tell upper from lower case and leave
 * blanks at the end out: texts are compared as bytes beside that.
 */
export const mysql: SqlDialect = {
  name: 'mysql',
  returns: false,
  writes: mysqlWrites,
  maximumParameters: 60_000,
  quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
  placeholder: () => '?',

  selected(column, reference) {
    switch (column.type) {
      case 'Edm.Int64':
      case 'Edm.Decimal':
        return sql`cast(${reference} as char)`
      case 'Edm.DateTime':
      case 'Edm.DateTimeOffset':
      case 'Edm.Time':
        return sql`cast(${inUtc(column, reference)} as char)`
      case 'Edm.String':
        // The driver would parse it.
        return column.facts.dataType === 'json' ? sql`cast(${reference} as char)` : reference
      case 'Edm.Single':
        // As itself, it would be shown with six digits.
        return sql`cast(${reference} as double)`
      default:
        return reference
    }
  },

  reader({ type }) {
    switch (type) {
      case 'Edm.Boolean':
        return (value) => value === 1 || value === true
      case 'Edm.DateTime':
        return (value) => (value as string).replace(' ', 'T')
      case 'Edm.DateTimeOffset':
        return (value) => `${(value as string).replace(' ', 'T')}Z`
      default:
        return undefined
    }
  },

  stored(column, value) {
    const { type } = column
    if (value === null || value === undefined) return parameter(null)
    if (isTextDate(type)) return storedTime(column, formattedDate(value, type))
    if (type === 'Edm.Boolean') return raw(value === true ? '1' : '0')
    if (type === 'Edm.Binary') return parameter(Buffer.from(value as Uint8Array))
    if (type === 'Edm.Double' || type === 'Edm.Single') return parameter(value)
    return parameter((value as string | number | bigint).toString())
  },

  equal({ type }, left, right) {
    const isText = type === 'Edm.String' || type === 'Edm.Guid'
    // The first of the two uses an index.
    return isText
      ? sql`(${left} = ${right} and ${bytesOf(left)} = ${bytesOf(right)})`
      : sql`${left} = ${right}`
  },

  comparable(value, type) {
    if (value.literal?.exact === false) return undefined
    if (value.column !== undefined && !columnTypes[value.column.type].includes(value.column.facts.dataType))
      return undefined
    if (value.type !== type && value.type !== null) return promoted(value, type)
    if (type === 'Edm.String' || type === 'Edm.Guid') return bytesOf(value.sql)
    return value.column === undefined ? value.sql : inUtc(value.column, value.sql)
  },

  literal(value, type) {
    const literal = (form: Sql, exact = true): SqlValue => ({
      sql: form,
      type,
      nullable: false,
      literal: { value, exact },
    })
    if (isTextDate(type)) return timeLiteral(paddedDate(value, type), type, literal)
    switch (type) {
      case 'Edm.Decimal':
        return decimalLiteral(value as string, literal)
      case 'Edm.Double':
      case 'Edm.Single':
        return Number.isFinite(value) ? literal(sql`cast(${parameter(value)} as double)`) : undefined
      case 'Edm.String':
      case 'Edm.Guid':
        return literal(bytesOf(parameter(value)))
      case 'Edm.Boolean':
        return literal(raw(value === true ? '1' : '0'))
      case 'Edm.Binary':
        return literal(parameter(Buffer.from(value as Uint8Array)))
      default: {
        const whole = BigInt(value as number | bigint)
        if (whole >= largest || whole < -largest) return undefined
        return { ...literal(raw(`(${String(whole)})`)), bits: bitLength(whole) }
      }
    }
  },

  columnComparison(operator, { sql: column, column: described, type: columnType }, value, type) {
    if (operator !== 'eq' || columnType !== type || described === undefined) return undefined
    if (type !== 'Edm.String' || !columnTypes[type].includes(described.facts.dataType)) return undefined
    return mysql.equal(described, column, parameter(value))
  },

  isSame: (left, right) => sql`(${left} <=> ${right})`,

  call: (name, parameters) => callMysqlFunction(name, parameters, bytesOf),

  arithmetic(operator, left, right, type) {
    const bits = bitsOfResult(operator, left, right)
    // Beyond 64 bits there is an error instead of a number.
    if (bits === undefined || bits > 63 || !isWhole(type)) return undefined
    const depth = Math.max(left.depth ?? 0, right.depth ?? 0) + 1
    if (depth > deepest) return undefined
    const divides = operator === 'div' || operator === 'mod'
    const [a, b] = [left, right].map(({ sql: operand }) => sql`cast(${operand} as signed)`)
    if (a === undefined || b === undefined) return undefined
    const other = divides ? sql`nullif(${b}, 0)` : b
    const nullable = left.nullable || right.nullable || divides
    return { sql: sql`(${a} ${raw(symbols[operator])} ${other})`, type, nullable, bits, depth }
  },

  orderTerm: (comparable, _nullable, descending) => (descending ? sql`${comparable} desc` : comparable),

  page: (limit, offset) => limitClause(limit, offset, '18446744073709551615'),

  sourceRows(rows, columns) {
    const selects = rows.map((row, index) => {
      const values = row.map((value, place) =>
        index === 0 ? sql`${value} as ${raw(columns[place] ?? '')}` : value,
      )
      return sql`select ${joined([raw(index === 0 ? '0 as n' : String(index)), ...values], ', ')}`
    })
    return sql`(${joined(selects, ' union all ')}) as source`
  },
}

/** So many calculations within one another have room on the stack of a thread, with which servers are sparing. */
const deepest = 100

const symbols = { add: '+', sub: '-', mul: '*', div: 'div', mod: 'mod' } as const

function bytesOf(text: Sql): Sql {
  return sql`cast(convert(${text} using utf8mb4) as binary)`
}

/** A timestamp is shown in the zone of the connection. */
function inUtc({ type, facts: { dataType } }: Column, reference: Sql): Sql {
  return dataType === 'timestamp' && isTextDate(type)
    ? sql`convert_tz(${reference}, @@session.time_zone, '+00:00')`
    : reference
}

/** A time of the library as a parameter that the column can hold. */
function storedTime({ type, facts: { dataType, typeArguments } }: Column, text: string): Sql {
  if (!isTextDate(type)) return parameter(text)
  const [whole = '', fraction = ''] = text.replace('T', ' ').replace('Z', '').split('.')
  // Digits that the column does not keep are cut off: MySQL would round, and make 24:00 of the last moment of a day.
  const kept = fraction.slice(0, typeArguments[0] ?? 0)
  const value = sql`cast(${parameter(kept === '' ? whole : `${whole}.${kept}`)} as ${raw(castTypes[type])})`
  return dataType === 'timestamp' ? sql`convert_tz(${value}, '+00:00', @@session.time_zone)` : value
}

function timeLiteral(
  text: string,
  type: TextDate,
  literal: (form: Sql, exact: boolean) => SqlValue,
): SqlValue {
  // The seventh digit of a second is one too many; without it the time is the next lower one there can be.
  const form = sql`cast(${parameter(text.slice(0, -1).replace('T', ' '))} as ${raw(castTypes[type])})`
  return literal(form, text.endsWith('0'))
}

function decimalLiteral(digits: string, literal: (form: Sql) => SqlValue): SqlValue | undefined {
  const decimal = parseDecimal(digits)
  if (decimal === undefined) return undefined
  const text = decimal.toString()
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  if (whole.length > wholeDigits || fraction.length > fractionDigits) return undefined
  return literal(sql`cast(${parameter(text)} as decimal(65, 30))`)
}

/** A value of another type than the one in which both sides are compared. */
function promoted(value: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (type === 'Edm.Double') return sql`cast(${value.sql} as double)`
  if (type === 'Edm.Single') return undefined
  return isWhole(value.type) && (isWhole(type) || type === 'Edm.Decimal') ? value.sql : undefined
}
