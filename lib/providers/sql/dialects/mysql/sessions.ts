import type { SessionControl } from '../../dialect.js'
import { asciiStart } from '../shared/shared-sql.js'
import { joined, parameter, raw, sql } from '../../sql-text.js'

/** Error number of statements that were cancelled. */
const QUERY_INTERRUPTED = 1317

/**
 * Cancels statements of MySQL and MariaDB. The command has no condition, so the list of processes is searched before: behind
 * a load balancer, the number may be that of another session on another server. A command that comes too late cancels a
 * statement without effect.
 */
export const mysqlSessions: SessionControl = {
  // The driver escapes quotes with backslashes, which must not be ordinary characters. Without strict mode, values that a
  // column cannot store would be shortened or replaced.
  settings: sql`set session sql_mode = concat(replace(@@sql_mode, 'NO_BACKSLASH_ESCAPES', ''), ',STRICT_ALL_TABLES')`,
  begin: () => sql`select connection_id() as session`,
  cancel: (session) => sql`kill query ${raw(String(Number(session)))}`,
  // The driver has replaced the parameters.
  isRunning(session, texts) {
    const starts = texts.map((text) => {
      const [start = ''] = asciiStart(text).split('?')
      return sql`left(info, ${parameter(start.length)}) = ${parameter(start)}`
    })
    return sql`select 1 as found from information_schema.processlist where id = ${parameter(session)} and (${joined(starts, ' or ')})`
  },
  noop: sql`do 0`,
  isThere: (session) =>
    sql`select 1 as found from information_schema.processlist where id = ${parameter(session)}`,
  wasCancelled: (error) => (error as { readonly errno?: unknown } | undefined)?.errno === QUERY_INTERRUPTED,
}
