import type { EntityType, Property } from '../../edm/edm-model.js'
import { integerMaxima } from '../../edm/primitive-types/integer.js'
import type { Row } from '../../evaluation/row.js'
import { memberOf } from '../../evaluation/row.js'
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

/**
 * Raises the versions of rows that an update changes. A version from the client is used only if it is later, so that no
 * version is used twice.
 */
export function raiseInStatement(table: MappedTable, values: ColumnValues): void {
  for (const { name } of tokensOf(table, table.set.entityType)) {
    const column = table.column(name)
    if (column === undefined || column.facts.isGenerated) continue
    const given = values.get(column)
    const stored = raw(column.quoted)
    const next = raised(column)
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

/** Returns the conditions that a row has a version. */
export function hasVersion(table: MappedTable, version: Row, dialect: SqlDialect): readonly Sql[] {
  const { entityType } = table.set
  const types = [entityType, ...entityType.derivedTypes]
  // The version of a row of another type has null for the tokens of a derived type.
  const names = new Set(types.flatMap(({ concurrencyTokens }) => concurrencyTokens.map(({ name }) => name)))
  return [...names].flatMap((name) => {
    const column = table.column(name)
    return column === undefined ? [] : [isValue(column, memberOf(version, name), dialect)]
  })
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
