import type { EntityType, Property } from '../../edm/edm-model.js'
import { integerMaxima } from '../../edm/primitive-types/integer.js'
import type { Row } from '../../evaluation/row.js'
import { memberOf } from '../../evaluation/row.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { Column } from './column.js'
import type { ColumnValues } from './column-values.js'
import type { SqlDialect } from './dialect.js'
import { isTextDate } from './dialects/shared/text-dates.js'
import type { MappedTable } from './mapped-table.js'
import type { Sql } from './sql-text.js'
import { raw, sql } from './sql-text.js'

/** Returns true if SQL can increment all versions of a table without reading the row first. */
export function raisesInStatement(table: MappedTable): boolean {
  const { entityType } = table.set
  const tokens = tokensOf(table, entityType)
  return (
    tokens.every(({ type }) => integerMaxima.has(type)) &&
    entityType.derivedTypes.every((type) => tokensOf(table, type).length === tokens.length)
  )
}

/** Returns the concurrency tokens that the provider raises, which are those that the database does not compute. */
export function tokensOf(table: MappedTable, { concurrencyTokens }: EntityType): readonly Property[] {
  return concurrencyTokens
    .filter(({ storeGeneratedPattern: pattern }) => pattern !== 'Computed')
    .map((token) => fitted(token, table.column(token.name)))
}

/** Applies the narrower facets of the column: it must not round the difference between two versions away. */
function fitted(token: Property, column: Column | undefined): Property {
  const [most] = column?.facts.typeArguments ?? []
  if (most === undefined) return token
  const { type, precision = most, maxLength } = token
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
    case 'Edm.Time':
      return { ...token, precision: Math.min(precision, most) }
    case 'Edm.String':
    case 'Edm.Binary':
      return { ...token, maxLength: typeof maxLength === 'number' ? Math.min(maxLength, most) : most }
    default:
      return token
  }
}

/** A version that an update raises. */
export interface RaisedVersion {
  readonly column: Column
  readonly stored: Sql
  readonly next: Sql
}

/** Returns the versions that updates of a table raise; see {@link raisesInStatement}. */
export function raisedVersions(table: MappedTable): readonly RaisedVersion[] {
  return tokensOf(table, table.set.entityType).flatMap(({ name }) => {
    const column = table.column(name)
    if (column === undefined || column.facts.isGenerated) return []
    return [{ column, stored: raw(column.quoted), next: raised(column) }]
  })
}

/**
 * Raises the versions of rows that an update changes. A version from the client is used only if it is later, so that no
 * version is used twice.
 */
export function raiseInStatement(versions: readonly RaisedVersion[], values: ColumnValues): void {
  for (const { column, stored, next } of versions) {
    const given = values.get(column)
    values.set(
      column,
      given === undefined
        ? next
        : sql`case when ${stored} is null then coalesce(${given}, ${next}) when ${given} > ${stored} then ${given} else ${next} end`,
    )
  }
}

/** Returns the next value of an integer version, which wraps around to 0. */
function raised({ quoted, type }: Column): Sql {
  return raw(
    `case when ${quoted} >= ${String(integerMaxima.get(type) ?? 0)} then 0 when ${quoted} is null then 1 else ${quoted} + 1 end`,
  )
}

const versionColumns = new WeakMap<MappedTable, readonly Column[]>()

/** Returns the conditions that a row has a version. */
export function hasVersion(table: MappedTable, version: Row, dialect: SqlDialect): readonly Sql[] {
  const columns = getOrCreate(versionColumns, table, () => versionColumnsOf(table))
  return columns.map((column) => isValue(column, memberOf(version, column.property.name), dialect))
}

function versionColumnsOf(table: MappedTable): readonly Column[] {
  const { entityType } = table.set
  const types = [entityType, ...entityType.derivedTypes]
  // The version of a row of another type has null for the tokens of a derived type.
  const names = new Set(types.flatMap(({ concurrencyTokens }) => concurrencyTokens.map(({ name }) => name)))
  return [...names].flatMap((name) => table.column(name) ?? [])
}

function isValue(column: Column, value: unknown, dialect: SqlDialect): Sql {
  const { quoted, type, nullable } = column
  const stored = raw(quoted)
  if (value === null || value === undefined) return sql`${stored} is null`
  const literal = dialect.literal(value, type)
  // A time from the client can have more digits than any that the database stores.
  if (isTextDate(type) && literal?.literal?.exact === false) return raw('(1 = 0)')
  const [left, right] =
    literal?.literal?.exact === true
      ? [dialect.comparable({ sql: stored, type, nullable, column }, type), dialect.comparable(literal, type)]
      : []
  // Equal times, or numbers, may be stored in several formats.
  return left === undefined || right === undefined
    ? dialect.isSame(stored, dialect.stored(column, value))
    : dialect.isSame(left, right)
}
