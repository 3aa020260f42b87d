import type { Column, ColumnFacts } from './column.js'
import type { Sql } from './sql-text.js'

/** The table of the changes, and the one row about them. */
export const CHANGES_TABLE = 'odata_changes'
export const LOG_TABLE = 'odata_change_log'

export const NO_SECRET =
  'changeTracking: the log has no secret that authenticates delta links. Call trackChanges(model, db) again.'

/** A column of a unique key. */
export interface UniqueColumn {
  readonly name: string
  /** The collation that the key compares with, if it can differ from that of the column. */
  readonly collation: string | undefined
}

/** A table whose changes are logged. */
export interface LoggedTable {
  /** The path of the entity set. */
  readonly set: string
  /** The quoted name of the table. */
  readonly quoted: string
  /** The names of the key columns. */
  readonly key: readonly string[]
  /** The names of the columns whose values are logged. */
  readonly columns: readonly string[]
  /** The names of binary columns, whose values are not logged. */
  readonly binary: readonly string[]
  /** The definitions of columns, by name. */
  readonly facts: ReadonlyMap<string, ColumnFacts>
  /** The unique keys of {@link ChangeLog.uniqueKeys}. */
  readonly uniqueKeys: readonly (readonly UniqueColumn[])[]
}

/** The rows that changes are read as. */
export interface LoggedRows extends Pick<LoggedTable, 'set' | 'quoted' | 'key' | 'facts'> {
  /** The names of all columns that rows have. */
  readonly columns: readonly string[]
}

/** Statements that give a position to changes after their commit. */
interface ChangeNumbering {
  /** Selects some committed changes without position, as `seq`. */
  readonly pending: Sql
  /** Locks and raises the last position. */
  readonly raise: Sql
  /** Gives that position to changes. */
  assign(numbers: readonly string[]): Sql
}

/** How a database logs and reports changes. */
export interface ChangeLog {
  /**
   * Creates the log, if it does not exist.
   *
   * @param schema the quoted schema of the log
   * @param lacksSecret whether it exists without the column of the secret
   */
  create(schema: string, lacksSecret: boolean): readonly string[]
  /** Creates or replaces the triggers of a table. */
  track(table: LoggedTable, schema: string): readonly string[]
  /** Returns the quoted schema in which the log is created, as `name`. */
  readonly schema: Sql
  /** Returns a row if the log exists without the column of the secret. */
  readonly lacksSecret: Sql
  /**
   * Returns the log: its `epoch`, the `secret` that authenticates positions, the `floor` up to which changes have been
   * removed, and the present `position`.
   */
  readonly current: Sql
  /** Returns the names of the triggers of the log, as `name`. */
  readonly triggers: Sql
  /** Returns a row if the log has changes that the server does not know, after a restore. */
  readonly detectRestore?: Sql | undefined
  /** True if {@link renew} has to follow {@link track}. */
  readonly isRenewedByTracking?: boolean | undefined
  /** Returns the tables with changes that are not logged, as `name`. */
  readonly withoutTriggers?: Sql | undefined
  /**
   * Returns the columns of unique keys as `table`, `index`, `name` and `collation`, in databases that can remove the rows
   * with the same values without running triggers.
   */
  readonly uniqueKeys?: Sql | undefined
  /** How committed changes get their position before each read. Absent: they have one. */
  readonly numbering?: ChangeNumbering | undefined
  /** Starts a new epoch with a new secret. */
  readonly renew: Sql
  /** Removes the changes before a time, and sets the floor. Returns the number of removed rows as `n`. */
  prune(before: Date): readonly Sql[]
  /** Formats a position of {@link current} with letters, digits and `_.:-`. */
  format(position: string): string
  /**
   * Returns the condition of the changes after a position, in the log with the alias `c`.
   *
   * @param position of {@link format}
   * @returns undefined if they are not known
   */
  after(position: string, floor: string, current: string): string | undefined
  /** Returns the subquery of the keys of changed rows, with the columns of the table. */
  keys(rows: LoggedRows, after: string): string
  /**
   * Returns the subquery of the different earlier states of changed rows, with the columns of the table.
   *
   * @param needed names of the columns whose values are needed; others are null
   */
  states(rows: LoggedRows, after: string, needed: readonly string[]): string
}

/** The start of the names of triggers, which do not change the rows that are written. */
const TRIGGER_PREFIX = 'odata_log_'
/** PostgreSQL shortens longer names. */
const MAX_NAME_LENGTH = 63

/** Returns the name of a trigger of the log. */
export function triggerName(event: string, set: string): string {
  const name = `${TRIGGER_PREFIX}${event}_${set}`
  if (Buffer.byteLength(name) <= MAX_NAME_LENGTH) return name
  let hash = 7
  for (const character of set) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647
  return `${TRIGGER_PREFIX}${event}_${String(hash)}`
}

/** Returns the definitions of columns by name. */
export function factsOf(columns: readonly Column[]): ReadonlyMap<string, ColumnFacts> {
  return new Map(columns.map(({ facts, name }) => [name, facts]))
}

/** @throws TypeError naming tables with changes that are not logged */
export async function checkActions(
  { withoutTriggers }: ChangeLog,
  tables: readonly { readonly quoted: string }[],
  run: (statement: Sql) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): Promise<void> {
  if (withoutTriggers === undefined) return
  const names = new Set((await run(withoutTriggers)).map(({ name }) => String(name)))
  const found = tables.map(({ quoted }) => unquotedName(quoted)).filter((name) => names.has(name))
  if (found.length > 0)
    throw new TypeError(
      `changeTracking: foreign keys of ${found.map((name) => `'${name}'`).join(', ')} change rows by 'cascade' or 'set null', for which this database runs no triggers. Use 'restrict': the service deletes related entities itself.`,
    )
}

/** Returns a string literal of SQL. */
export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns the name in a quoted name. */
export function unquotedName(quoted: string): string {
  if (quoted.startsWith('`')) return quoted.slice(1, -1).replaceAll('``', '`')
  return quoted.startsWith('"') ? quoted.slice(1, -1).replaceAll('""', '"') : quoted
}
