import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { TableDialect } from '../../tables/table-dialect.js'
import type { ColumnPlan } from '../../tables/table-plan.js'
import { decimalArguments, quotedText } from '../shared/table-types.js'

const MAX_FRACTION_DIGITS = 6
/** The bytes of all columns of a row, except those of `text` and `blob`. The rest of the limit is for their pointers. */
const MAX_ROW_BYTES = 60_000
const BYTES_PER_CHARACTER = 4
/** An index contains at most 3,072 bytes. */
const MAX_INDEXED_CHARACTERS = 768
const DEFAULT_INDEXED_CHARACTERS = 255
/** The lengths above which strings and bytes become `longtext` and `longblob`; the first that a row has space for is used. */
const LONGEST_IN_ROW = [4_000, 1_000, 255, 64, 0]

const types: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  'Edm.Boolean': 'tinyint(1)',
  'Edm.Byte': 'tinyint unsigned',
  'Edm.SByte': 'tinyint',
  'Edm.Int16': 'smallint',
  'Edm.Int32': 'int',
  'Edm.Int64': 'bigint',
  'Edm.Double': 'double',
  'Edm.Single': 'float',
}

/** Returns the length of a column with indexes, which must have one. */
function indexedLength({ maxLength }: ColumnPlan): number {
  return typeof maxLength === 'number'
    ? Math.min(maxLength, MAX_INDEXED_CHARACTERS)
    : DEFAULT_INDEXED_CHARACTERS
}

/** @param longest the maximum length of strings and bytes in the row */
function typeOf(column: ColumnPlan, longest: number, guid: string): string {
  const { type, maxLength, precision, scale, identifies, isDay } = column
  const digits = String(Math.min(precision ?? MAX_FRACTION_DIGITS, MAX_FRACTION_DIGITS))
  const length = identifies ? indexedLength(column) : maxLength
  const isInRow = typeof length === 'number' && (identifies || length <= longest)
  switch (type) {
    case 'Edm.String':
      return isInRow ? `varchar(${String(length)})` : 'longtext'
    case 'Edm.Binary':
      return isInRow ? `varbinary(${String(length)})` : 'longblob'
    case 'Edm.Decimal':
      return `decimal${decimalArguments(precision === undefined ? { precision: 65, scale: 30 } : { precision, scale })}`
    case 'Edm.DateTime':
      return isDay ? 'date' : `datetime(${digits})`
    case 'Edm.DateTimeOffset':
      // In UTC: a timestamp ends in 2038.
      return `datetime(${digits})`
    case 'Edm.Time':
      return `time(${digits})`
    case 'Edm.Guid':
      return guid
    default:
      return types[type] ?? 'longtext'
  }
}

function bytesOf(type: string): number {
  const [, name, length = '0'] = /^(varchar|varbinary)\((\d+)\)$/.exec(type) ?? []
  if (name === undefined) return 36 * BYTES_PER_CHARACTER
  return Number(length) * (name === 'varchar' ? BYTES_PER_CHARACTER : 1)
}

/** @param collation one that compares strings exactly, trailing blanks included */
function tablesOf(collation: string, guid: string): TableDialect {
  return {
    columnTypes(columns) {
      const candidates = LONGEST_IN_ROW.map((longest) => columns.map((one) => typeOf(one, longest, guid)))
      const fits = (all: readonly string[]): boolean =>
        all.reduce((sum, one) => sum + bytesOf(one), 0) <= MAX_ROW_BYTES
      return candidates.find(fits) ?? candidates.at(-1) ?? []
    },
    identity: ' auto_increment',
    newGuid: '(uuid())',
    text: (value) => quotedText(value.replaceAll('\\', '\\\\')),
    bytes: (hexadecimal) => `x'${hexadecimal}'`,
    defaultClause: (literal, type) => (/^long/.test(type) ? ` default (${literal})` : ` default ${literal}`),
    hasZones: false,
    tableOptions: ` default character set utf8mb4 collate ${collation}`,
    maxNameLength: 64,
    ignoresCase: true,
    hasInlineReferences: false,
    indexesReferences: true,
    comments: 'clauses',
    changeType: (_column, _type, definition) => `modify column ${definition}`,
    losesClauses: true,
    allowNull: (_column, definition) => `modify column ${definition}`,
  }
}

export const mysqlTables = tablesOf('utf8mb4_0900_bin', 'char(36)')
export const mariaDbTables = tablesOf('utf8mb4_nopad_bin', 'uuid')
