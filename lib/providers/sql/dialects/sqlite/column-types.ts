import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { isNumeric, primitiveTypeNames } from '../../../../edm/primitive-types/primitive-type-name.js'
import { computeOnce } from '../../../../util/get-or-create.js'
import type { Column, ColumnFacts, ColumnType } from '../../column.js'
import { withFacets } from '../shared/column-facets.js'

type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric'

/** Returns the affinity of a declared type in lower case, by the five rules of SQLite in their order. */
function affinityOfType(dataType: string): Affinity {
  if (dataType.includes('int')) return 'integer'
  if (/char|clob|text/.test(dataType)) return 'text'
  if (dataType === '' || dataType.includes('blob')) return 'blob'
  return /real|floa|doub/.test(dataType) ? 'real' : 'numeric'
}

/** Returns the affinity of a column, which each change of a value needs. */
const affinityOf = computeOnce(({ dataType }: Pick<ColumnFacts, 'dataType'>) => affinityOfType(dataType))

/** Names of integers. Others, such as `point` and `interval`, have integer affinity by accident. */
const integerName = /\b(?:tiny|small|medium|big|long)?int(?:eger|\d+)?\b/

type NamedType = readonly [RegExp, PrimitiveTypeName]

const integers: readonly NamedType[] = [
  [/^(?:tinyint|smallint|int2\b|unsigned tinyint)/, 'Edm.Int16'],
  [/^(?:mediumint|int4\b|int32\b)/, 'Edm.Int32'],
  // All integers of SQLite have 64 bits.
  [/^/, 'Edm.Int64'],
]

/** Types whose values can be strings. */
const strings: readonly NamedType[] = [
  [/^(?:datetimeoffset|timestamptz|timestamp with time zone)/, 'Edm.DateTimeOffset'],
  [/^(?:date|smalldatetime|timestamp)/, 'Edm.DateTime'],
  [/^time/, 'Edm.Time'],
  [/^(?:decimal|dec$|numeric|number|money|smallmoney)/, 'Edm.Decimal'],
  [/^(?:guid|uuid|uniqueidentifier)/, 'Edm.Guid'],
]

const others: readonly NamedType[] = [
  [/^(?:bool|bit$)/, 'Edm.Boolean'],
  [/serial/, 'Edm.Int64'],
  ...strings,
  [/real|floa|doub/, 'Edm.Double'],
  [/binary|^image$|^bytea$/, 'Edm.Binary'],
]

/** Maps a declared type, such as those of other databases, to a type that fits its affinity. */
function typeOf({ dataType, typeArguments: [size = 0] }: ColumnFacts): PrimitiveTypeName {
  const named = (types: readonly NamedType[], otherwise: PrimitiveTypeName): PrimitiveTypeName =>
    types.find(([pattern]) => pattern.test(dataType))?.[1] ?? otherwise
  switch (affinityOfType(dataType)) {
    case 'integer':
      if (!integerName.test(dataType)) return named(others, 'Edm.String')
      // The Boolean type of MySQL.
      return dataType === 'tinyint' && size === 1 ? 'Edm.Boolean' : named(integers, 'Edm.Int64')
    case 'text':
      return named(strings, 'Edm.String')
    case 'blob':
      return dataType === '' || isJsonName(dataType) ? 'Edm.String' : 'Edm.Binary'
    case 'real':
      return 'Edm.Double'
    case 'numeric':
      return dataType === 'bit' && size > 1 ? 'Edm.Int64' : named(others, 'Edm.String')
  }
}

/** Maps the type of a column, with its facets. */
export function sqliteColumnType(facts: ColumnFacts): ColumnType {
  return withFacets(typeOf(facts), facts)
}

const ofStrings: readonly PrimitiveTypeName[] = ['Edm.DateTime', 'Edm.DateTimeOffset', 'Edm.Time', 'Edm.Guid']

/** The types that a column stores without changing values. All columns store strings of other characters than digits, and bytes. */
const stored: Readonly<Record<'integer' | 'text' | 'real', readonly PrimitiveTypeName[]>> = {
  text: [...ofStrings, 'Edm.Decimal'],
  integer: ['Edm.Boolean', ...primitiveTypeNames.filter(isNumeric)],
  real: ['Edm.Double', 'Edm.Single', 'Edm.Decimal'],
}

/** Returns true if a column of SQLite stores the values of a property type. */
export function fitsSqlite(type: PrimitiveTypeName, { dataType, isExpression }: ColumnFacts): boolean {
  const affinity = affinityOfType(dataType)
  if (isExpression === true || affinity === 'blob' || affinity === 'numeric') return true
  if (affinity === 'integer' && !integerName.test(dataType)) return true
  return type === 'Edm.String' || type === 'Edm.Binary' || stored[affinity].includes(type)
}

/** Returns true if the values of a column can have any type, because it has none: untyped columns, and those of views. */
export function isUntyped({ dataType, isExpression }: ColumnFacts): boolean {
  return dataType === '' || dataType === 'any' || isExpression === true
}

/** Returns true if the declared type has numeric affinity: strings of digits become numbers. */
export function convertsDigits({ facts }: Pick<Column, 'facts'>): boolean {
  const affinity = affinityOf(facts)
  return affinity !== 'text' && affinity !== 'blob'
}

/** Returns true if a column of strings can contain numbers. */
export function hasNumbers({ facts }: Pick<Column, 'facts'>): boolean {
  return facts.isExpression === true || affinityOf(facts) !== 'text'
}

/** Returns true if a column may contain JSON in the binary format of SQLite. */
export function isJsonName(dataType: string): boolean {
  return dataType.includes('json')
}
