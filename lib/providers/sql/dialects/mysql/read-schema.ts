import type { ColumnFacts } from '../../column.js'
import type {
  ChangeKind,
  DatabaseSchema,
  DatabaseTable,
  DatabaseForeignKey,
  RunStatement,
  SchemaRow,
} from '../../database-schema.js'
import { groupRows, noticesOf, optionalText, skipped, withReadableKeys } from '../../database-schema.js'
import { sql } from '../../sql-text.js'
import type { TableAccess } from './privileges.js'
import { readAccess } from './privileges.js'
import { membersOfChecks } from '../shared/allowed-strings.js'

/** Collations that compare bytes, trailing blanks included. */
const ordinalCollation = /_nopad_bin$|_0900_bin$|^binary$/

/** Reads the tables and views of the database that a connection to MySQL or MariaDB uses. */
export async function readMysqlSchema(run: RunStatement): Promise<DatabaseSchema> {
  const columns = (await readColumns(run)).map((row) => ({ ...row, readable: isAllowed(row, 'select') }))
  const checks = await readChecks(run)
  const keys = groupRows(await readKeys(run), 'table')
  const byTable = groupRows(columns, 'table')
  const access = await readAccess(run, [...byTable.keys()])
  const unreadable = new Map<string, string>()
  const notices: string[] = []
  const tables: DatabaseTable[] = []
  for (const [name, all] of byTable) {
    const { unreadable: reason, hidesColumns = false, canDelete = true } = access.get(name) ?? {}
    if (reason !== undefined) {
      unreadable.set(name, reason)
      continue
    }
    const left = noticesOf(all)
    notices.push(...(hidesColumns && left.length === 0 ? [skipped(name, 'columns')] : left))
    if (all.some(({ readable }) => readable))
      tables.push(tableOf(name, all, keys.get(name) ?? [], checks, { hidesColumns, canDelete }))
  }
  return { tables, unreadable, notices }
}

function tableOf(
  name: string,
  all: readonly SchemaRow[],
  keys: readonly SchemaRow[],
  checks: readonly SchemaRow[],
  { hidesColumns, canDelete }: Pick<TableAccess, 'hidesColumns' | 'canDelete'>,
): DatabaseTable {
  const [{ kind, tableComment, writable } = {}] = all
  const rows = all.filter(({ readable }) => readable === true)
  const isView = kind === 'VIEW'
  const refuses = (['insert', 'update', 'delete'] as const).filter(
    (one) =>
      (isView && writable !== 'YES') ||
      (one === 'delete' ? !canDelete : rows.every((row) => !isAllowed(row, one))),
  )
  // The catalog adds the end of the row version, which may be hidden, to the keys of versioned tables.
  const inKeys = all.flatMap(({ column, expression }) => (expression === 'ROW END' ? [] : column))
  const constraints = [...groupRows(keys, 'kind', 'name').values()]
  const columnsOf = (one: readonly SchemaRow[]): string[] =>
    one.flatMap(({ column }) => (inKeys.includes(column) ? String(column) : []))
  const ofKind = (wanted: string): (readonly SchemaRow[])[] =>
    constraints.filter(([one]) => one?.kind === wanted)
  return withReadableKeys({
    schema: undefined,
    name,
    isDefaultSchema: true,
    columns: new Map(rows.map((row) => [String(row.column), factsOf(row, checks, refuses)])),
    isView,
    refuses,
    canShareKeys: hidesColumns,
    primaryKey: ofKind('PRIMARY').flatMap(columnsOf),
    // A column of the key may be hidden.
    uniqueKeys: hidesColumns ? [] : ofKind('UNIQUE').map(columnsOf),
    foreignKeys: ofKind('FOREIGN').map(foreignKeyOf),
    comment: isView ? undefined : (optionalText(tableComment) ?? '') || undefined,
  })
}

function isAllowed({ privileges }: SchemaRow, statement: 'select' | 'insert' | 'update'): boolean {
  return String(privileges).split(',').includes(statement)
}

function readColumns(run: RunStatement): Promise<readonly SchemaRow[]> {
  return run(sql`
    select t.table_name as \`table\`, t.table_type as kind, t.table_comment as tableComment, v.is_updatable as writable,
      c.column_name as \`column\`, c.data_type as type, c.column_type as declared, c.is_nullable as nullable, c.column_default as \`default\`,
      c.extra as extra, c.collation_name as collation, c.character_maximum_length as length,
      c.numeric_precision as \`precision\`, c.numeric_scale as scale, c.datetime_precision as fraction,
      c.column_comment as comment, c.privileges as privileges, c.generation_expression as expression, version() like '%MariaDB%' as isMariaDb
    from information_schema.tables as t
    left join information_schema.columns as c on c.table_schema = t.table_schema
      and c.table_name = t.table_name and binary c.table_name = t.table_name
    left join information_schema.views as v on v.table_schema = t.table_schema
      and v.table_name = t.table_name and binary v.table_name = t.table_name
    where t.table_schema = database() and t.table_type <> 'SEQUENCE'
    order by t.table_name, binary t.table_name, c.ordinal_position`)
}

