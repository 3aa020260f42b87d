import type { Row } from '../../evaluation/row.js'
import { violation } from './constraint-violations.js'
import type { MappedTable } from './mapped-table.js'
import type { DriverRows } from './row-reader.js'
import { RowReader } from './row-reader.js'
import type { Changed } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import type { ChangeCall } from './change-call.js'
import type { Sql, Statement } from './sql-text.js'
import { raw, sql, joined, statementOf } from './sql-text.js'
import type { ColumnValues } from './column-values.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { Column } from './column.js'
import type { ChangeKind } from './database-schema.js'
import type { SqlDialect } from './dialect.js'
import type { ResultFormats } from './wire/wire-format.js'

const keysOnly: ReadonlySet<string> = new Set()

/**
 * Reads the keys of rows of a table, `t0` in the condition, and the columns that others refer to.
 *
 * @param lock lock clause
 */
export async function readKeys(
  database: SqlDatabase,
  table: MappedTable,
  condition: Sql,
  call: ChangeCall,
  lock = '',
): Promise<readonly Row[]> {
  const reader = new RowReader(table, database.dialect, keysOnly)
  const rows = await database.read(
    sql`select ${reader.selection('t0')} from ${raw(lock === '' ? table.source : table.lockedSource)} as t0 where ${condition}${raw(lock)}`,
    call,
  )
  return reader.rows(rows)
}

/** Locks rows of a table, `t0` in the condition, where the database has row locks. */
export async function lockRows(
  database: SqlDatabase,
  { quoted, isView }: MappedTable,
  condition: Sql,
  call: ChangeCall,
): Promise<void> {
  const { lockToChange } = database.writes
  if (lockToChange === '' || isView) return
  await database.read(
    sql`select 1 as n from ${raw(quoted)} as t0 where ${condition}${raw(lockToChange)}`,
    call,
  )
}

/**
 * Changes rows.
 *
 * @param values the new values
 * @throws ODataError Conflict or BadRequest for violated constraints, with properties of the table
 */
export async function writeRows(
  database: SqlDatabase,
  table: MappedTable,
  statement: Sql | Statement,
  call: ChangeCall,
  values?: ColumnValues,
): Promise<Changed> {
  try {
    return await database.write(statement, call)
  } catch (error) {
    throw violationOf(database, table, error, values)
  }
}

/**
 * Runs one statement that changes at most one row and commits by itself.
 *
 * @param formats of the columns, for a statement whose rows are returned as the database sends them
 * @param isAlone see {@link SqlDatabase.changeSync}
 * @returns the rows that it returns, none if nothing was changed; undefined when the database has rejected it
 */
export function autocommit(
  database: SqlDatabase,
  statement: Statement,
  call: ProviderCall,
  formats: ResultFormats | undefined,
  isAlone: boolean,
): PromiseOrValue<DriverRows | undefined> {
  if (!database.canChangeSync) return database.autocommit(statement, call, formats)
  let returned: DriverRows | undefined
  const isCommitted = database.changeSync(
    statement,
    (found) => {
      returned = found
      return found.values.length > 0
    },
    isAlone,
  )
  // The commit may have failed.
  return isCommitted ? returned : undefined
}

/** Returns the error for the client if an error of the driver is a violated constraint. */
export function violationOf(
  database: SqlDatabase,
  table: MappedTable,
  error: unknown,
  values: ColumnValues = new Map(),
): unknown {
  const classified = database.dialect.classifyError(error)
  return classified === undefined
    ? error
    : violation(classified, table, error, restrictedStrings(database.dialect, values))
}

/** Returns the strings that are stored in columns that accept only some. */
function restrictedStrings(dialect: SqlDialect, values: ColumnValues): ReadonlyMap<Column, string> {
  const strings = new Map<Column, string>()
  for (const [column, value] of values) {
    if (dialect.hasRestrictedStrings?.(column) !== true) continue
    const [text] = statementOf(value, () => '?').parameters
    if (typeof text === 'string') strings.set(column, text)
  }
  return strings
}

/**
 * Reads a row with the columns that are not in the model, without the content of its media resource.
 *
 * @param condition on the table `t0`
 */
export async function readStoredRow(
  database: SqlDatabase,
  { media, quoted, storedColumns }: MappedTable,
  condition: Sql,
  call: ProviderCall,
): Promise<unknown> {
  const names = [...storedColumns.keys()].map((name) => database.dialect.quote(name))
  const columns = names.filter((name) => name !== media?.content).join(', ')
  const statement = sql`select ${raw(columns)} from ${raw(quoted)} as t0 where ${condition}`
  const [row] = await database.read(statement, call)
  return row
}

