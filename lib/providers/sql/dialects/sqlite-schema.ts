import type { ColumnFacts } from '../column.js'
import type { DatabaseSchema, DatabaseTable, RunStatement } from '../database-schema.js'
import { sql } from '../sql-text.js'

/** Reads the tables and views of an SQLite database. */
export async function readSqliteSchema(run: RunStatement): Promise<DatabaseSchema> {
  const rows = await run(sql`
    select m.name as "table", m.sql as "definition", c.name as "column", c.type as "type", c."notnull" as "required",
      c.dflt_value is not null as "hasDefault", c.hidden as "hidden", c.pk as "key"
    from sqlite_master as m, pragma_table_xinfo(m.name) as c
    where m.type in ('table', 'view') and substr(m.name, 1, 7) <> 'sqlite_'
    order by m.name, c.cid`)
  const tables = new Map<
    string,
    { readonly definition: string; readonly columns: Map<string, ColumnFacts> }
  >()
  for (const row of rows) {
    const name = String(row.table)
    const table = tables.get(name) ?? {
      definition: String(row.definition),
      columns: new Map<string, ColumnFacts>(),
    }
    tables.set(name, table)
    table.columns.set(String(row.column), factsOf(row, table.definition))
  }
  return {
    tables: [...tables].map(([name, { columns }]): DatabaseTable => ({
      schema: undefined,
      name,
      isDefaultSchema: true,
      columns,
    })),
  }
}

function factsOf(row: Readonly<Record<string, unknown>>, definition: string): ColumnFacts {
  const dataType = String(row.type).toLowerCase().replace(/\(.*/, '').trim()
  const isRowId = dataType === 'integer' && Number(row.key) === 1
  return {
    dataType,
    nullable: Number(row.required) === 0 && Number(row.key) === 0,
    // Which column it is said of does not matter: to compare bytes is right for all.
    ordinal: !/\bcollate\b/i.test(definition),
    hasDefault: Number(row.hasDefault) === 1 || isRowId,
    // Hidden columns of the kinds 2 and 3 are generated.
    isGenerated: Number(row.hidden) > 1,
  }
}
