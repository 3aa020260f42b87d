import { postgresChangeLog } from './change-log.js'
import { equalsOtherStrings, fitsPostgres, postgresColumnType } from './column-types.js'
import { postgresCancellation } from './cancellation.js'
import { classifyPostgresError } from './classify-error.js'
import { postgresMedia } from './media.js'
import { parseDecimal } from '../../../../edm/decimal.js'
import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { exceedsFraction } from '../../../../edm/truncate-fraction.js'
import { signedText } from '../../../../edm/primitive-types/floating-point.js'
import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column, ColumnFacts } from '../../column.js'
import type { SqlDialect, SessionControl, VersionStatements, SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { postgresGroupKey, postgresSum } from './groups.js'
import { joined, parameter, raw, sql } from '../../sql-text.js'
import { withPostgresCase } from './case.js'
import { callPostgresFunction } from './functions.js'
import { postgresPlans } from './plans.js'
import { dataRowCells } from './wire/data-rows.js'
import { wireColumn } from './wire/wire-columns.js'
import { WirePipeline } from './wire/wire-pipeline.js'
import { WireQuery } from './wire/wire-query.js'
import type { TextDate } from '../shared/text-dates.js'
import { isTextDate, paddedDate, formattedDate } from '../shared/text-dates.js'
import { postgresMisfit, postgresWrites } from './writes.js'
import {
  asciiStart,
  bitLength,
  bitsOfResult,
  castLiterals,
  doubleQuoted,
  limitClause,
} from '../shared/shared-sql.js'
import { spacedDateReader } from '../shared/text-dates.js'
import { isValidInPostgres } from './valid-values.js'
import { getOrCreate } from '../../../../util/get-or-create.js'
import { required } from '../../../../util/required.js'

/** The first integer beyond 64 bits. */
const INTEGER_LIMIT = 2n ** 63n

/** Decimal numbers with up to this many digits are within the range of Edm.Double. */
const MAX_DOUBLE_DIGITS = 300

/** Drivers other than `pg` convert strings for some types: JSON a second time, times to the zone of the process. */
const AS_TEXT = 'text::'

/** Types that the driver returns as strings. */
const texts: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'name', 'citext'])

/** The column types in which values of a property type are compared, the default first. */
const columnTypes: Readonly<Record<PrimitiveTypeName, readonly string[]>> = {
  'Edm.Binary': ['bytea'],
  'Edm.Boolean': ['bool'],
  'Edm.Byte': ['int2', 'int4', 'int8'],
  'Edm.SByte': ['int2', 'int4', 'int8'],
  'Edm.Int16': ['int2', 'int4', 'int8'],
  'Edm.Int32': ['int4', 'int2', 'int8'],
  'Edm.Int64': ['int8', 'int4', 'int2'],
  'Edm.Decimal': ['numeric', 'int8', 'int4', 'int2'],
  'Edm.Double': ['float8'],
  'Edm.Single': ['float4'],
  'Edm.String': ['text', 'varchar'],
  'Edm.Guid': ['uuid'],
  'Edm.DateTime': ['timestamp', 'date'],
  'Edm.DateTimeOffset': ['timestamptz'],
  'Edm.Time': ['time'],
}

/** The bytes of a running statement that every server shows in `pg_stat_activity`. */
const SHOWN_LENGTH = 99

/** Dates and numbers are read as text, whose format depends on settings of the role or the database. */
const formatSettings = sql`set_config('DateStyle', 'ISO, ' || split_part(current_setting('DateStyle'), ', ', 2), false),
  set_config('extra_float_digits', greatest(current_setting('extra_float_digits')::int, 1)::text, false)`

