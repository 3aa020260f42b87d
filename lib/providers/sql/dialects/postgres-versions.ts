import type { VersionStatements } from '../dialect.js'
import { joined, parameter, sql } from '../sql-text.js'

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
