import type { ProviderCall } from '../../provider/provider-call.js'
import type { Column } from './column.js'
import { canHold } from './row-conditions.js'
import type { SqlDatabase } from './sql-database.js'
import { joined, sql } from './sql-text.js'

/**
 * Whether columns can hold values at all: what they cannot hold is the key of no row, and no fault of the database.
 * Which texts a type such as an enumeration or an address has, only the database knows: it is asked for those.
 */
export async function canBeKey(
  database: SqlDatabase,
  columns: readonly Column[],
  values: readonly unknown[],
  call: ProviderCall,
): Promise<boolean> {
  const { dialect } = database
  if (!canHold(dialect, columns, values)) return false
  const tried = columns.flatMap((column, index) =>
    dialect.hasTextsOfItsOwn?.(column) === true ? [dialect.stored(column, values[index])] : [],
  )
  if (tried.length === 0) return true
  try {
    await database.tried(call, sql`select ${joined(tried, ', ')}`)
    return true
  } catch (error) {
    if (dialect.writes?.fault(error)?.kind === 'value') return false
    throw error
  }
}
