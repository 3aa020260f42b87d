import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from '../column.js'
import type { SqlDialect } from '../dialect.js'

/** The type of a property that a column can hold, and the facets that follow from its own type. */
export interface ColumnType {
  readonly type: PrimitiveTypeName
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number
  /** True for days without time of day, for which CSDL has no type. */
  readonly isDay?: boolean
}

/**
 * The property that a column of a database is.
 *
 * What CSDL has no type for is text, as the database writes it: arrays, ranges, JSON, enumerations.
 */
export function columnTypeOf(dialect: SqlDialect['name'], facts: ColumnFacts): ColumnType {
  switch (dialect) {
    case 'postgres':
      return postgresType(facts)
    case 'mysql':
      return mysqlType(facts)
    case 'sqlite':
      return sqliteType(facts)
  }
}

const postgresTypes: Readonly<Record<string, PrimitiveTypeName>> = {
  bool: 'Edm.Boolean',
  int2: 'Edm.Int16',
  int4: 'Edm.Int32',
  int8: 'Edm.Int64',
  float4: 'Edm.Single',
  float8: 'Edm.Double',
  numeric: 'Edm.Decimal',
  uuid: 'Edm.Guid',
  bytea: 'Edm.Binary',
  timestamp: 'Edm.DateTime',
  timestamptz: 'Edm.DateTimeOffset',
  date: 'Edm.DateTime',
  time: 'Edm.Time',
}

function postgresType({ dataType, typeArguments }: ColumnFacts): ColumnType {
  const type = postgresTypes[dataType] ?? 'Edm.String'
  const [first, second] = typeArguments
  switch (dataType) {
    case 'varchar':
      return { type, ...(first === undefined ? {} : { maxLength: first }) }
    case 'bpchar':
      return { type, ...lengthOf(first) }
    case 'numeric':
      return { type, ...decimalFacets(first, second) }
    case 'timestamp':
    case 'timestamptz':
    case 'time':
      return { type, precision: first ?? 6 }
    case 'date':
      return { type, precision: 0, isDay: true }
    default:
      return { type }
  }
}

/** With sign, and without. */
const mysqlWhole: Readonly<Record<string, readonly [PrimitiveTypeName, PrimitiveTypeName]>> = {
  tinyint: ['Edm.SByte', 'Edm.Byte'],
  smallint: ['Edm.Int16', 'Edm.Int32'],
  mediumint: ['Edm.Int32', 'Edm.Int32'],
  int: ['Edm.Int32', 'Edm.Int64'],
  bigint: ['Edm.Int64', 'Edm.Decimal'],
  year: ['Edm.Int16', 'Edm.Int16'],
}

function mysqlType({ dataType, typeArguments, isUnsigned }: ColumnFacts): ColumnType {
  const [first, second] = typeArguments
  const whole = mysqlWhole[dataType]
  if (whole !== undefined) {
    const type = whole[isUnsigned === true ? 1 : 0]
    if (dataType === 'tinyint' && first === 1) return { type: 'Edm.Boolean' }
    return type === 'Edm.Decimal' ? { type, ...decimalFacets(20, 0) } : { type }
  }
  switch (dataType) {
    case 'decimal':
      return { type: 'Edm.Decimal', ...decimalFacets(first, second) }
    case 'float':
      return { type: 'Edm.Single' }
    case 'double':
      return { type: 'Edm.Double' }
    case 'uuid':
      return { type: 'Edm.Guid' }
    case 'datetime':
      return { type: 'Edm.DateTime', precision: first ?? 0 }
    case 'timestamp':
      return { type: 'Edm.DateTimeOffset', precision: first ?? 0 }
    case 'date':
      return { type: 'Edm.DateTime', precision: 0, isDay: true }
    case 'time':
      return { type: 'Edm.Time', precision: first ?? 0 }
    case 'varchar':
      return { type: 'Edm.String', ...lengthOf(first) }
    case 'char':
      return { type: 'Edm.String', ...lengthOf(first) }
    case 'binary':
    case 'varbinary':
      return { type: 'Edm.Binary', ...lengthOf(first) }
    default:
      return { type: /blob|^bit$/.test(dataType) ? 'Edm.Binary' : 'Edm.String' }
  }
}

/** What the declared types of SQLite begin with, as people and other databases write them. */
const sqliteTypes: readonly (readonly [RegExp, PrimitiveTypeName])[] = [
  [/^(?:bool|bit$)/, 'Edm.Boolean'],
  [/^(?:tinyint|smallint|int2|unsigned tinyint)/, 'Edm.Int16'],
  [/^(?:mediumint|int4|int32)/, 'Edm.Int32'],
  // An integer of SQLite has 64 bits, whatever it is called.
  [/int|serial/, 'Edm.Int64'],
  [/^(?:datetimeoffset|timestamptz|timestamp with time zone)/, 'Edm.DateTimeOffset'],
  [/^(?:date|smalldatetime|timestamp)/, 'Edm.DateTime'],
  [/^time/, 'Edm.Time'],
  [/^(?:decimal|dec$|numeric|number|money|smallmoney)/, 'Edm.Decimal'],
  [/^(?:real|double|float)/, 'Edm.Double'],
  [/^(?:guid|uuid|uniqueidentifier)/, 'Edm.Guid'],
  [/blob|binary|^image$|^bytea$/, 'Edm.Binary'],
]

function sqliteType({ dataType, typeArguments }: ColumnFacts): ColumnType {
  const [first, second] = typeArguments
  // What MySQL makes of Boolean.
  if (dataType === 'tinyint' && first === 1) return { type: 'Edm.Boolean' }
  const type = sqliteTypes.find(([pattern]) => pattern.test(dataType))?.[1] ?? 'Edm.String'
  switch (type) {
    case 'Edm.Decimal':
      return { type, ...decimalFacets(first, second) }
    case 'Edm.Binary':
      return { type, ...lengthOf(first) }
    case 'Edm.String':
      return { type, ...lengthOf(first) }
    case 'Edm.DateTime':
      return dataType === 'date' ? { type, precision: 0, isDay: true } : { type }
    default:
      return { type }
  }
}

function lengthOf(length: number | undefined): { readonly maxLength?: number } {
  return length === undefined || length < 1 ? {} : { maxLength: length }
}

/** CSDL has no decimals that are rounded before the point, nor such as are all behind it. */
function decimalFacets(
  precision: number | undefined,
  scale = 0,
): { readonly precision?: number; readonly scale?: number } {
  if (precision === undefined || precision < 1) return {}
  return scale < 0 || scale > precision ? {} : { precision, scale }
}
