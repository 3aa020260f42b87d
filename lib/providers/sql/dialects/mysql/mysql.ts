import { fitsMysql, mysqlColumnType } from './column-types.js'
import { mysqlChangeLog } from './change-log.js'
import { mysqlCancellation } from './cancellation.js'
import { classifyMysqlError } from './classify-error.js'
import { mysqlMedia, mysqlMediaWithin } from './media.js'
import { parseDecimal } from '../../../../edm/decimal.js'
import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { exceedsFraction } from '../../../../edm/truncate-fraction.js'
import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column } from '../../column.js'
import type { SqlDialect, SqlValue } from '../../dialect.js'
import { mysqlPlans } from './plans.js'
import { MysqlWireQuery } from './wire/mysql-wire-query.js'
import { wireColumn } from './wire/wire-columns.js'
import { textRowCells } from './wire/text-row-cells.js'
import type { Sql } from '../../sql-text.js'
import { joined, parameter, raw, sql } from '../../sql-text.js'
import type { DateField, SqlFunctions } from '../shared/canonical-functions.js'
import { callFunction } from '../shared/canonical-functions.js'
import { limitClause, bitLength, bitsOfResult } from '../shared/shared-sql.js'
import { spacedDateReader } from '../shared/text-dates.js'
import { bitsOf, isGeometry, mysqlMisfit, selectedGeometry, storedGeometry } from './values.js'
import { isValidInMysql } from './valid-values.js'
import { mysqlSessions } from './sessions.js'
import { mysqlWrites } from './writes.js'
import { mysqlGroupKey, mysqlGroupValue, mysqlSum } from './groups.js'
import { isTextDate, paddedDate, formattedDate } from '../shared/text-dates.js'
import type { TextDate } from '../shared/text-dates.js'
import { required } from '../../../../util/required.js'

const largest = 2n ** 63n
/** The integer digits of the longest decimal: 65 digits less 30 fraction digits. */
const wholeDigits = 35
const fractionDigits = 30

const wholeColumns = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'year']
const dateColumns = ['datetime', 'timestamp', 'date']

