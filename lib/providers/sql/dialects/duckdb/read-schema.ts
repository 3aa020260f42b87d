import type { ColumnFacts } from '../../column.js'
import type {
  DatabaseSchema,
  DatabaseTable,
  NamedColumn,
  RunStatement,
  SchemaRow,
} from '../../database-schema.js'
import { groupRows, optionalText } from '../../database-schema.js'
import { sql } from '../../sql-text.js'
import { parseType } from './column-types.js'
import { FILE_NAME, ROW_NUMBER } from './data-files.js'

/** Reads the tables and views of a DuckDB database. */
export async function readDuckdbSchema(run: RunStatement): Promise<DatabaseSchema> {
  const columns = await run(sql`
    select c.schema_name as "schema", c.table_name as "table", c.column_name as "column", c.data_type as "type",
      c.is_nullable as "nullable", c.comment as "comment", t.comment as "tableComment", t.table_oid is null as "isView",
      (select path is null from duckdb_databases() where database_name = current_database()) as "isFile"
    from duckdb_columns() as c left join duckdb_tables() as t on t.table_oid = c.table_oid and t.database_oid = c.database_oid
    where not c.internal and c.database_name = current_database() order by c.schema_name, c.table_name, c.column_index`)
  const constraints = await run(sql`
    select schema_name as "schema", table_name as "table", constraint_type as "kind", constraint_column_names as "columns",
      referenced_table as "target", referenced_column_names as "targetColumns"
    from duckdb_constraints() where database_name = current_database() order by constraint_index`)
  const byTable = groupRows(constraints, 'schema', 'table')
  return {
    tables: [...groupRows(columns, 'schema', 'table')].map(([key, rows]) =>
      tableOf(rows, byTable.get(key) ?? []),
    ),
  }
}

function tableOf(rows: readonly SchemaRow[], constraints: readonly SchemaRow[]): DatabaseTable {
  const [first = {}] = rows
  const isView = first.isView === true
  const schema = String(first.schema)
  const keys = (kind: string): readonly (readonly string[])[] =>
    constraints.filter((one) => one.kind === kind).map((one) => namesIn(one.columns))
  const columns = new Map(rows.map((row) => [String(row.column), factsOf(row)]))
  const names = [...columns.keys()]
  // The driver has put the key of an open file first.
  const rowKey = first.isFile === true ? names.slice(0, names[0] === FILE_NAME ? 2 : 1) : []
  const [primaryKey = rowKey] = keys('PRIMARY KEY')
  return {
    schema,
    name: String(first.table),
    isDefaultSchema: schema === 'main',
    columns,
    // The view of an open file numbers its rows, which is a key like that of a table.
    isView: isView && first.isFile !== true,
    rowId: isView || columns.has(ROW_NUMBER) ? undefined : rowId,
    primaryKey,
    uniqueKeys: keys('UNIQUE'),
    foreignKeys: constraints
      .filter(({ kind }) => kind === 'FOREIGN KEY')
      .map((one) => ({
        columns: namesIn(one.columns),
        target: { schema, table: String(one.target) },
        targetColumns: namesIn(one.targetColumns),
        cascades: false,
        isEnforced: true,
      })),
    comment: optionalText(first.tableComment),
  }
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : []
}

function factsOf({ type, nullable, comment }: SchemaRow): ColumnFacts {
  const parsed = parseType(String(type))
  return {
    ...commonFacts,
    ...parsed,
    isUnsigned: /^u\w*int/.test(parsed.dataType),
    nullable: nullable === true,
    comment: optionalText(comment),
  }
}

const commonFacts = {
  ordinal: true,
  hasDefault: false,
  isGenerated: false,
  isIdentity: false,
  defaultText: undefined,
} as const

const rowId: NamedColumn = {
  name: ROW_NUMBER,
  facts: { ...commonFacts, dataType: 'bigint', typeArguments: [], nullable: false, comment: undefined },
}
