import type { ChangeStatement } from './dialect.js'
import type { EntityTable } from './entity-table.js'
import type { SqlDatabase } from './sql-database.js'

/**
 * Returns true if a statement that changes rows can return them. Rows that triggers may change after `returning` are read
 * again.
 */
export function supportsReturning(
  statement: ChangeStatement,
  table: EntityTable,
  database: SqlDatabase,
): boolean {
  // Statements return invalid values unchanged.
  return (
    hasReturning(statement, table, database) &&
    table.invalidValues === undefined &&
    !(table.hasTriggers && database.writes.returnsBeforeTriggers)
  )
}

/** Returns true if a statement has a `returning` clause with all columns of a table. */
export function hasReturning(
  statement: ChangeStatement,
  { columns }: EntityTable,
  { dialect }: SqlDatabase,
): boolean {
  const isLimited = statement === 'insert' && dialect.returnsSetColumnsOnly === true
  return (
    dialect.returning.includes(statement) &&
    !(isLimited && columns.some(({ facts }) => facts.refuses?.includes('insert') === true))
  )
}