/** Returns the checks of tables; none before MySQL 8.0.16 and MariaDB 10.2. */
async function readChecks(run: RunStatement): Promise<readonly SchemaRow[]> {
  try {
    // Names of checks are unique in MySQL. In MariaDB the names of tables are among the columns.
    return await run(sql`
      select c.*, t.table_name as \`table\`
      from information_schema.check_constraints as c
      left join information_schema.table_constraints as t on t.constraint_schema = c.constraint_schema
        and t.constraint_name = c.constraint_name and t.constraint_type = 'CHECK'
      where c.constraint_schema = database()`)
  } catch {
    return []
  }
}

/** Reads keys without `table_constraints`, which is empty for users that may only read. */
function readKeys(run: RunStatement): Promise<readonly SchemaRow[]> {
  return run(sql`
    select k.table_name as \`table\`, k.constraint_name as name, k.column_name as \`column\`,
      case when k.referenced_table_name is not null then 'FOREIGN' when k.constraint_name = 'PRIMARY' then 'PRIMARY'
        else 'UNIQUE' end as kind,
      k.referenced_table_name as target, k.referenced_column_name as targetColumn, r.delete_rule as onDelete,
      @@foreign_key_checks as enforced
    from information_schema.key_column_usage as k
    left join information_schema.referential_constraints as r on r.constraint_schema = k.constraint_schema
      and r.constraint_name = k.constraint_name and r.table_name = k.table_name and binary r.table_name = k.table_name
    where k.table_schema = database()
    order by k.table_name, binary k.table_name, kind, k.constraint_name, k.ordinal_position`)
}

function foreignKeyOf(rows: readonly SchemaRow[]): DatabaseForeignKey {
  return {
    columns: rows.map(({ column }) => String(column)),
    target: { schema: undefined, table: String(rows[0]?.target) },
    targetColumns: rows.map(({ targetColumn }) => String(targetColumn)),
    cascades: rows[0]?.onDelete === 'CASCADE',
    isEnforced: Number(rows[0]?.enforced) === 1,
  }
}

function factsOf(row: SchemaRow, checks: readonly SchemaRow[], refused: readonly ChangeKind[]): ColumnFacts {
  const extra = optionalText(row.extra)?.toLowerCase() ?? ''
  const dataType = String(row.type).toLowerCase()
  const isIdentity = extra.includes('auto_increment')
  const defaultText = defaultTextOf(row, extra)
  const own = checks.flatMap((one) =>
    (one.TABLE_NAME ?? one.table) === row.table ? String(one.CHECK_CLAUSE) : [],
  )
  const collation = optionalText(row.collation)
  const hasDefault = isIdentity || (defaultText !== undefined && defaultText.toUpperCase() !== 'NULL')
  return {
    dataType,
    nullable: row.nullable === 'YES',
    ordinal: collation === undefined || ordinalCollation.test(collation),
    narrowCollation: collation === undefined || /^(?:utf8|binary$)/.test(collation) ? undefined : collation,
    members: membersOf(dataType, String(row.declared)) ?? membersOfChecks(own, String(row.column)),
    isJson: dataType === 'json' || own.includes(`json_valid(\`${String(row.column)}\`)`),
    hasDefault,
    isGenerated: /\b(?:virtual|stored|persistent) generated\b|^(?:virtual|stored|persistent)$/.test(extra),
    isIdentity,
    refuses: (['insert', 'update'] as const).filter((one) => !refused.includes(one) && !isAllowed(row, one)),
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

/** Returns the members of an enumeration or a set: `enum('a','it''s')`. */
function membersOf(dataType: string, declared: string): readonly string[] | undefined {
  if (dataType !== 'enum' && dataType !== 'set') return undefined
  return [...declared.matchAll(/'((?:[^']|'')*)'/g)].map(([, member = '']) => member.replaceAll("''", "'"))
}

function typeArguments(
  { declared, length, precision, scale, fraction }: SchemaRow,
  dataType: string,
): readonly number[] {
  // Declared as Boolean.
  if (dataType === 'tinyint') return /^tinyint\(1\)/i.test(optionalText(declared) ?? '') ? [1] : []
  if (dataType === 'bit') return [Number(precision)]
  const isNumber =
    dataType === 'decimal' || ((dataType === 'double' || dataType === 'float') && scale !== null)
  if (isNumber) return [Number(precision), Number(scale)]
  if (length !== null && length !== undefined) return [Number(length)]
  return fraction === null || fraction === undefined ? [] : [Number(fraction)]
}
