import type { ColumnFacts } from '../../column.js'
import type {
  ChangeKind,
  DatabaseSchema,
  DatabaseTable,
  DatabaseForeignKey,
  NamedColumn,
  RunStatement,
  SchemaRow,
} from '../../database-schema.js'
import { findName, groupRows, keyColumnsOf, optionalText } from '../../database-schema.js'
import { reasonOf } from '../../../../util/thrown-error.js'
import { classifySqliteError } from './classify-error.js'
import { membersOfChecks } from '../shared/allowed-strings.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'

/** Reads the tables and views of an SQLite database. */
export async function readSqliteSchema(run: RunStatement): Promise<DatabaseSchema> {
  const shadowTables = await readShadowTables(run)
  const { rows, unreadable } = await readColumns(run)
  const columns = rows.filter(({ table }) => !shadowTables.has(table))
  const uniqueKeys = await run(sql`
    select m.name as "table", i.name as "index", i.origin as "origin", c.name as "column", c.coll as "collation"
    from sqlite_master as m, pragma_index_list(m.name) as i, pragma_index_xinfo(i.name) as c
    where ${storedTables} and i."unique" = 1 and i.partial = 0 and c.key = 1
    order by m.name, i.seq desc, c.seqno`)
  const foreignKeys = await run(sql`
    select m.name as "table", f.id as "id", f."table" as "target", f."from" as "column", f."to" as "targetColumn",
      f.on_delete as "onDelete", e.foreign_keys as "enforced"
    from sqlite_master as m, pragma_foreign_key_list(m.name) as f, pragma_foreign_keys as e
    where ${storedTables}
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
  const notices: string[] = []
  const changeable: DatabaseTable[] = []
  for (const table of tables) {
    const { changes, columns: fixed } = await readFailingChanges(table, run)
    for (const [change, reason] of changes) notices.push(failureNotice(change, table.name, reason))
    for (const [column, reason] of fixed)
      notices.push(failureNotice('update', `${table.name}.${column}`, reason))
    changeable.push({
      ...table,
      columns: new Map(
        [...table.columns].map(([column, facts]) => [
          column,
          fixed.has(column) ? { ...facts, refuses: ['update'] } : facts,
        ]),
      ),
      refuses: [...(table.refuses ?? []), ...changes.keys()],
      foreignKeys: resolved(table, tables),
    })
  }
  return { tables: changeable, unreadable, notices }
}

function failureNotice(change: ChangeKind, name: string, reason: string): string {
  return `Refuses '${change}' in '${name}': the database cannot compile it (${reason}).`
}

/** Changes that SQLite cannot compile, with the reason. */
interface FailingChanges {
  readonly changes: ReadonlyMap<ChangeKind, string>
  /** Columns that cannot be updated, in tables with others that can. */
  readonly columns: ReadonlyMap<string, string>
}

/**
 * Returns the changes of a table that SQLite cannot compile. Triggers, checks and indexes can call functions and use
 * collations that only the connections of another application have, and foreign keys can refer to columns without a
 * unique index.
 */
async function readFailingChanges(table: DatabaseTable, run: RunStatement): Promise<FailingChanges> {
  const name = quoted(table.name)
  const stored = [...table.columns].flatMap(([column, { isGenerated, refuses }]) =>
    isGenerated || refuses?.length !== 0 ? [] : [column],
  )
  // Keys are never updated.
  const updated = stored.filter((column) => keyColumnsOf(table)?.includes(column) !== true)
  const failureOf = (change: string): Promise<string | undefined> => readFailure(change, run)
  const update = (names: readonly string[]): Promise<string | undefined> =>
    failureOf(`update ${name} set ${names.map((one) => `${quoted(one)} = ${quoted(one)}`).join(', ')}`)
  const changes = new Map<ChangeKind, string>()
  const columns = new Map<string, string>()
  const [first] = stored
  for (const change of changeKinds) {
    if (first === undefined || table.refuses?.includes(change) === true) continue
    let reason: string | undefined
    if (change === 'insert') reason = await failureOf(`insert into ${name} (${quoted(first)}) values (null)`)
    else if (change === 'delete') reason = await failureOf(`delete from ${name}`)
    else if (updated.length > 0) reason = await update(updated)
    if (reason === undefined) continue
    if (change === 'update') {
      for (const column of updated) {
        const own = await update([column])
        if (own !== undefined) columns.set(column, own)
      }
      if (columns.size > 0 && columns.size < updated.length) continue
      columns.clear()
    }
    changes.set(change, reason)
  }
  return { changes, columns }
}

/** Returns the reason why SQLite cannot compile a statement; undefined if it can. */
async function readFailure(statement: string, run: RunStatement): Promise<string | undefined> {
  try {
    await run(raw(`explain query plan ${statement}`))
    return undefined
  } catch (error) {
    // A locked database must not be taken for one that refuses changes.
    if (classifySqliteError(error)?.kind === 'again') throw error
    return reasonOf(error)
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Tables that are not virtual: the module of a virtual table may be missing. */
const storedTables = raw("m.type = 'table' and m.rootpage > 0")

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

/** Returns the columns of all tables and views, and those tables and views that SQLite cannot read, with the reason. */
async function readColumns(
  run: RunStatement,
): Promise<{ readonly rows: readonly SchemaRow[]; readonly unreadable: ReadonlyMap<string, string> }> {
  const columnsOf = (condition: Sql): Promise<readonly SchemaRow[]> =>
    run(sql`
      select m.name as "table", m.type as "kind", m.sql as "definition", m.rootpage as "page", c.name as "column",
        c.type as "type", c."notnull" as "required", c.dflt_value as "default", c.hidden as "hidden", c.pk as "key",
        (select group_concat(t.sql, char(1)) from sqlite_master as t
          where t.type = 'trigger' and t.tbl_name = m.name collate nocase
            and t.name not like 'odata\\_log\\_%' escape '\\') as "triggers"
      from sqlite_master as m, pragma_table_xinfo(m.name) as c
      where m.type in ('table', 'view') and substr(m.name, 1, 7) <> 'sqlite_' and c.hidden <> 1${condition}
      order by m.name, c.cid`)
  const unreadable = new Map<string, string>()
  try {
    return { rows: await columnsOf(sql``), unreadable }
  } catch {
    // Fails for a view of a dropped table, and for a virtual table without its module.
    const rows: SchemaRow[] = []
    for (const { name } of await run(sql`select name from sqlite_master where type in ('table', 'view')`)) {
      try {
        rows.push(...(await columnsOf(sql` and m.name = ${parameter(name)}`)))
      } catch (error) {
        unreadable.set(String(name), reasonOf(error))
      }
    }
    return { rows, unreadable }
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
  const [{ kind, definition, page, triggers } = {}] = columns
  const isView = kind === 'view'
  const checks = isView ? [] : checksOf(String(definition))
  const setColumns = isView ? columnsOfUpdates(String(triggers)) : undefined
  const isFixed = (column: string): boolean => setColumns?.has(column.toLowerCase()) === false
  // Updates of virtual tables return no rows, and inserts can replace rows.
  const isVirtual = !isView && Number(page) === 0
  const isDeferred = hasOnlyDeferredKeys(String(definition))
  const hasRowId = !isView && !withoutRowId.test(String(definition))
  return {
    schema: undefined,
    name,
    isDefaultSchema: true,
    columns: new Map(
      columns.map((row) => {
        const column = String(row.column)
        const refuses: ColumnFacts['refuses'] = isFixed(column) ? ['update'] : []
        return [
          column,
          { ...factsOf(row, primaryKey, checks), refuses, keyCollation: collationOf(column, uniqueKeys) },
        ]
      }),
    ),
    isView,
    refuses: isView
      ? changeKinds.filter((one) => !eventsOf(String(triggers)).has(one))
      : isVirtual
        ? changeKinds
        : [],
    failsWhenTaken: isView,
    changesByTriggers: isView,
    isVirtual,
    rowId: hasRowId ? rowIdOf(columns) : undefined,
    hasTriggers: typeof triggers === 'string',
    dropsChanges: raiseIgnore.test(String(triggers)),
    primaryKey,
    uniqueKeys: uniqueKeys
      .filter(([row]) => row?.origin !== 'pk')
      .map((rows) => rows.flatMap(({ column }) => optionalText(column) ?? [])),
    foreignKeys: foreignKeys.map((rows) => ({
      isDeferred: isDeferred && Number(rows[0]?.enforced) === 1,
      columns: rows.map(({ column }) => String(column)),
      target: { schema: undefined, table: String(rows[0]?.target) },
      targetColumns: rows.flatMap(({ targetColumn }) => optionalText(targetColumn) ?? []),
      cascades: rows[0]?.onDelete === 'CASCADE',
      isEnforced: !isDeferred && Number(rows[0]?.enforced) === 1,
    })),
    comment: undefined,
  }
}

/** Returns the collation of the unique keys of a column, unless one of them compares bytes. */
function collationOf(column: string, uniqueKeys: readonly (readonly SchemaRow[])[]): string | undefined {
  const collations = uniqueKeys.flatMap((rows) =>
    rows.filter((row) => row.column === column).map(({ collation }) => String(collation)),
  )
  return collations.some((one) => /^binary$/i.test(one)) ? undefined : collations[0]
}

const changeKinds: readonly ChangeKind[] = ['insert', 'update', 'delete']

/** Returns the events of `instead of` triggers, whose definitions are separated by `char(1)`. */
function eventsOf(triggers: string): ReadonlySet<string> {
  return new Set(triggers.split('\u0001').flatMap((one) => insteadOf.exec(one)?.[1]?.toLowerCase() ?? []))
}

/** Returns the columns in lower case that `instead of update of` triggers change; undefined if a trigger changes all. */
function columnsOfUpdates(triggers: string): ReadonlySet<string> | undefined {
  const lists = triggers.split('\u0001').flatMap((one) => {
    const [, event, list] = insteadOf.exec(one) ?? []
    return event?.toLowerCase() === 'update' ? [list] : []
  })
  if (lists.length === 0 || lists.includes(undefined)) return undefined
  const names = lists.flatMap((list = '') => [...list.matchAll(new RegExp(`${comment}|(${sqlName})`, 'g'))])
  return new Set(names.flatMap(([, name]) => (name === undefined ? [] : unquoted(name).toLowerCase())))
}

function unquoted(name: string): string {
  const [quote = ''] = name
  if (quote === '[') return name.slice(1, -1)
  return /["'`]/.test(quote) ? name.slice(1, -1).replaceAll(quote + quote, quote) : name
}

