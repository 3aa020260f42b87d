import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from './column.js'
import type { SqlDialect } from './dialect.js'
import { fitsSqlite } from './dialects/sqlite/column-types.js'

/** Groups of column types. */
type Kind =
  | 'tiny'
  | 'whole'
  | 'long'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'text'
  | 'bytes'
  | 'bit'
  | 'guid'
  | 'time'
  | 'timestamp'
  | 'other'

const kinds: Readonly<Record<PrimitiveTypeName, readonly Kind[]>> = {
  'Edm.Binary': ['bytes', 'bit'],
  'Edm.Boolean': ['boolean', 'tiny', 'bit'],
  'Edm.Byte': ['whole', 'tiny'],
  'Edm.SByte': ['whole', 'tiny'],
  'Edm.Int16': ['whole', 'tiny'],
  'Edm.Int32': ['whole', 'tiny'],
  'Edm.Int64': ['whole', 'tiny', 'long'],
  'Edm.Decimal': ['decimal', 'whole', 'tiny', 'long'],
  'Edm.Double': ['float'],
  'Edm.Single': ['float'],
  'Edm.String': ['text', 'guid', 'other'],
  'Edm.Guid': ['guid', 'text'],
  'Edm.DateTime': ['timestamp'],
  'Edm.DateTimeOffset': ['timestamp'],
  'Edm.Time': ['time'],
}

const postgresKinds: Readonly<Record<string, Kind>> = {
  int2: 'whole',
  int4: 'whole',
  int8: 'long',
  numeric: 'decimal',
  float4: 'float',
  float8: 'float',
  bool: 'boolean',
  bytea: 'bytes',
  uuid: 'guid',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  date: 'timestamp',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
}

const mysqlKinds: Readonly<Record<string, Kind>> = {
  tinyint: 'tiny',
  smallint: 'whole',
  mediumint: 'whole',
  int: 'whole',
  bigint: 'whole',
  year: 'whole',
  decimal: 'decimal',
  float: 'float',
  double: 'float',
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  uuid: 'guid',
  binary: 'bytes',
  varbinary: 'bytes',
  tinyblob: 'bytes',
  blob: 'bytes',
  mediumblob: 'bytes',
  longblob: 'bytes',
  bit: 'bit',
  date: 'timestamp',
  datetime: 'timestamp',
  timestamp: 'timestamp',
  time: 'time',
}

/** Returns true if a column stores the values of a property type without changing them. */
export function fitsColumn(
  dialect: SqlDialect['name'],
  type: PrimitiveTypeName,
  facts: ColumnFacts,
): boolean {
  if (dialect === 'postgres') {
    // PostgreSQL converts every type to text and back.
    return type === 'Edm.String' || kinds[type].includes(postgresKinds[facts.dataType] ?? 'other')
  }
  // Several bits are not a Boolean.
  if (type === 'Edm.Boolean' && facts.dataType === 'bit' && dialect === 'mysql')
    return facts.typeArguments[0] === 1
  if (dialect === 'mysql') return kinds[type].includes(mysqlKinds[facts.dataType] ?? 'other')
  return fitsSqlite(type, facts)
}