/** Returns the condition that columns have exactly some values. */
export function hasValues(
  dialect: SqlDialect,
  columns: readonly Column[],
  values: readonly unknown[],
  prefix = '',
): Sql {
  const equal = columns.map((column, index) => {
    // Nothing equals null.
    const value = dialect.truncates?.(column, values[index]) === true ? null : values[index]
    return dialect.equal(column, raw(prefix + column.quoted), dialect.stored(column, value))
  })
  return joined(equal, ' and ')
}

/** Returns the condition that columns of a key or of a foreign key have values, as the database compares them. */
export function referTo(
  dialect: SqlDialect,
  columns: readonly Column[],
  values: readonly unknown[],
  prefix = '',
  keys = columns,
): Sql {
  const quoted = columns.map((column) => prefix + column.quoted)
  return columnsRefer(dialect, columns, quoted, values, 'refers', keys)
}

/** Returns the condition that other columns, such as those of a link table, refer to values of columns. */
export function columnsRefer(
  dialect: SqlDialect,
  columns: readonly Column[],
  quoted: readonly string[],
  values: readonly unknown[],
  comparison: 'equal' | 'refers' = 'refers',
  keys = columns,
): Sql {
  const equal = columns.map((column, index) =>
    dialect[comparison](column, raw(quoted[index] ?? ''), dialect.stored(column, values[index]), keys[index]),
  )
  return joined(equal, ' and ')
}

/** The number of values in one condition. Parsing a longer one takes longer than several short ones. */
const MAX_VALUES = 500

/**
 * Returns conditions that together select all rows whose columns refer to one of the given rows.
 *
 * @param comparison `equal` for the rows themselves
 */
export function amongRows(
  dialect: SqlDialect,
  columns: readonly Column[],
  quoted: readonly string[],
  rows: readonly Row[],
  from: readonly Column[] = columns,
  comparison?: 'equal' | 'refers',
): readonly Sql[] {
  const lists = rows
    .map((row) => valuesOf(row, from))
    .filter((values) => values.every((value) => value !== null && value !== undefined))
  const chunkSize = Math.max(1, Math.floor(Math.min(MAX_VALUES, dialect.maxParameters / 2) / columns.length))
  const conditions: Sql[] = []
  for (let start = 0; start < lists.length; start += chunkSize) {
    const part = lists.slice(start, start + chunkSize)
    conditions.push(
      sql`(${joined(
        part.map((values) => sql`(${columnsRefer(dialect, columns, quoted, values, comparison, from)})`),
        ' or ',
      )})`,
    )
  }
  return conditions
}

/** Returns true if columns can hold values: if not, no row has them. */
export function canHold(
  dialect: SqlDialect,
  columns: readonly Column[],
  values: readonly unknown[],
): boolean {
  return columns.every((column, index) => dialect.misfit?.(column, values[index]) === undefined)
}

/**
 * Returns true if columns can hold the values of a key: if not, no row has it. Only the database knows the valid strings
 * of a type such as an enumeration or an address, so that it has to convert them.
 */
export function canBeKey(
  database: SqlDatabase,
  columns: readonly Column[],
  values: readonly unknown[],
  call: ProviderCall,
): PromiseOrValue<boolean> {
  const { dialect } = database
  if (!canHold(dialect, columns, values)) return false
  if (dialect.hasRestrictedStrings === undefined) return true
  const tried = columns.flatMap((column, index) =>
    dialect.hasRestrictedStrings?.(column) === true ? [dialect.stored(column, values[index])] : [],
  )
  return tried.length === 0 || areValues(database, tried, call)
}

async function areValues(database: SqlDatabase, tried: readonly Sql[], call: ProviderCall): Promise<boolean> {
  try {
    await database.tried(call, sql`select ${joined(tried, ', ')}`)
    return true
  } catch (error) {
    if (database.dialect.classifyError(error)?.kind === 'value') return false
    throw error
  }
}

/** Returns the values of columns of a row. */
export function valuesOf(row: Row, columns: readonly Column[]): readonly unknown[] {
  return columns.map(({ path }) => path.reduce<unknown>((value, name) => (value as Row | null)?.[name], row))
}

/**
 * Returns true if a statement that changes rows can return them. Rows that triggers may change after `returning` are read
 * again.
 */
export function supportsReturning(statement: ChangeKind, table: MappedTable, database: SqlDatabase): boolean {
  // Statements return invalid values unchanged.
  return (
    hasReturning(statement, table, database) &&
    table.invalidValues === undefined &&
    !(table.hasTriggers && database.writes.returnsBeforeTriggers)
  )
}

/** Returns true if a statement has a `returning` clause with all columns of a table. */
export function hasReturning(
  statement: ChangeKind,
  { columns }: MappedTable,
  { dialect }: SqlDatabase,
): boolean {
  const isLimited = statement === 'insert' && dialect.returnsSetColumnsOnly === true
  return (
    dialect.returning.includes(statement) &&
    !(isLimited && columns.some(({ facts }) => facts.refuses?.includes('insert') === true))
  )
}