const comment = String.raw`--[^\n]*\n|/\*[\s\S]*?\*/`
const blank = String.raw`(?:\s|${comment})`
const sqlName = String.raw`(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|\`(?:[^\`]|\`\`)*\`|\[[^\]]*\]|[^\s"'\`[\]/,-]+)`
const insteadOf = new RegExp(
  `^create${blank}+trigger${blank}+${sqlName}${blank}*instead${blank}+of${blank}+(insert|update|delete)` +
    `(?:${blank}+of${blank}*((?:${sqlName}${blank}*,${blank}*)*${sqlName})${blank}*on)?`,
  'i',
)

const raiseIgnore = new RegExp(`\\braise${blank}*\\(${blank}*ignore\\b`, 'i')

const withoutRowId = /\bwithout\s+rowid\b/i

/** Returns true if all foreign keys of a table are checked at the end of the transaction, as those of Django are. */
function hasOnlyDeferredKeys(definition: string): boolean {
  const text = definition.replace(new RegExp(`${comment}|'[^']*'`, 'g'), ' ')
  const deferred = text.match(/\bdeferrable\s+initially\s+deferred\b/gi)?.length ?? 0
  const negated = /\bnot\s+deferrable\b/i.test(text)
  return deferred > 0 && !negated && deferred === text.match(/\breferences\b/gi)?.length
}

