import type { SessionControl, VersionStatements } from '../dialect.js'
import { joined, parameter, sql } from '../sql-text.js'

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

/**
 * Equal snapshots see the same commits, and no snapshot returns after another one. A standby does not list the running
 * transactions in its snapshots, so that they tell nothing about its data.
 */
export const postgresVersions: VersionStatements = {
  current: sql`select case when pg_is_in_recovery() then null else pg_current_snapshot()::text end as version`,

  // Snapshots do not cover rows that are computed, filtered by session, or stored elsewhere.
  untracked: (tables) => sql`select t.name as name
    from (values ${joined(
      tables.map((name) => sql`(${parameter(name)}::text)`),
      ', ',
    )}) as t(name)
    join pg_catalog.pg_class as c on c.oid = t.name::regclass
    where c.relkind not in ('r', 'p', 'm') or c.relrowsecurity or exists
      (select 1 from pg_catalog.pg_inherits as i join pg_catalog.pg_class as child on child.oid = i.inhrelid
        where i.inhparent = c.oid and child.relkind = 'f')`,
}
