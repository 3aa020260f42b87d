import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import { signedText } from '../../../../edm/primitive-types/floating-point.js'
import type { Column, ColumnFacts } from '../../column.js'
import type { SqlDialect, SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { joined, parameter, raw, sql } from '../../sql-text.js'
import { bitLength, bitsOfResult, castLiterals, doubleQuoted, limitClause } from '../shared/shared-sql.js'
import { formattedDate, isTextDate, paddedDate, spacedDateReader } from '../shared/text-dates.js'
import { classifyDuckdbError } from './classify-error.js'
import { duckdbColumnType, fitsDuckdb, isComparable } from './column-types.js'
import { compareDecimal, decimalLiteral, hasCommonType, storedDecimal } from './decimals.js'
import { callDuckdbFunction, duckdbCase } from './functions.js'
import { duckdbGroupKey, duckdbSum } from './groups.js'
import { duckdbMedia } from './media.js'
import { isValidInDuckdb } from './valid-values.js'

/** Results of integers with more bits may exceed those of DuckDB, which have 127. */
const MAX_BITS = 126
/** Decimals with up to this many digits are converted to the nearest floating-point number. */
const MAX_EXACT_DIGITS = 15

const casts: Readonly<Record<PrimitiveTypeName, string>> = {
  'Edm.Binary': 'blob',
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'bigint',
  'Edm.SByte': 'bigint',
  'Edm.Int16': 'bigint',
  'Edm.Int32': 'bigint',
  'Edm.Int64': 'bigint',
  'Edm.Decimal': 'decimal',
  'Edm.Double': 'double',
  'Edm.Single': 'float',
  'Edm.String': 'varchar',
  'Edm.Guid': 'uuid',
  'Edm.DateTime': 'timestamp',
  'Edm.DateTimeOffset': 'timestamptz',
  'Edm.Time': 'time',
}

/** DuckDB, for reading only: database files, and Parquet, CSV and JSON files. */
export const duckdb: SqlDialect = {
  name: 'duckdb',
  options: [],
  returning: [],
  columnType: duckdbColumnType,
  fits: fitsDuckdb,
  classifyError: classifyDuckdbError,
  concatenate: (texts) => texts.join(' || '),
  media: duckdbMedia,
  interruption: {
    interrupt: (session) => (session as { interrupt?: () => void }).interrupt?.(),
    wasCancelled: (error) => error instanceof Error && error.message.startsWith('INTERRUPT Error'),
  },
  maxParameters: 30_000,
  quote: doubleQuoted,
  placeholder: (index) => `$${String(index)}`,

  selected({ type, facts }, reference) {
    switch (type) {
      case 'Edm.Int64':
      case 'Edm.Decimal':
      case 'Edm.Guid':
      case 'Edm.Time':
      case 'Edm.DateTime':
        return sql`${reference}::varchar`
      case 'Edm.DateTimeOffset':
        return sql`(${reference} at time zone 'UTC')::varchar`
      case 'Edm.String':
        return textOf(facts, reference)
      default:
        return reference
    }
  },

  reader: ({ type }) => spacedDateReader(type),

  stored({ type, facts }, value) {
    if (value === null || value === undefined)
      return raw(`null::${type === 'Edm.Decimal' ? 'decimal' : casts[type]}`)
    if (type === 'Edm.Decimal') return storedDecimal(facts, value)
    return sql`${parameter(boundValue(value, type))}::${raw(casts[type])}`
  },

  isValidValue: isValidInDuckdb,
  groupKey: duckdbGroupKey,
  sum: duckdbSum,
  hasRestrictedStrings: ({ type, facts: { dataType } }) => type === 'Edm.String' && dataType !== 'varchar',

  equal: (column, left, right) => sql`${keyOf(column, left)} = ${keyOf(column, right)}`,
  refers: (column, left, right) => sql`${keyOf(column, left)} = ${keyOf(column, right)}`,

  comparable(value, type) {
    if (value.literal?.exact === false) return undefined
    if (value.column !== undefined && !isComparable(value.column)) return undefined
    if (value.type !== type && value.type !== null) return promoted(value, type)
    return value.column?.facts.dataType === 'enum' ? sql`${value.sql}::varchar` : value.sql
  },

  canCompare: hasCommonType,
  selectsRows: true,

  literal(value, type) {
    const literal = castLiterals(value, type)
    if (isTextDate(type)) {
      const text = paddedDate(value, type)
      // The database has six digits of a second: without the seventh, the time is the next lower one.
      const zone = type === 'Edm.DateTimeOffset' ? 'Z' : ''
      return literal(text.slice(0, -1) + zone, casts[type], text.endsWith('0'))
    }
    switch (type) {
      case 'Edm.Decimal': {
        const found = decimalLiteral(String(value))
        // Columns are compared with longer ones by columnComparison.
        const text = found ?? sql`null::decimal`
        return { sql: text, type, nullable: false, literal: { value, exact: found !== undefined } }
      }
      case 'Edm.Double':
      case 'Edm.Single':
        return Number.isNaN(value) ? undefined : literal(boundValue(floatOf(value, type), type), 'double')
      case 'Edm.String':
      case 'Edm.Boolean':
      case 'Edm.Guid':
      case 'Edm.Binary':
        return literal(boundValue(value, type), casts[type])
      default: {
        const whole = BigInt(value as number | bigint)
        const bits = bitLength(whole)
        return bits > MAX_BITS
          ? undefined
          : { ...literal(String(whole), bits > 63 ? 'hugeint' : 'bigint'), bits }
      }
    }
  },

  columnComparison(operator, { sql: reference, column }, value, type) {
    if (type !== 'Edm.Decimal' || column?.type !== type || value === null) return undefined
    return compareDecimal(operator, reference, column.facts, value)
  },

  isSame: (left, right) => sql`(${left} is not distinct from ${right})`,

  exceptNaN({ type, literal, sql: value }) {
    const isFloat = type === 'Edm.Double' || type === 'Edm.Single'
    return isFloat && literal === undefined ? sql`(isnan(${value}) is not true)` : undefined
  },

  asciiCase: duckdbCase,
  call: callDuckdbFunction,

  arithmetic(operator, left, right, type) {
    const bits = bitsOfResult(operator, left, right)
    if (bits === undefined || bits > MAX_BITS || !isInteger(type)) return undefined
    const divides = operator === 'div' || operator === 'mod'
    const [x, y] = [left, right].map(({ sql: value }) => sql`${value}::hugeint`)
    if (x === undefined || y === undefined) return undefined
    return {
      // Null after a division by zero.
      sql: sql`(${x} ${raw(symbols[operator])} ${y})`,
      type,
      nullable: left.nullable || right.nullable || divides,
      bits,
    }
  },

  orderKeys({ type, sql: value, nullable }) {
    if (type === 'Edm.Decimal') return [{ sql: value, nullable, literal: decimalPosition }]
    if (type !== 'Edm.Double' && type !== 'Edm.Single') return undefined
    // NaN is the greatest number in DuckDB, and the least in OData.
    return [
      {
        sql: sql`(not isnan(${value}))`,
        nullable,
        literal: (at) => raw(Number.isNaN(at) ? 'false' : 'true'),
      },
      {
        sql: value,
        nullable,
        literal: (at) => sql`${parameter(boundValue(floatOf(at, type), type))}::double`,
      },
    ]
  },

  orderTerm(comparable, nullable, descending) {
    const direction = descending ? ' desc' : ''
    return sql`${comparable}${raw(nullable ? `${direction} nulls ${descending ? 'last' : 'first'}` : direction)}`
  },

  page: (limit, offset) => limitClause(limit, offset, 'all'),

  sourceRows(rows, columns) {
    const values = rows.map((row, index) => sql`(${joined([raw(String(index)), ...row], ', ')})`)
    return sql`(values ${joined(values, ', ')}) as source(n, ${raw(columns.join(', '))})`
  },
}

const symbols = { add: '+', sub: '-', mul: '*', div: '//', mod: '%' } as const

/** Returns a column as a string: nested values as JSON. */
function textOf({ dataType }: ColumnFacts, reference: Sql): Sql {
  if (dataType === 'varchar') return reference
  return dataType === 'nested' ? sql`to_json(${reference})::varchar` : sql`${reference}::varchar`
}

/** Returns the form in which keys are compared. */
function keyOf({ type, facts }: Pick<Column, 'type' | 'facts'>, reference: Sql): Sql {
  if (type === 'Edm.String' && facts.dataType !== 'varchar') return sql`${reference}::varchar`
  return reference
}

/** Returns a value as the driver binds it: strings for all types whose digits a JavaScript number does not have. */
function boundValue(value: unknown, type: PrimitiveTypeName): unknown {
  if (isTextDate(type)) return formattedDate(value, type)
  switch (type) {
    case 'Edm.Binary':
    case 'Edm.Boolean':
    case 'Edm.String':
      return value
    case 'Edm.Double':
    case 'Edm.Single':
      return signedText(value as number)
    default:
      return String(value)
  }
}

/** Rounds to single precision: the service has the shortest digits of a number, but the database compares its exact value. */
function floatOf(value: unknown, type: PrimitiveTypeName): number {
  return type === 'Edm.Single' ? Math.fround(value as number) : (value as number)
}

function decimalPosition(at: unknown): Sql {
  return decimalLiteral(String(at)) ?? sql`${parameter(String(at))}::double`
}

/** Converts an operand to the type in which both sides are compared. */
function promoted(value: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (type === 'Edm.Double') return isExactDouble(value) ? sql`${value.sql}::double` : undefined
  if (type === 'Edm.Single') return undefined
  return isInteger(value.type) && (isInteger(type) || type === 'Edm.Decimal') ? value.sql : undefined
}

function isExactDouble({ type, column, literal, bits = 0 }: SqlValue): boolean {
  if (type !== 'Edm.Decimal') return bits <= 63
  if (literal !== undefined) return String(literal.value).replace(/\D/g, '').length <= MAX_EXACT_DIGITS
  const { dataType, typeArguments: [precision = Infinity] = [] } = column?.facts ?? {}
  return dataType === 'decimal' && precision <= MAX_EXACT_DIGITS
}
