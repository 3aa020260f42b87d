import type { EntityType, Property } from '../../edm/edm-model.js'
import { isStoreGenerated } from '../../edm/edm-model.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { memberOf } from '../../evaluation/row.js'
import { isSameValue } from '../../evaluation/write-values.js'
import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
import type { MappedTable } from './mapped-table.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'

/** The SQL for new values by column. */
export type ColumnValues = Map<Column, Sql>

/** Returns true if the database may set the column in an insert without it. */
export function canFill({ facts, property }: Column, { isView }: MappedTable): boolean {
  // The defaults of a view are those of its tables.
  return (
    isView ||
    facts.hasDefault ||
    facts.isGenerated ||
    isStoreGenerated(property) ||
    property.computedDefaultValue === true
  )
}

/** Returns true if the model states that the database generates a value, but the column has none. */
export function isSetByTrigger({ property, facts }: Column): boolean {
  if (facts.isGenerated) return false
  if (property.storeGeneratedPattern === 'Computed') return true
  return !facts.hasDefault && (isStoreGenerated(property) || property.computedDefaultValue === true)
}

/** Returns the paths of the properties whose defaults only the database knows. */
export function storeDefaultsOf(table: MappedTable): ReadonlySet<string> {
  const filled = table.columns.filter(
    (column) => column.property.defaultValue === undefined && canFill(column, table),
  )
  return new Set(filled.map(({ path }) => path.join('/')))
}

/** Returns the values of a new entity by column, except those that the database generates. */
export function valuesOfInsert(
  table: MappedTable,
  type: EntityType,
  entity: Row,
  dialect: SqlDialect,
): ColumnValues {
  const values: ColumnValues = new Map()
  for (const column of table.columns) {
    const { path, facts, property } = column
    if (type.property(path[0] ?? '') === undefined || facts.isGenerated) continue
    const given = givenValue(path, entity)
    if (facts.refuses?.includes('insert') === true && isOmitted(property, given)) continue
    const value = given === undefined && !canFill(column, table) ? defaultOf(property) : given
    if (value === undefined || (value === null && facts.hasDefault && !facts.nullable)) continue
    values.set(column, storedValue(column, value, dialect))
  }
  return values
}

/**
 * Returns the changed values by column. A complex value changes with all members, except those that were generated.
 * Values that are stored in another format stay as they are.
 */
export function valuesOfUpdate(table: MappedTable, changes: Row, dialect: SqlDialect): ColumnValues {
  const values: ColumnValues = new Map()
  for (const column of table.columns) {
    const { path, facts, property } = column
    if (!Object.hasOwn(changes, path[0] ?? '') || facts.isGenerated) continue
    if (facts.refuses?.includes('update') === true) continue
    const given = givenValue(path, changes)
    if (given === undefined && path.length > 1 && canFill(column, table)) continue
    const value = given === undefined && path.length > 1 ? defaultOf(property) : given
    const stored = storedValue(column, value, dialect)
    const isStored = dialect.hasStored?.(column, value)
    const current = raw(column.quoted)
    values.set(
      column,
      isStored === undefined ? stored : sql`case when ${isStored} then ${current} else ${stored} end`,
    )
  }
  return values
}

/** Checks that changes do not change fixed columns. @throws ODataError Forbidden */
export function checkFixedColumns(fixed: readonly Column[], changes: Row, current: Row): void {
  for (const { path, property } of fixed) {
    const given = givenValue(path, changes)
    if (given === undefined || isSameValue(property, given, givenValue(path, current) ?? null)) continue
    throw new ODataError('Forbidden', {
      message: `The database does not allow changes of '${path.join('/')}'.`,
    })
  }
}

/** Returns the assignments after `set`. */
export function assignments(values: ColumnValues): Sql {
  return joined(
    [...values].map(([{ quoted }, value]) => sql`${raw(quoted)} = ${value}`),
    ', ',
  )
}

/** @throws ODataError BadRequest when the column cannot hold the value */
function storedValue(column: Column, value: unknown, dialect: SqlDialect): Sql {
  const isMissing = value === null || value === undefined
  const reason = isMissing ? missing(column) : dialect.misfit?.(column, value)
  if (reason !== undefined) {
    throw new ODataError('BadRequest', { message: `Property '${column.path.join('/')}': ${reason}.` })
  }
  return dialect.stored(column, value)
}

/** Returns why null is invalid: the error of the database would name the column instead of the property. */
function missing({ facts }: Column): string | undefined {
  return facts.nullable ? undefined : 'a value is required'
}

/** Returns true for null, and for the default of the model, which the service adds. */
function isOmitted(property: Property, given: unknown): boolean {
  return given === null || given === undefined || isSameValue(property, given, defaultOf(property))
}

function givenValue(path: readonly string[], values: Row): unknown {
  let value: unknown = values
  for (const name of path) {
    if (value === undefined || value === null) return value
    value = memberOf(value as Row, name)
  }
  return value
}

function defaultOf({ defaultValue, type }: Property): unknown {
  if (defaultValue === undefined || typeof type !== 'string') return null
  return primitiveTypes[type].parse(defaultValue)
}
