import type { ProviderCall } from '../../provider/provider-call.js'
import type { MaybePromise } from '../../util/maybe-promise.js'
import type { Column } from './column.js'
import { canHold } from './row-conditions.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { joined, sql } from './sql-text.js'

/**
 * Whether columns can hold values at all: what they cannot hold is the key of no row, and no fault of the database.
 * Which texts a type such as an enumeration or an address has, only the database knows: it is asked for those.
 */
export function canBeKey(
  database: SqlDatabase,
  columns: readonly Column[],
  values: readonly unknown[],
  call: ProviderCall,
): MaybePromise<boolean> {
  const { dialect } = database
  if (!canHold(dialect, columns, values)) return false
  if (dialect.hasTextsOfItsOwn === undefined) return true
  const tried = columns.flatMap((column, index) =>
    dialect.hasTextsOfItsOwn?.(column) === true ? [dialect.stored(column, values[index])] : [],
  )
  return tried.length === 0 || areValues(database, tried, call)
}

async function areValues(database: SqlDatabase, tried: readonly Sql[], call: ProviderCall): Promise<boolean> {
  try {
    await database.tried(call, sql`select ${joined(tried, ', ')}`)
    return true
  } catch (error) {
    if (database.dialect.writes?.fault(error)?.kind === 'value') return false
    throw error
  }
}
