import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts, ColumnType } from '../../column.js'
import { withFacets } from '../shared/column-facets.js'
import type { ColumnGroup } from '../shared/column-groups.js'
import { canStore } from '../shared/column-groups.js'

const types: Readonly<Record<string, PrimitiveTypeName>> = {
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

/** Maps the type of a column. Arrays, ranges, JSON and other types without an equivalent in CSDL become strings. */
export function postgresColumnType(facts: ColumnFacts): ColumnType {
  return withFacets(types[facts.dataType] ?? 'Edm.String', facts, 6)
}

const groups: Readonly<Record<string, ColumnGroup>> = {
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

/** Text types that are equal only if they have the same characters. Blanks at the end of `bpchar` are padding. */
const exactTexts: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'name'])

/** Returns true if the database treats different strings as equal, by the collation or the type, such as `citext`. */
export function equalsOtherStrings({ dataType, isLoose }: ColumnFacts): boolean {
  return isLoose === true || (types[dataType] === undefined && !exactTexts.has(dataType))
}

/** Returns true if a column stores the values of a property type without changing them. */
export function fitsPostgres(type: PrimitiveTypeName, { dataType }: ColumnFacts): boolean {
  // PostgreSQL converts every type to text and back.
  return type === 'Edm.String' || canStore(groups[dataType] ?? 'other', type)
}
