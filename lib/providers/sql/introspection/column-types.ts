import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from '../column.js'
import type { SqlDialect } from '../dialect.js'
import { sqliteTypeOf } from '../dialects/sqlite/column-types.js'

/** The type and facets of the property for a column. */
export interface ColumnType {
  readonly type: PrimitiveTypeName
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number
  /** True for dates without a time, for which CSDL has no type. */
  readonly isDay?: boolean
}

/** Maps the type of a column. Types without an equivalent in CSDL, such as arrays, ranges and JSON, become strings. */
export function columnTypeOf(dialect: SqlDialect['name'], facts: ColumnFacts): ColumnType {
  switch (dialect) {
    case 'postgres':
      return withFacets(postgresTypes[facts.dataType] ?? 'Edm.String', facts, 6)
    case 'mysql':
      return mysqlType(facts)
    case 'sqlite':
      return withFacets(sqliteTypeOf(facts), facts)
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

/** The types of signed and unsigned integers. */
const mysqlIntegers: Readonly<Record<string, readonly [PrimitiveTypeName, PrimitiveTypeName]>> = {
  tinyint: ['Edm.SByte', 'Edm.Byte'],
  smallint: ['Edm.Int16', 'Edm.Int32'],
  mediumint: ['Edm.Int32', 'Edm.Int32'],
  int: ['Edm.Int32', 'Edm.Int64'],
  bigint: ['Edm.Int64', 'Edm.Decimal'],
  year: ['Edm.Int16', 'Edm.Int16'],
}

const mysqlTypes: Readonly<Record<string, PrimitiveTypeName>> = {
  decimal: 'Edm.Decimal',
  float: 'Edm.Single',
  double: 'Edm.Double',
  uuid: 'Edm.Guid',
  datetime: 'Edm.DateTime',
  timestamp: 'Edm.DateTimeOffset',
  date: 'Edm.DateTime',
  time: 'Edm.Time',
  binary: 'Edm.Binary',
  varbinary: 'Edm.Binary',
}

function mysqlType(facts: ColumnFacts): ColumnType {
  const { dataType, typeArguments, isUnsigned } = facts
  const integer = mysqlIntegers[dataType]
  if ((dataType === 'tinyint' || dataType === 'bit') && typeArguments[0] === 1) return { type: 'Edm.Boolean' }
  if (integer !== undefined) {
    const type = integer[isUnsigned === true ? 1 : 0]
    return type === 'Edm.Decimal' ? { type, precision: 20, scale: 0 } : { type }
  }
  const type = mysqlTypes[dataType]
  if (type !== undefined || /^(?:var)?char$/.test(dataType)) return withFacets(type ?? 'Edm.String', facts, 0)
  // The length of other types is their limit in bytes.
  return { type: /blob|^bit$/.test(dataType) ? 'Edm.Binary' : 'Edm.String' }
}

/** @param defaultPrecision of times; absent if times have no precision */
function withFacets(
  type: PrimitiveTypeName,
  { dataType, typeArguments: [first, second] }: ColumnFacts,
  defaultPrecision?: number,
): ColumnType {
  // SQLite also stores times of day, and their fractions, in a column of dates.
  if (dataType === 'date')
    return { type, isDay: true, ...(defaultPrecision === undefined ? {} : { precision: 0 }) }
  switch (type) {
    case 'Edm.Decimal':
      return { type, ...decimalFacets(first, second) }
    case 'Edm.Binary':
    case 'Edm.String':
      return first === undefined || first < 1 ? { type } : { type, maxLength: first }
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
    case 'Edm.Time':
      return defaultPrecision === undefined ? { type } : { type, precision: first ?? defaultPrecision }
    default:
      return { type }
  }
}

/**
 * Returns the facets of a decimal column; none for negative scales and scales that exceed the precision, which CSDL
 * does not support.
 */
function decimalFacets(
  precision: number | undefined,
  scale = 0,
): { readonly precision?: number; readonly scale?: number } {
  if (precision === undefined || precision < 1) return {}
  return scale < 0 || scale > precision ? {} : { precision, scale }
}
