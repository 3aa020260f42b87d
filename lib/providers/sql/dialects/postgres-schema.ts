import type { ColumnFacts } from '../column.js'
import type { DatabaseSchema, DatabaseTable, RunStatement } from '../database-schema.js'
import { sql } from '../sql-text.js'

/** Collations that compare code point by code point, when the database keeps its text in UTF-8. */
const ordinalCollations = new Set(['C', 'POSIX', 'ucs_basic', 'C.UTF-8', 'C.utf8', 'pg_c_utf8'])

/** Reads the tables and views of a PostgreSQL database, those of its own catalogue aside. */
export async function readPostgresSchema(run: RunStatement): Promise<DatabaseSchema> {
  const rows = await run(sql`
    select n.nspname as "schema", c.relname as "table", pg_table_is_visible(c.oid) as "visible", a.attname as "column",
      t.typname as "type", a.attnotnull as "required", a.atthasdef or a.attidentity <> '' as "hasDefault",
      a.attgenerated <> '' or a.attidentity = 'a' as "generated",
      case l.collname when 'default' then d.datcollate else l.collname end as "collation"
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_class as c on c.oid = a.attrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_type as t0 on t0.oid = a.atttypid
    join pg_catalog.pg_type as t on t.oid = case t0.typtype when 'd' then t0.typbasetype else t0.oid end
    join pg_catalog.pg_database as d on d.datname = current_database()
    left join pg_catalog.pg_collation as l on l.oid = a.attcollation
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
      and n.nspname not in ('pg_catalog', 'information_schema') and left(n.nspname, 8) <> 'pg_toast'
    order by n.nspname, c.relname, a.attnum`)
  const tables = new Map<string, DatabaseTable & { readonly columns: Map<string, ColumnFacts> }>()
  for (const row of rows) {
    const key = JSON.stringify([row.schema, row.table])
    const table = tables.get(key) ?? {
      schema: String(row.schema),
      name: String(row.table),
      isDefaultSchema: row.visible === true,
      columns: new Map<string, ColumnFacts>(),
    }
    tables.set(key, table)
    table.columns.set(String(row.column), factsOf(row))
  }
  return { tables: [...tables.values()] }
}

function factsOf(row: Readonly<Record<string, unknown>>): ColumnFacts {
  return {
    dataType: String(row.type),
    nullable: row.required !== true,
    ordinal: typeof row.collation !== 'string' || ordinalCollations.has(row.collation),
    hasDefault: row.hasDefault === true,
    isGenerated: row.generated === true,
  }
}