/** Cancels a statement only if its session still runs it: a pooler may have given the session to another client. */
const postgresSessions: SessionControl = {
  begin(statementTimeout) {
    const session = sql`select pg_backend_pid() as "session", current_setting('in_hot_standby', true) as "standby", ${formatSettings}`
    if (statementTimeout === undefined) return session
    return sql`${session}, set_config('statement_timeout', ${parameter(String(statementTimeout))}, false)`
  },
  cancel(session, texts) {
    const starts = texts.map((text) => asciiStart(text).slice(0, SHOWN_LENGTH))
    return sql`select pg_cancel_backend(pid) from pg_stat_activity where pid = ${parameter(session)} and state = 'active'
      and exists (select 1 from unnest(${parameter(starts)}::text[]) as t where left(query, length(t)) = t)`
  },
  isThere: (session) => sql`select 1 as "found" from pg_stat_activity where pid = ${parameter(session)}`,
  wasCancelled: (error) => (error as { readonly code?: unknown } | undefined)?.code === '57014',
}

/**
 * Equal snapshots see the same commits, and no snapshot returns after another one. A standby does not list the running
 * transactions in its snapshots, so that equal snapshots may have different data.
 */
const postgresVersions: VersionStatements = {
  current: sql`select case when pg_is_in_recovery() then null else pg_current_snapshot()::text end as version`,

  // A server that is promoted or restored has the same identifier, but continues on another timeline.
  shared: sql`select case when pg_is_in_recovery() then null else concat_ws(' ', pg_current_snapshot()::text,
    left(pg_walfile_name(pg_current_wal_lsn()), 8), (select system_identifier from pg_control_system()),
    current_database(), current_schemas(false)::text) end as version`,

  // Snapshots do not cover rows that are computed, filtered by session, or stored elsewhere.
  untracked: (tables) => sql`select t.name as name
    from (values ${joined(
      tables.map((name) => sql`(${parameter(name)}::text)`),
      ', ',
    )}) as t(name)
    join pg_catalog.pg_class as c on c.oid = t.name::regclass
    where c.relkind not in ('r', 'p', 'm') or c.relrowsecurity or exists
      (select 1 from pg_catalog.pg_inherits as i join pg_catalog.pg_class as child on child.oid = i.inhrelid
        where i.inhparent = c.oid and child.relkind = 'f')`,
}