/** Returns the first name of the row id that no column has. */
function rowIdOf(columns: readonly SchemaRow[]): NamedColumn | undefined {
  const taken = new Set(columns.map(({ column }) => String(column).toLowerCase()))
  const name = ['rowid', '_rowid_', 'oid'].find((one) => !taken.has(one))
  return name === undefined ? undefined : { name, facts: rowIdFacts }
}

const rowIdFacts: ColumnFacts = {
  dataType: 'integer',
  nullable: false,
  ordinal: true,
  hasDefault: true,
  isGenerated: false,
  isIdentity: false,
  isRowId: true,
  typeArguments: [],
  defaultText: undefined,
  comment: undefined,
}

/** Resolves foreign keys, whose names can have any case, and which need no columns to refer to the primary key. */
function resolved(table: DatabaseTable, tables: readonly DatabaseTable[]): readonly DatabaseForeignKey[] {
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

const tokens = new RegExp(
  `${comment}|"[^"]*"|'[^']*'|\\[[^\\]]*\\]|\`[^\`]*\`|\\bcheck${blank}*\\(|[()]`,
  'gi',
)

/** Returns the conditions of checks, in parentheses. */
function checksOf(definition: string): readonly string[] {
  const checks: string[] = []
  let [start, depth] = [-1, 0]
  for (const { 0: token, index } of definition.matchAll(tokens)) {
    if (token === ')' && start >= 0 && --depth === 0) {
      checks.push(definition.slice(start, index + 1))
      start = -1
    } else if (token.endsWith('(')) {
      if (start < 0 && token !== '(') start = index + token.length - 1
      if (start >= 0) depth++
    }
  }
  return checks
}

function factsOf(row: SchemaRow, primaryKey: readonly string[], checks: readonly string[]): ColumnFacts {
  const declared = String(row.type).toLowerCase()
  const dataType = declared.replace(/\(.*/, '').trim()
  const definition = String(row.definition)
  const isOnlyKey = Number(row.key) === 1 && primaryKey.length === 1
  // SQLite does not generate keys for `primary key desc`.
  const isCounted = !withoutRowId.test(definition) && !/\bprimary\s+key\s+desc\b/i.test(definition)
  const isRowId = dataType === 'integer' && isOnlyKey && isCounted
  const isOrdinal = !/\bcollate\b/i.test(definition)
  const text = optionalText(row.default)
  const defaultText = text?.toLowerCase() === 'null' ? undefined : text
  return {
    dataType,
    nullable: Number(row.required) === 0 && Number(row.key) === 0,
    // The collation of any column counts for all: comparing bytes is correct for all.
    ordinal: isOrdinal,
    hasDefault: defaultText !== undefined || isRowId,
    // Hidden columns of the kinds 2 and 3 are generated.
    isGenerated: Number(row.hidden) > 1,
    isRowId,
    isExpression: row.kind === 'view',
    // The collation of a column counts for its check.
    members: isOrdinal ? membersOfChecks(checks, String(row.column)) : undefined,
    isIdentity: isRowId && /\bautoincrement\b/i.test(definition),
    typeArguments: (/\(([\d\s,]*)\)/.exec(declared)?.[1] ?? '').split(',').filter(Boolean).map(Number),
    defaultText,
    comment: undefined,
  }
}
