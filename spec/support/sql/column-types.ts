import type { PrimitiveTypeName } from '../../../lib/edm/primitive-types/primitive-type-name.js'

export type DatabaseKind = 'sqlite' | 'postgres' | 'mysql'
/** With databases that specs fill, but which are read-only for services. */
export type FilledKind = DatabaseKind | 'duckdb'

/** The type of a column by that of its property. */
export const columnTypes: Readonly<Record<FilledKind, Readonly<Record<PrimitiveTypeName, string>>>> = {
  sqlite: {
    'Edm.Binary': 'blob',
    'Edm.Boolean': 'boolean',
    'Edm.Byte': 'integer',
    'Edm.SByte': 'integer',
    'Edm.Int16': 'integer',
    'Edm.Int32': 'integer',
    'Edm.Int64': 'integer',
    'Edm.Decimal': 'text',
    'Edm.Double': 'real',
    'Edm.Single': 'real',
    'Edm.String': 'text',
    'Edm.Guid': 'text',
    'Edm.DateTime': 'text',
    'Edm.DateTimeOffset': 'text',
    'Edm.Time': 'text',
  },
  postgres: {
    'Edm.Binary': 'bytea',
    'Edm.Boolean': 'boolean',
    'Edm.Byte': 'smallint',
    'Edm.SByte': 'smallint',
    'Edm.Int16': 'smallint',
    'Edm.Int32': 'integer',
    'Edm.Int64': 'bigint',
    'Edm.Decimal': 'numeric',
    'Edm.Double': 'double precision',
    'Edm.Single': 'real',
    'Edm.String': 'text',
    'Edm.Guid': 'uuid',
    'Edm.DateTime': 'timestamp',
    'Edm.DateTimeOffset': 'timestamptz',
    'Edm.Time': 'time',
  },
  mysql: {
    'Edm.Binary': 'longblob',
    'Edm.Boolean': 'boolean',
    'Edm.Byte': 'tinyint unsigned',
    'Edm.SByte': 'tinyint',
    'Edm.Int16': 'smallint',
    'Edm.Int32': 'int',
    'Edm.Int64': 'bigint',
    'Edm.Decimal': 'decimal(40, 10)',
    'Edm.Double': 'double',
    'Edm.Single': 'float',
    // A text in a key has a length.
    'Edm.String': 'varchar(200) character set utf8mb4',
    'Edm.Guid': 'char(36)',
    'Edm.DateTime': 'datetime(6)',
    'Edm.DateTimeOffset': 'datetime(6)',
    'Edm.Time': 'time(6)',
  },
  duckdb: {
    'Edm.Binary': 'blob',
    'Edm.Boolean': 'boolean',
    'Edm.Byte': 'utinyint',
    'Edm.SByte': 'tinyint',
    'Edm.Int16': 'smallint',
    'Edm.Int32': 'integer',
    'Edm.Int64': 'bigint',
    'Edm.Decimal': 'decimal(38, 10)',
    'Edm.Double': 'double',
    'Edm.Single': 'float',
    'Edm.String': 'varchar',
    'Edm.Guid': 'uuid',
    'Edm.DateTime': 'timestamp',
    'Edm.DateTimeOffset': 'timestamptz',
    'Edm.Time': 'time',
  },
}

/** A name as it stands in statements. */
export function quoted(name: string, kind: FilledKind): string {
  return kind === 'mysql' ? `\`${name}\`` : `"${name}"`
}
