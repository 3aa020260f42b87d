import type { ColumnFacts } from '../column.js'
import type {
  DatabaseSchema,
  DatabaseTable,
  ForeignKey,
  RunStatement,
  SchemaRow,
} from '../database-schema.js'
import { groupRows, optionalText } from '../database-schema.js'
import { sql } from '../sql-text.js'

/** Collations that compare bytes, trailing blanks included. */
const ordinalCollation = /_nopad_bin$|_0900_bin$|^binary$/

/** Reads the tables and views of the database that a connection to MySQL or MariaDB uses. */
export async function readMysqlSchema(run: RunStatement): Promise<DatabaseSchema> {
  const columns = await readColumns(run)
  const keys = groupRows(await readKeys(run), 'table')
  const tables = [...groupRows(columns, 'table').values()].map((rows): DatabaseTable => {
    const [{ table, kind, tableComment, writable } = {}] = rows
    const facts = new Map(rows.map((row) => [String(row.column), factsOf(row)]))
    const constraints = [...groupRows(keys.get(String(table)) ?? [], 'name').values()]
    const columnsOf = (one: readonly SchemaRow[]): string[] => one.map(({ column }) => String(column))
    const ofKind = (wanted: string): (readonly SchemaRow[])[] =>
      constraints.filter(([one]) => one?.kind === wanted)
    return {
      schema: undefined,
      name: String(table),
      isDefaultSchema: true,
      columns: facts,
      isView: kind === 'VIEW',
      refuses: kind !== 'VIEW' || writable === 'YES' ? [] : (['insert', 'update', 'delete'] as const),
      primaryKey: ofKind('PRIMARY KEY').flatMap(columnsOf),
      uniqueKeys: ofKind('UNIQUE').map(columnsOf),
      foreignKeys: ofKind('FOREIGN KEY').map((key) => foreignKeyOf(key, facts)),
      comment: kind === 'VIEW' ? undefined : (optionalText(tableComment) ?? '') || undefined,
    }
  })
  return { tables }
}

function readColumns(run: RunStatement): Promise<readonly SchemaRow[]> {
  return run(sql`
    select c.table_name as \`table\`, t.table_type as kind, t.table_comment as tableComment, v.is_updatable as writable,
      c.column_name as \`column\`, c.data_type as type, c.column_type as declared, c.is_nullable as nullable, c.column_default as \`default\`,
      c.extra as extra, c.collation_name as collation, c.character_maximum_length as length,
      c.numeric_precision as \`precision\`, c.numeric_scale as scale, c.datetime_precision as fraction,
      c.column_comment as comment, version() like '%MariaDB%' as isMariaDb
    from information_schema.columns as c
    join information_schema.tables as t on t.table_schema = c.table_schema and t.table_name = c.table_name
    left join information_schema.views as v on v.table_schema = c.table_schema and v.table_name = c.table_name
    where c.table_schema = database()
    order by c.table_name, c.ordinal_position`)
}

function readKeys(run: RunStatement): Promise<readonly SchemaRow[]> {
  return run(sql`
    select k.table_name as \`table\`, k.constraint_name as name, c.constraint_type as kind, k.column_name as \`column\`,
      k.referenced_table_name as target, k.referenced_column_name as targetColumn, r.delete_rule as onDelete,
      @@foreign_key_checks as enforced
    from information_schema.key_column_usage as k
    join information_schema.table_constraints as c on c.constraint_schema = k.constraint_schema
      and c.constraint_name = k.constraint_name and c.table_name = k.table_name
    left join information_schema.referential_constraints as r on r.constraint_schema = k.constraint_schema
      and r.constraint_name = k.constraint_name and r.table_name = k.table_name
    where k.table_schema = database()
    order by k.table_name, k.constraint_name, k.ordinal_position`)
}

function foreignKeyOf(rows: readonly SchemaRow[], facts: ReadonlyMap<string, ColumnFacts>): ForeignKey {
  const columns = rows.map(({ column }) => String(column))
  return {
    columns,
    target: { schema: undefined, table: String(rows[0]?.target) },
    targetColumns: rows.map(({ targetColumn }) => String(targetColumn)),
    cascades: rows[0]?.onDelete === 'CASCADE',
    // Other collations accept a reference that differs from the key.
    isEnforced: Number(rows[0]?.enforced) === 1 && columns.every((name) => facts.get(name)?.ordinal === true),
  }
}

function factsOf(row: SchemaRow): ColumnFacts {
  const extra = optionalText(row.extra)?.toLowerCase() ?? ''
  const dataType = String(row.type).toLowerCase()
  const isIdentity = extra.includes('auto_increment')
  const defaultText = defaultTextOf(row, extra)
  const hasDefault = isIdentity || (defaultText !== undefined && defaultText.toUpperCase() !== 'NULL')
  return {
    dataType,
    nullable: row.nullable === 'YES',
    ordinal: typeof row.collation !== 'string' || ordinalCollation.test(row.collation),
    hasDefault,
    isGenerated: /\b(?:virtual|stored|persistent) generated\b|^(?:virtual|stored|persistent)$/.test(extra),
    isIdentity,
    typeArguments: typeArguments(row, dataType),
    isUnsigned: /\bunsigned\b/i.test(optionalText(row.declared) ?? ''),
    defaultText: hasDefault ? defaultText : undefined,
    comment: optionalText(row.comment) === '' ? undefined : optionalText(row.comment),
  }
}

/** Returns the default of a column as an expression. MySQL returns literals without quotes, and marks other expressions. */
function defaultTextOf(row: SchemaRow, extra: string): string | undefined {
  const text = optionalText(row.default)
  if (text === undefined || Number(row.isMariaDb) === 1 || extra.includes('default_generated')) return text
  return `'${text.replaceAll("'", "''")}'`
}

function typeArguments(
  { declared, length, precision, scale, fraction }: SchemaRow,
  dataType: string,
): readonly number[] {
  // Declared as Boolean.
  if (dataType === 'tinyint') return /^tinyint\(1\)/i.test(optionalText(declared) ?? '') ? [1] : []
  if (dataType === 'decimal') return [Number(precision), Number(scale)]
  if (length !== null && length !== undefined) return [Number(length)]
  return fraction === null || fraction === undefined ? [] : [Number(fraction)]
}
