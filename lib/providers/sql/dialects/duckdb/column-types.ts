import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column, ColumnFacts, ColumnType } from '../../column.js'
import { withFacets } from '../shared/column-facets.js'
import type { ColumnGroup } from '../shared/column-groups.js'
import { canStore } from '../shared/column-groups.js'

interface TypeFacts {
  readonly type: PrimitiveTypeName
  readonly group: ColumnGroup
  /** The number of digits of a second. */
  readonly digits?: number
}

/** The types of columns that the database compares as the service does; all others are strings. */
const types: Readonly<Record<string, TypeFacts>> = {
  boolean: { type: 'Edm.Boolean', group: 'boolean' },
  tinyint: { type: 'Edm.SByte', group: 'tiny' },
  utinyint: { type: 'Edm.Byte', group: 'tiny' },
  smallint: { type: 'Edm.Int16', group: 'whole' },
  usmallint: { type: 'Edm.Int32', group: 'whole' },
  integer: { type: 'Edm.Int32', group: 'whole' },
  uinteger: { type: 'Edm.Int64', group: 'long' },
  bigint: { type: 'Edm.Int64', group: 'long' },
  ubigint: { type: 'Edm.Decimal', group: 'decimal' },
  hugeint: { type: 'Edm.Decimal', group: 'decimal' },
  uhugeint: { type: 'Edm.Decimal', group: 'decimal' },
  decimal: { type: 'Edm.Decimal', group: 'decimal' },
  float: { type: 'Edm.Single', group: 'float' },
  double: { type: 'Edm.Double', group: 'float' },
  varchar: { type: 'Edm.String', group: 'text' },
  enum: { type: 'Edm.String', group: 'other' },
  uuid: { type: 'Edm.Guid', group: 'guid' },
  blob: { type: 'Edm.Binary', group: 'bytes' },
  date: { type: 'Edm.DateTime', group: 'timestamp', digits: 0 },
  timestamp: { type: 'Edm.DateTime', group: 'timestamp', digits: 6 },
  timestamp_s: { type: 'Edm.DateTime', group: 'timestamp', digits: 0 },
  timestamp_ms: { type: 'Edm.DateTime', group: 'timestamp', digits: 3 },
  // The service has seven of its nine digits.
  timestamp_ns: { type: 'Edm.DateTime', group: 'timestamp', digits: 7 },
  'timestamp with time zone': { type: 'Edm.DateTimeOffset', group: 'timestamp', digits: 6 },
  time: { type: 'Edm.Time', group: 'time', digits: 6 },
  time_ns: { type: 'Edm.Time', group: 'time', digits: 7 },
}

/** Maps the type of a column. Lists, structures, intervals and other types without an equivalent in CSDL become strings. */
export function duckdbColumnType(facts: ColumnFacts): ColumnType {
  const { type, digits } = types[facts.dataType] ?? { type: 'Edm.String' }
  // The arguments of ENUM, and of a structure, are not lengths.
  const own = type === 'Edm.Decimal' || type === 'Edm.DateTime' ? facts : { ...facts, typeArguments: [] }
  return withFacets(type, own, digits)
}

/** Returns true if a column stores the values of a property type without changing them. */
export function fitsDuckdb(type: PrimitiveTypeName, { dataType }: ColumnFacts): boolean {
  return type === 'Edm.String' || canStore(types[dataType]?.group ?? 'other', type)
}

/** Returns true if the database compares the values of a column as the service compares those of its property. */
export function isComparable({ type, facts: { dataType } }: Column): boolean {
  if (dataType === 'timestamp_ns' || dataType === 'time_ns') return false
  if (type === 'Edm.String') return dataType === 'varchar' || dataType === 'enum'
  if (type === 'Edm.Guid') return dataType === 'uuid'
  return types[dataType] !== undefined && types[dataType].group !== 'text'
}

/** The types that the database converts to JSON, in contrast to its own format of them. */
const nested = /^(?:struct|map|union|variant)\b|\]$/

/** Returns the name of the type in the database without its arguments. */
export function parseType(
  text: string,
): Pick<ColumnFacts, 'dataType' | 'typeArguments' | 'members' | 'isJson'> {
  const lower = text.toLowerCase()
  if (nested.test(lower)) return { dataType: 'nested', typeArguments: [], isJson: true }
  const [, dataType = '', list = ''] = /^([^(]*)(?:\((.*)\))?$/s.exec(text) ?? []
  const name = dataType.toLowerCase()
  if (name === 'enum') {
    const members = [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, one = '']) => one.replaceAll("''", "'"))
    return { dataType: name, typeArguments: [], members }
  }
  const typeArguments = name === 'decimal' ? list.split(',').map(Number) : []
  return { dataType: name, typeArguments, ...(name === 'json' ? { isJson: true } : {}) }
}
