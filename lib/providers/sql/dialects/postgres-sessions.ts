import type { SessionControl } from '../dialect.js'
import { parameter, sql } from '../sql-text.js'

/** So many characters of a statement every server shows of what it does; characters may take four bytes. */
const shown = 200

/** Dates and numbers are read as text, which a role or a database may want to have in another form. */
const plainTexts = sql`set_config('DateStyle', 'ISO, ' || split_part(current_setting('DateStyle'), ', ', 2), false),
  set_config('extra_float_digits', greatest(current_setting('extra_float_digits')::int, 1)::text, false)`

/** A statement is stopped by its session, which must still be at it: behind a pooler it may be another's by then. */
export const postgresSessions: SessionControl = {
  begin(statementTimeout) {
    const session = sql`select pg_backend_pid() as "session", ${plainTexts}`
    if (statementTimeout === undefined) return session
    return sql`${session}, set_config('statement_timeout', ${parameter(String(statementTimeout))}, false)`
  },
  cancel: (session, text) =>
    sql`select pg_cancel_backend(pid) from pg_stat_activity where pid = ${parameter(session)} and state = 'active' and left(query, ${parameter(shown)}) = ${parameter(text.slice(0, shown))}`,
  isThere: (session) => sql`select 1 as "found" from pg_stat_activity where pid = ${parameter(session)}`,
  wasCancelled: (error) => (error as { readonly code?: unknown } | undefined)?.code === '57014',
}