/** PostgreSQL, and databases with its protocol. */
export const postgres: SqlDialect = {
  name: 'postgres',
  options: ['statementTimeout', 'cursors'],
  cancellation: postgresCancellation,
  returning: ['insert', 'update', 'delete'],
  singleConnectionClass: 'PGliteConnection',
  columnType: postgresColumnType,
  fits: fitsPostgres,
  classifyError: classifyPostgresError,
  concatenate: (texts) => texts.join(' || '),
  media: postgresMedia,
  plans: postgresPlans,
  writes: postgresWrites,
  sessions: postgresSessions,
  versions: postgresVersions,
  changeLog: postgresChangeLog,
  sessionSettings(settings, isReadOnly) {
    const all = isReadOnly ? [['transaction_read_only', 'on'] as const, ...settings] : settings
    const calls = all.map(([name, value]) => sql`set_config(${parameter(name)}, ${parameter(value)}, true)`)
    return sql`select ${calls.length === 0 ? raw('1') : joined(calls, ', ')}`
  },
  maxParameters: 65_000,
  quote: doubleQuoted,
  placeholder: (index) => `$${String(index)}`,

  selected({ type, facts: { dataType } }, reference, isWire = false) {
    const text = isWire ? reference : sql`${reference}::text`
    switch (type) {
      case 'Edm.Int64':
      case 'Edm.Decimal':
      case 'Edm.Guid':
      case 'Edm.Time':
        return text
      case 'Edm.DateTime':
      case 'Edm.DateTimeOffset':
        // The binary format has no time zone.
        return dataType === 'timestamptz' && !isWire ? sql`(${reference} at time zone 'UTC')::text` : text
      case 'Edm.String':
        // As text, addresses of hosts have the length of their network.
        if (dataType === 'inet') return sql`abbrev(${reference})`
        // The driver would parse arrays, JSON and other types.
        return texts.has(dataType) ? reference : sql`${reference}::text`
      default:
        return reference
    }
  },

  reader: ({ type }) => spacedDateReader(type),

  wire: {
    column: wireColumn,
    reader: dataRowCells,
    query: ({ text, parameters }, formats) => new WireQuery(text, parameters, formats),
    pipeline: (statements) => new WirePipeline(statements),
    connectionClass: 'PostgresConnection',
    probe: {
      text: "select 'x' as t, null as u, 258 as n, timestamp '2000-01-01 00:00:00.000001' as s",
      formats: [false, false, true, true],
      rows: [['x', null, '\0\0\u0001\u0002', '\0\0\0\0\0\0\0\u0001']],
    },
  },

  stored(column, value) {
    const { type, facts } = column
    const { dataType } = facts
    const stored = storedValue(type, value, facts)
    // The database would interpret a time without zone in its own zone.
    const isUtc = type === 'Edm.DateTime' && dataType === 'timestamptz' && stored !== null
    const cast = getOrCreate(casts, column, () => {
      const isText = isTextDate(type) || (type === 'Edm.String' && !texts.has(dataType))
      return raw((isText ? AS_TEXT : '') + castOf(facts))
    })
    return sql`${parameter(isUtc ? `${stored as string}Z` : stored)}::${cast}`
  },

  misfit: postgresMisfit,
  isValidValue: isValidInPostgres,

  groupKey: postgresGroupKey,

  sum: postgresSum,

  hasRestrictedStrings: ({ type, facts: { dataType } }) => type === 'Edm.String' && !texts.has(dataType),

  truncates({ type, facts: { dataType, typeArguments } }, value) {
    if (!isTextDate(type) || value === null || value === undefined) return false
    if (dataType === 'date') return !/T00:00:00Z?$/.test(formattedDate(value, type))
    return exceedsFraction(type, value, typeArguments[0] ?? 6)
  },

  equal(column, left, right) {
    const isEqual = postgres.refers(column, left, right)
    // Entities whose keys the database treats as equal are different entities. An index finds the few rows to compare.
    return equalsOtherStrings(column.facts) && !isTextGuid(column)
      ? sql`(${isEqual} and ${left}::text collate "C" = ${right}::text collate "C")`
      : isEqual
  },
  refers(column, left, right) {
    if (!isTextGuid(column)) return sql`${left} = ${right}`
    // Some programs write guids in upper case. The results of the functions are cast, for the index.
    const cast = raw(castOf(column.facts))
    return sql`${left} in (lower(${right})::${cast}, upper(${right})::${cast})`
  },

  comparable(value, type) {
    if (value.literal?.exact === false) return undefined
    if (value.column !== undefined && !isComparable(value.column)) return undefined
    if (value.type !== type && value.type !== null) return promoted(value, type)
    const isForeign = type === 'Edm.String' && value.column?.facts.ordinal !== true
    return isForeign ? sql`(${value.sql} collate "C")` : value.sql
  },

  literal(value, type) {
    if (isTextDate(type)) return timeLiteral(value, type, AS_TEXT)
    const literal = castLiterals(value, type)
    switch (type) {
      case 'Edm.Decimal':
        return parseDecimal(String(value)) === undefined ? undefined : literal(String(value), 'numeric')
      case 'Edm.Double':
      case 'Edm.Single':
        return Number.isNaN(value) ? undefined : literal(signedText(floatOf(value, type)), 'float8')
      case 'Edm.String': {
        const [text = ''] = (value as string).split('\0')
        // No column can store U+0000: the string before it is the next lower one.
        return literal(text, 'text', text === value)
      }
      case 'Edm.Boolean':
        return literal(value, 'bool')
      case 'Edm.Guid':
        return literal(value, 'uuid')
      case 'Edm.Binary':
        return literal(Buffer.from(value as Uint8Array), 'bytea')
      default: {
        const whole = BigInt(value as number | bigint)
        const fits = whole < INTEGER_LIMIT && whole >= -INTEGER_LIMIT
        return literal(String(whole), fits ? 'int8' : 'numeric', true, bitLength(whole))
      }
    }
  },

  columnComparison(operator, { sql: column, column: described, type: columnType }, value, type) {
    // In every deterministic collation only identical strings are equal, and its index finds them.
    if (operator === 'eq' && type === 'Edm.String' && columnType === type && described !== undefined) {
      return isComparable(described) && !(value as string).includes('\0')
        ? sql`(${column} = ${parameter(value)}::text)`
        : undefined
    }
    return undefined
  },

  hasSeveralForms: isTextGuid,

  among(own, reference, values) {
    const { facts, type } = own
    const forms = isTextGuid(own)
      ? values.flatMap((text) => [text.toLowerCase(), text.toUpperCase()])
      : values
    const items = type === 'Edm.String' ? values.map(arrayItem) : forms
    return sql`${reference} = any(${parameter(`{${items.join(',')}}`)}::${raw(castOf(facts))}[])`
  },

  isSame: (left, right) => sql`(${left} is not distinct from ${right})`,

  exceptNaN({ type, literal, sql: value }) {
    const isFloat = type === 'Edm.Double' || type === 'Edm.Single'
    return isFloat && literal === undefined ? sql`(${value} is distinct from 'NaN')` : undefined
  },

  detect: (run, _sync, hasWireRows) => withPostgresCase(hasWireRows ? postgresWithPg : postgres, run),

  call: (name, parameters) => callPostgresFunction(name, parameters, isComparable),

  arithmetic(operator, left, right, type) {
    const bits = bitsOfResult(operator, left, right)
    const isExact = isInteger(type) && bits !== undefined
    if (!isExact && (type !== 'Edm.Decimal' || operator === 'div' || operator === 'mod')) return undefined
    const operands = [left, right].map((one) => this.comparable(one, type))
    const [a, b] = operands
    if (a === undefined || b === undefined) return undefined
    const divides = operator === 'div' || operator === 'mod'
    const nullable = left.nullable || right.nullable || divides
    const [x, y] = [sql`${a}::numeric`, divides ? sql`nullif(${b}::numeric, 0)` : sql`${b}::numeric`]
    const result = operator === 'div' ? sql`div(${x}, ${y})` : sql`(${x} ${raw(symbols[operator])} ${y})`
    return { sql: result, type, nullable, ...(bits === undefined ? {} : { bits }) }
  },

  orderKeys({ type, sql: value, nullable }) {
    if (type !== 'Edm.Double' && type !== 'Edm.Single') return undefined
    // NaN is the greatest number in PostgreSQL, and the least in OData.
    return [
      {
        sql: sql`(${value} <> 'NaN')`,
        nullable,
        literal: (at) => raw(Number.isNaN(at) ? 'false' : 'true'),
      },
      { sql: value, nullable, literal: (at) => sql`${parameter(signedText(floatOf(at, type)))}::float8` },
    ]
  },

  orderTerm(comparable, nullable, descending) {
    const direction = descending ? ' desc' : ''
    return sql`${comparable}${raw(nullable ? `${direction} nulls ${descending ? 'last' : 'first'}` : direction)}`
  },

  page: (limit, offset) => limitClause(limit, offset, 'all', parameter),

  sourceRows(rows, columns) {
    const values = rows.map((row, index) => sql`(${joined([raw(String(index)), ...row], ', ')})`)
    return sql`(values ${joined(values, ', ')}) as source(n, ${raw(columns.join(', '))})`
  },
}

