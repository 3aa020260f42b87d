import type { EntityTable } from './entity-table.js'
import type { SqlDatabase } from './sql-database.js'

/**
 * Whether a statement that changes rows can return them as they are then. What triggers compute may be there only
 * afterwards: such rows are read once more.
 */
export function returnsRows({ columns }: EntityTable, { dialect, writes }: SqlDatabase): boolean {
  const hasTriggers = columns.some(
    ({ property, facts }) => property.storeGeneratedPattern === 'Computed' && !facts.isGenerated,
  )
  return dialect.returns && !(hasTriggers && writes.returnsBeforeTriggers)
}
