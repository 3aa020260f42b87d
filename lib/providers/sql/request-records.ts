import { ODataError } from '../../errors/odata-error.js'
import type { RequestRecords } from '../../provider/request-records.js'
import type { ChangeCall } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import { parameter, raw, sql } from './sql-text.js'

/** Stores the records of repeatable requests in the table that `keepRequests` creates. */
export function sqlRequestRecords(database: SqlDatabase): RequestRecords {
  const { insertUnlessTaken } = database.writes
  const [begin, end] = [raw(insertUnlessTaken[0]), raw(insertUnlessTaken[1])]
  return {
    add: ({ id, expires }, call) =>
      withHint(async () => {
        const values = sql`${parameter(id)}, ${parameter(expires.getTime())}, ${parameter('')}`
        const insert = sql`${begin} odata_requests (id, expires, response) values (${values})${end}`
        // The database waits for other change sets that have inserted the id.
        return (await database.write(insert, call as ChangeCall)).count > 0
      }),
    complete: (id, response, call) =>
      withHint(async () => {
        const update = sql`update odata_requests set response = ${parameter(response)} where id = ${parameter(id)}`
        await database.write(update, call as ChangeCall)
      }),
    find: (id, call) =>
      withHint(async () => {
        // A replica may be behind.
        const select = sql`select response from odata_requests where id = ${parameter(id)}`
        const [row] = await database.runOnPrimary(select, call)
        return row === undefined ? undefined : String(row.response)
      }),
    prune: (now, call) =>
      withHint(async () => {
        const remove = sql`delete from odata_requests where expires < ${parameter(now.getTime())}`
        await database.runOnPrimary(remove, call)
      }),
  }
}

/** Names the probable reason of an error of the database. Clients cannot help a missing privilege. */
async function withHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ODataError && error.status !== 403) throw error
    const message =
      'repeatableRequests: the table odata_requests cannot be used. Call keepRequests(db) in a migration. Grant select, insert, update and delete on it.'
    throw new TypeError(message, { cause: error })
  }
}
