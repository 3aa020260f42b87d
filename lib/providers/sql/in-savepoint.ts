import type { ChangeCall } from './change-call.js'
import type { Sql } from './sql-text.js'
import { sql } from './sql-text.js'

interface WritingDatabase {
  write(statement: Sql, call: ChangeCall): Promise<unknown>
}

/** Runs statements in a savepoint: when one fails, the change set continues without them. */
export async function inSavepoint<T>(
  database: WritingDatabase,
  call: ChangeCall,
  work: () => Promise<T>,
): Promise<T> {
  await database.write(sql`savepoint attempt`, call)
  try {
    const result = await work()
    await database.write(sql`release savepoint attempt`, call)
    return result
  } catch (error) {
    call.changeSet.failed = undefined
    try {
      await database.write(sql`rollback to savepoint attempt`, call)
      await database.write(sql`release savepoint attempt`, call)
    } catch {
      // A deadlock has rolled back the whole change set.
      call.changeSet.failed = { error }
    }
    throw error
  }
}
