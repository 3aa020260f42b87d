import type { EntityTable } from './entity-table.js'
import type { SqlDatabase } from './sql-database.js'

/**
 * Whether a statement that changes rows can return them as they are then. What triggers compute may be there only
 * afterwards: such rows are read once more.
 */
export function returnsRows(
  { columns, invalidValues }: EntityTable,
  { dialect, writes }: SqlDatabase,
): boolean {
  const hasTriggers = columns.some(
    ({ property, facts }) => property.storeGeneratedPattern === 'Computed' && !facts.isGenerated,
  )
  // A statement returns what is stored, be it valid or not.
  return dialect.returns && invalidValues === undefined && !(hasTriggers && writes.returnsBeforeTriggers)
}
