import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { TableDialect } from '../../tables/table-dialect.js'
import type { ColumnPlan } from '../../tables/table-plan.js'
import { decimalArguments, quotedText } from '../shared/table-types.js'

/** The number of decimal digits that a floating-point number of SQLite stores exactly. */
const EXACT_DIGITS = 15

const types: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'smallint',
  'Edm.SByte': 'smallint',
  'Edm.Int16': 'smallint',
  'Edm.Int32': 'mediumint',
  // A key of this type is the row id.
  'Edm.Int64': 'integer',
  'Edm.Double': 'double',
  'Edm.Single': 'real',
  'Edm.Guid': 'uuid',
  'Edm.DateTimeOffset': 'timestamptz',
  'Edm.Time': 'time',
}

function typeOf(column: ColumnPlan): string {
  const { type, maxLength, precision, isDay } = column
  switch (type) {
    case 'Edm.String':
      return typeof maxLength === 'number' ? `varchar(${String(maxLength)})` : 'text'
    case 'Edm.Binary':
      return typeof maxLength === 'number' ? `varbinary(${String(maxLength)})` : 'blob'
    case 'Edm.Decimal':
      // As numbers, longer decimals would lose digits.
      return `decimal${(precision ?? Infinity) > EXACT_DIGITS ? '_text' : ''}${decimalArguments(column)}`
    case 'Edm.DateTime':
      return isDay ? 'date' : 'datetime'
    default:
      return types[type] ?? 'text'
  }
}

/** Random bytes as a GUID of version 4. */
const newGuid =
  "(lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || " +
  "substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))"

export const sqliteTables: TableDialect = {
  columnTypes: (columns) => columns.map(typeOf),
  identity: undefined,
  identityKey: 'integer primary key autoincrement',
  newGuid,
  text: quotedText,
  bytes: (hexadecimal) => `x'${hexadecimal}'`,
  defaultClause: (literal) => ` default ${literal}`,
  hasZones: true,
  tableOptions: '',
  maxNameLength: undefined,
  ignoresCase: true,
  hasInlineReferences: true,
  indexesReferences: false,
  comments: undefined,
  addsConstantsOnly: true,
  losesClauses: false,
}