/**
 * PostgreSQL with `pg`, which sends strings unchanged. Conversions from text to times depend on the session, so that the
 * database repeats those of a literal for each row.
 */
const postgresWithPg: SqlDialect = {
  ...postgres,
  literal: (value, type) => (isTextDate(type) ? timeLiteral(value, type, '') : postgres.literal(value, type)),
}

/** @param through a type to which the parameter is cast first */
function timeLiteral(value: unknown, type: TextDate, through: string): SqlValue {
  const text = paddedDate(value, type)
  const zone = type === 'Edm.DateTimeOffset' ? 'Z' : ''
  const cast = through + required(columnTypes[type][0])
  // The database has six digits of a second: without the seventh, the time is the next lower one.
  return castLiterals(value, type)(text.slice(0, -1) + zone, cast, text.endsWith('0'))
}

/** The types to which values of columns are cast before they are stored. */
const casts = new WeakMap<Column, Sql>()

const symbols = { add: '+', sub: '-', mul: '*', mod: '%' } as const

/** Returns true if the database compares the values of a column as OData compares those of its property. */
function isComparable({ type, facts: { dataType, isLoose } }: Column): boolean {
  return isLoose !== true && columnTypes[type].includes(dataType)
}

/** Returns true for a guid in a column of text, where it can be in upper or lower case. */
function isTextGuid({ type, facts }: Column): boolean {
  return type === 'Edm.Guid' && facts.dataType !== 'uuid'
}

