import type { ColumnFacts } from '../column.js'
import type {
  DatabaseSchema,
  DatabaseTable,
  ForeignKey,
  RunStatement,
  SchemaRow,
} from '../database-schema.js'
import { findName, groupRows, optionalText } from '../database-schema.js'
import type { Sql } from '../sql-text.js'
import { parameter, sql } from '../sql-text.js'

/** Reads the tables and views of an SQLite database. */
export async function readSqliteSchema(run: RunStatement): Promise<DatabaseSchema> {
  const shadowTables = await readShadowTables(run)
  const columns = (await readColumns(run)).filter(({ table }) => !shadowTables.has(table))
  const uniqueKeys = await run(sql`
    select m.name as "table", i.name as "index", c.name as "column"
    from sqlite_master as m, pragma_index_list(m.name) as i, pragma_index_info(i.name) as c
    where m.type = 'table' and i."unique" = 1 and i.partial = 0 and i.origin <> 'pk'
    order by m.name, i.seq desc, c.seqno`)
  const foreignKeys = await run(sql`
    select m.name as "table", f.id as "id", f."table" as "target", f."from" as "column", f."to" as "targetColumn",
      f.on_delete as "onDelete", e.foreign_keys as "enforced"
    from sqlite_master as m, pragma_foreign_key_list(m.name) as f, pragma_foreign_keys as e
    where m.type = 'table'
    order by m.name, f.id desc, f.seq`)
  const uniqueKeysOf = groupRows(uniqueKeys, 'table')
  const foreignKeysOf = groupRows(foreignKeys, 'table')
  const tables = [...groupRows(columns, 'table')].map(([name, rows]) =>
    tableOf(
      name,
      rows,
      [...groupRows(uniqueKeysOf.get(name) ?? [], 'index').values()],
      [...groupRows(foreignKeysOf.get(name) ?? [], 'id').values()],
    ),
  )
  return { tables: tables.map((table) => ({ ...table, foreignKeys: resolved(table, tables) })) }
}

/** Returns the tables in which virtual tables store their data, such as those of FTS5. */
async function readShadowTables(run: RunStatement): Promise<ReadonlySet<unknown>> {
  try {
    const rows = await run(sql`select name from pragma_table_list where schema = 'main' and type = 'shadow'`)
    return new Set(rows.map(({ name }) => name))
  } catch {
    // SQLite before 3.37 does not list them.
    return new Set()
  }
}

async function readColumns(run: RunStatement): Promise<readonly SchemaRow[]> {
  const columnsOf = (condition: Sql): Promise<readonly SchemaRow[]> =>
    run(sql`
      select m.name as "table", m.type as "kind", m.sql as "definition", c.name as "column", c.type as "type",
        c."notnull" as "required", c.dflt_value as "default", c.hidden as "hidden", c.pk as "key"
      from sqlite_master as m, pragma_table_xinfo(m.name) as c
      where m.type in ('table', 'view') and substr(m.name, 1, 7) <> 'sqlite_'${condition}
      order by m.name, c.cid`)
  try {
    return await columnsOf(sql``)
  } catch {
    // Fails for a view of a table that was dropped: views are read one by one.
    const rows = [...(await columnsOf(sql` and m.type = 'table'`))]
    for (const { name } of await run(sql`select name from sqlite_master where type = 'view' order by name`)) {
      rows.push(...(await columnsOf(sql` and m.name = ${parameter(name)}`).catch(() => [])))
    }
    return rows
  }
}

function tableOf(
  name: string,
  columns: readonly SchemaRow[],
  uniqueKeys: readonly (readonly SchemaRow[])[],
  foreignKeys: readonly (readonly SchemaRow[])[],
): DatabaseTable {
  const primaryKey = columns
    .filter(({ key }) => Number(key) > 0)
    .sort((a, b) => Number(a.key) - Number(b.key))
    .map(({ column }) => String(column))
  const isView = columns[0]?.kind === 'view'
  return {
    schema: undefined,
    name,
    isDefaultSchema: true,
    columns: new Map(columns.map((row) => [String(row.column), factsOf(row, primaryKey)])),
    isView,
    isWritable: !isView,
    primaryKey,
    uniqueKeys: uniqueKeys.map((rows) => rows.flatMap(({ column }) => optionalText(column) ?? [])),
    foreignKeys: foreignKeys.map((rows) => ({
      columns: rows.map(({ column }) => String(column)),
      target: { schema: undefined, table: String(rows[0]?.target) },
      targetColumns: rows.flatMap(({ targetColumn }) => optionalText(targetColumn) ?? []),
      cascades: rows[0]?.onDelete === 'CASCADE',
      isEnforced: Number(rows[0]?.enforced) === 1,
    })),
    comment: undefined,
  }
}

/** Resolves foreign keys, whose names can have any case, and which need no columns to refer to the primary key. */
function resolved(table: DatabaseTable, tables: readonly DatabaseTable[]): readonly ForeignKey[] {
  const names = tables.map(({ name }) => name)
  return table.foreignKeys.flatMap((foreignKey) => {
    const name = findName(names, foreignKey.target.table)
    const target = tables.find((one) => one.name === name)
    if (target === undefined) return []
    const given = foreignKey.targetColumns
    const targetColumns = given.length === 0 ? target.primaryKey : columnsNamed(target, given)
    const columns = columnsNamed(table, foreignKey.columns)
    if (columns.length !== targetColumns.length) return []
    return [{ ...foreignKey, columns, target: { schema: undefined, table: target.name }, targetColumns }]
  })
}

function columnsNamed({ columns }: DatabaseTable, names: readonly string[]): string[] {
  return names.flatMap((name) => findName([...columns.keys()], name) ?? [])
}

function factsOf(row: SchemaRow, primaryKey: readonly string[]): ColumnFacts {
  const declared = String(row.type).toLowerCase()
  const dataType = declared.replace(/\(.*/, '').trim()
  const definition = String(row.definition)
  const isOnlyKey = Number(row.key) === 1 && primaryKey.length === 1
  // SQLite does not generate keys for `primary key desc`.
  const isCounted = !/\bwithout\s+rowid\b|\bprimary\s+key\s+desc\b/i.test(definition)
  const isRowId = dataType === 'integer' && isOnlyKey && isCounted
  return {
    dataType,
    nullable: Number(row.required) === 0 && Number(row.key) === 0,
    // The collation of any column counts for all: comparing bytes is correct for all.
    ordinal: !/\bcollate\b/i.test(definition),
    hasDefault: optionalText(row.default) !== undefined || isRowId,
    // Hidden columns of the kinds 2 and 3 are generated.
    isGenerated: Number(row.hidden) > 1,
    isRowId,
    isIdentity: isRowId && /\bautoincrement\b/i.test(definition),
    typeArguments: (/\(([\d\s,]*)\)/.exec(declared)?.[1] ?? '').split(',').filter(Boolean).map(Number),
    defaultText: optionalText(row.default),
    comment: undefined,
  }
}