/** The types of columns in which a value of a type can be compared. */
const columnTypes: Readonly<Record<PrimitiveTypeName, readonly string[]>> = {
  'Edm.Binary': ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
  'Edm.Boolean': ['tinyint', 'bit'],
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
 * MySQL and MariaDB. Their default collations ignore case and trailing blanks, so strings are also compared as bytes.
 */
export const mysql: SqlDialect = {
  name: 'mysql',
  options: [],
  cancellation: mysqlCancellation,
  returning: [],
  sessions: mysqlSessions,
  changeLog: mysqlChangeLog,
  columnType: mysqlColumnType,
  fits: fitsMysql,
  classifyError: classifyMysqlError,
  concatenate: (texts) => `concat(${texts.join(', ')})`,
  media: mysqlMedia,
  plans: mysqlPlans,
  writes: mysqlWrites,
  maxParameters: 60_000,
  quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
  placeholder: () => '?',

  selected(column, reference, isWire = false) {
    const asText = (value: Sql): Sql => (isWire ? value : sql`cast(${value} as char)`)
    switch (column.type) {
      case 'Edm.Int64':
      case 'Edm.Decimal':
        return asText(reference)
      case 'Edm.DateTime':
      case 'Edm.DateTimeOffset':
      case 'Edm.Time':
        return asText(inUtc(column, reference))
      case 'Edm.String':
        // The driver would parse both. MariaDB reports checked strings as JSON, also in views, which have no checks.
        if (isGeometry(column.facts)) return selectedGeometry(reference)
        if (column.facts.dataType === 'json') return sql`cast(${reference} as char)`
        return column.facts.isJson === true || column.facts.dataType === 'longtext'
          ? asText(reference)
          : reference
      case 'Edm.Boolean':
        return column.facts.dataType === 'bit' ? sql`(${reference} + 0)` : reference
      case 'Edm.Single':
        // As itself, it would be shown with six digits.
        return sql`cast(${reference} as double)`
      default:
        return reference
    }
  },

  reader: ({ type }) => (type === 'Edm.Boolean' ? (value) => Number(value) !== 0 : spacedDateReader(type)),

  wire: {
    column: wireColumn,
    reader: textRowCells,
    query: ({ text }) => new MysqlWireQuery(text),
    connectionClass: 'MysqlConnection',
    probe: {
      // The driver may be configured for a character set other than UTF-8.
      formats: [false, false],
      text: "select 1 as n, _latin1 X'E4' as t union all select null, null order by n desc",
      rows: [
        ['1', '\u00c3\u00a4'],
        [null, null],
      ],
    },
  },

  stored(column, value) {
    const { type } = column
    if (value === null || value === undefined) return parameter(null)
    if (isTextDate(type)) return storedTime(column, formattedDate(value, type))
    if (type === 'Edm.Boolean') return raw(value === true ? '1' : '0')
    if (type === 'Edm.Binary')
      return column.facts.dataType === 'bit'
        ? bitsOf(value as Uint8Array)
        : parameter(Buffer.from(value as Uint8Array))
    if (isGeometry(column.facts)) return storedGeometry(value as string)
    if (type === 'Edm.Double' || type === 'Edm.Single') return parameter(value)
    // The database does not have to parse a string, and 0 of a year is not 2000.
    if (typeof value === 'number' && wholeColumns.includes(column.facts.dataType)) return parameter(value)
    return parameter((value as string | number | bigint).toString())
  },

  truncates: ({ type, facts }, value) =>
    isTextDate(type) && exceedsFraction(type, value, facts.typeArguments[0] ?? 0),

  equal(column, left, right) {
    const { type } = column
    if (type === 'Edm.Boolean') return sql`(${left} <> 0) = (${right} <> 0)`
    if (isTextGuid(column)) {
      // Some programs write guids in upper case, and the collation may compare case.
      const [lower, upper] = [sql`lower(${right})`, sql`upper(${right})`]
      return sql`(${mysql.refers(column, left, lower)} or ${mysql.refers(column, left, upper)})`
    }
    // Geometries are compared as bytes, which are not valid in a character set.
    const isText = (type === 'Edm.String' && !isGeometry(column.facts)) || type === 'Edm.Guid'
    // The first of the two uses an index.
    return isText
      ? sql`(${mysql.refers(column, left, right)} and ${bytesOf(left)} = ${bytesOf(right)})`
      : sql`${left} = ${right}`
  },

  refers(column, left, right) {
    const { type, facts } = column
    if (type === 'Edm.Boolean') return mysql.equal(column, left, right)
    if (type !== 'Edm.String' && type !== 'Edm.Guid') return sql`${left} = ${right}`
    const { narrowCollation: collation } = facts
    if (collation === undefined) return sql`${left} = ${right}`
    // The database rejects the comparison with characters that a character set does not have.
    const [characterSet = ''] = collation.split('_')
    return sql`${left} = convert(${right} using ${raw(characterSet)}) collate ${raw(collation)}`
  },

  // Another number than 1 is true as well.
  hasStored: ({ type, facts, quoted }, value) =>
    type === 'Edm.Boolean' && facts.dataType === 'tinyint' && value === true
      ? sql`${raw(quoted)} <> 0`
      : undefined,

  hasSeveralForms: isTextGuid,

  isValidValue: isValidInMysql,
  hasRestrictedStrings: ({ type, facts }) =>
    type === 'Edm.String' && (isGeometry(facts) || /^inet/.test(facts.dataType)),
  misfit: mysqlMisfit,

  comparable(value, type) {
    if (value.literal?.exact === false) return undefined
    if (value.column !== undefined && !columnTypes[value.column.type].includes(value.column.facts.dataType))
      return undefined
    if (value.type !== type && value.type !== null) return promoted(value, type)
    if (value.column !== undefined && isTextGuid(value.column)) return bytesOf(sql`lower(${value.sql})`)
    if (type === 'Edm.String' || type === 'Edm.Guid') return bytesOf(value.sql)
    if (type === 'Edm.Boolean' && value.column !== undefined) return sql`(${value.sql} <> 0)`
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
        return literal(bytesOf(parameter(value)))
      case 'Edm.Guid':
        return literal(bytesOf(parameter((value as string).toLowerCase())))
      case 'Edm.Boolean':
        return literal(raw(value === true ? '1' : '0'))
      case 'Edm.Binary':
        return literal(parameter(Buffer.from(value as Uint8Array)))
      default: {
        const whole = BigInt(value as number | bigint)
        if (whole >= largest || whole < -largest) return undefined
        const number = Number(whole)
        // Some versions of the driver quote a bigint.
        const form = Number.isSafeInteger(number) ? parameter(number) : raw(`(${String(whole)})`)
        return { ...literal(form), bits: bitLength(whole) }
      }
    }
  },

  columnComparison(operator, { sql: column, column: described, type: columnType }, value, type) {
    if (operator !== 'eq' || columnType !== type || described === undefined) return undefined
    if (type === 'Edm.Boolean') return sql`(${column} ${raw(value === true ? '<>' : '=')} 0)`
    if (isTextGuid(described)) return mysql.equal(described, column, parameter(value))
    if (type !== 'Edm.String' || !columnTypes[type].includes(described.facts.dataType)) return undefined
    return mysql.equal(described, column, parameter(value))
  },

  isSame: (left, right) => sql`(${left} <=> ${right})`,

  call: (name, parameters) => callFunction(name, parameters, functions),

  async detect(run) {
    const [row] = await run(sql`select version() as version, @@max_allowed_packet as size`)
    const version = String(row?.version)
    const media = mysqlMediaWithin(Number(row?.size))
    if (!version.includes('MariaDB')) return { ...mysql, media }
    const mariaDb: SqlDialect = { ...mysql, media, writes: { ...mysqlWrites, derivesOwnTable: false } }
    return hasReturning(version)
      ? { ...mariaDb, returning: ['insert', 'delete'], returnsSetColumnsOnly: true }
      : mariaDb
  },

  asciiCase: {
    // Other collations convert letters by the rules of their language.
    convert: (name, text) =>
      sql`${raw(name === 'toupper' ? 'upper' : 'lower')}(convert(${text} using utf8mb4) collate utf8mb4_bin)`,
    hasOthers: (text) =>
      sql`octet_length(convert(${text} using utf8mb4)) <> char_length(convert(${text} using utf8mb4))`,
  },

  arithmetic(operator, left, right, type) {
    const bits = bitsOfResult(operator, left, right)
    // Beyond 64 bits there is an error instead of a number.
    if (bits === undefined || bits > 63 || !isInteger(type)) return undefined
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

  groupKey: mysqlGroupKey,
  groupValue: mysqlGroupValue,
  sum: mysqlSum,

  page: (limit, offset) => limitClause(limit, offset, '18446744073709551615'),

  sourceRows(rows, columns) {
    const selects = rows.map((row, index) => {
      const values = row.map((value, place) =>
        index === 0 ? sql`${value} as ${raw(required(columns[place]))}` : value,
      )
      return sql`select ${joined([raw(index === 0 ? '0 as n' : String(index)), ...values], ', ')}`
    })
    return sql`(${joined(selects, ' union all ')}) as source`
  },
}

/** Returns true for MariaDB 10.5 and later, which has no `returning` clause in updates. */
function hasReturning(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? []
  return Number(major) > 10 || (major === '10' && Number(minor) >= 5)
}

/** The depth of nested calculations that fits on the small thread stack of the server. */
const deepest = 100

const symbols = { add: '+', sub: '-', mul: '*', div: 'div', mod: 'mod' } as const

/** Returns true for a guid in a column of text, where it can be in upper or lower case. */
function isTextGuid({ type, facts }: Column): boolean {
  return type === 'Edm.Guid' && facts.dataType !== 'uuid'
}

function bytesOf(text: Sql): Sql {
  return sql`cast(convert(${text} using utf8mb4) as binary)`
}

/** Converts a timestamp to UTC: MySQL returns it in the time zone of the connection. */
function inUtc({ type, facts: { dataType } }: Column, reference: Sql): Sql {
  return dataType === 'timestamp' && isTextDate(type)
    ? // The zero timestamp is in no time zone.
      sql`if(${reference} = 0, ${reference}, convert_tz(${reference}, @@session.time_zone, '+00:00'))`
    : reference
}

/** Returns a time of the library as a parameter that the column can hold. */
function storedTime({ type, facts: { dataType, typeArguments } }: Column, text: string): Sql {
  if (!isTextDate(type)) return parameter(text)
  const [whole = '', fraction = ''] = text.replace('T', ' ').replace('Z', '').split('.')
  // Digits that the column does not keep are cut off: MySQL would round, and make 24:00 of the last moment of a day.
  const digits = fraction.slice(0, typeArguments[0] ?? 0)
  const value = sql`cast(${parameter(digits === '' ? whole : `${whole}.${digits}`)} as ${raw(castTypes[type])})`
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

/** Returns a value of another type than the one in which both sides are compared. */
function promoted(value: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (type === 'Edm.Double') return sql`cast(${value.sql} as double)`
  if (type === 'Edm.Single') return undefined
  return isInteger(value.type) && (isInteger(type) || type === 'Edm.Decimal') ? value.sql : undefined
}

/** Strings are compared as bytes: a collation may treat different strings as equal. */
const functions: SqlFunctions = {
  contains: (text, part) => sql`(locate(${bytesOf(part.sql)}, ${bytesOf(text.sql)}) > 0)`,
  startsWith: (text, start) => hasEdge('left', text.sql, start.sql),
  endsWith: (text, end) => hasEdge('right', text.sql, end.sql),
  concat(texts) {
    const converted = texts.map(({ sql: text }) => sql`convert(${text} using utf8mb4)`)
    return sql`concat(${joined(converted, ', ')})`
  },
  field,
}

function hasEdge(side: 'left' | 'right', text: Sql, edge: Sql): Sql {
  return sql`(${raw(side)}(${bytesOf(text)}, length(${bytesOf(edge)})) = ${bytesOf(edge)})`
}

const dayFields: ReadonlySet<DateField> = new Set<DateField>(['year', 'month', 'day'])

function field(name: DateField, { sql: value, nullable, literal, type }: SqlValue): SqlValue | undefined {
  // The fields of a literal are those of its own zone.
  if (literal !== undefined || (type === 'Edm.Time' && dayFields.has(name))) return undefined
  return { sql: sql`${raw(name)}(${value})`, type: 'Edm.Int32', nullable, bits: 14 }
}