/** Quotes a string in the literal of an array. */
function arrayItem(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** Returns the type to which a parameter is cast. */
function castOf({ dataType, typeSchema }: ColumnFacts): string {
  if (dataType === 'varchar') return 'text'
  return typeSchema === undefined
    ? doubleQuoted(dataType)
    : `${doubleQuoted(typeSchema)}.${doubleQuoted(dataType)}`
}

function storedValue(type: PrimitiveTypeName, value: unknown, { typeArguments }: ColumnFacts): unknown {
  if (value === null || value === undefined) return null
  if (isTextDate(type)) return truncateFraction(formattedDate(value, type), typeArguments[0] ?? 6)
  if (type === 'Edm.Binary') return Buffer.from(value as Uint8Array)
  if (type === 'Edm.Double' || type === 'Edm.Single') return signedText(value as number)
  return type === 'Edm.Boolean' ? value : (value as string | number | bigint).toString()
}

/**
 * Truncates fractional seconds to the precision of the column. The database would round them, so that the last moment of a
 * day becomes 24:00, and that of the year 9999 is out of range.
 */
function truncateFraction(date: string, digits: number): string {
  const [whole = '', fraction = ''] = date.replace('Z', '').split('.')
  const truncated = fraction.slice(0, digits)
  return whole + (truncated === '' ? '' : `.${truncated}`) + (date.endsWith('Z') ? 'Z' : '')
}

/**
 * Rounds to single precision: the driver returns the shortest digits of a number, but the database compares its exact
 * value.
 */
function floatOf(value: unknown, type: PrimitiveTypeName): number {
  return type === 'Edm.Single' ? Math.fround(value as number) : (value as number)
}

/** Returns true if PostgreSQL can convert a number to a double. It rejects numbers that are out of range. */
function isWithinDouble({ type, column, literal }: SqlValue): boolean {
  if (type !== 'Edm.Decimal') return true
  if (literal !== undefined) return String(literal.value).length <= MAX_DOUBLE_DIGITS
  if (column === undefined) return false
  const [precision = Infinity, scale = 0] = column.facts.typeArguments
  return column.facts.dataType !== 'numeric' || precision + Math.abs(scale) <= MAX_DOUBLE_DIGITS
}

/** Converts an operand to the type in which both sides are compared. */
function promoted(value: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (type === 'Edm.Double') return isWithinDouble(value) ? sql`${value.sql}::float8` : undefined
  // The conversion to single precision would round twice.
  if (type === 'Edm.Single') return value.type === 'Edm.Single' ? value.sql : undefined
  return isInteger(value.type) && (isInteger(type) || type === 'Edm.Decimal') ? value.sql : undefined
}
