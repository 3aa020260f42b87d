import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { RelationalOperator } from '../../evaluation/compare-values.js'
import type { ValueColumn } from '../../evaluation/value-row.js'
import type { CanonicalFunctionName } from '../../query/canonical-functions/canonical-functions.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { ChangeLog } from './change-log.js'
import type { Column, ColumnFacts, ColumnType } from './column.js'
import type { DatabaseTable, RunStatement } from './database-schema.js'
import type { DriverCancellation } from './cancellation/driver-cancellation.js'
import type { StatementPlans } from './statement-plans.js'
import type { DatabaseError } from './database-error.js'
import type { Connection } from './sql-change-set.js'
import type { Sql } from './sql-text.js'
import type { SyncConnection } from './sync-connection.js'
import type { WireFormat } from './wire/wire-format.js'
import type { ChangeKind } from './database-schema.js'
import type { WriteDialect } from './write-dialect.js'

/** The conversion of ASCII letters to upper or lower case. */
export interface AsciiCase {
  convert(name: 'toupper' | 'tolower', text: Sql): Sql
  /** Returns the condition that a string has other characters than those of ASCII. */
  hasOthers(text: Sql): Sql
}

/** The kinds of databases. Each has a folder in `dialects`. */
export type DatabaseKind = 'sqlite' | 'postgres' | 'mysql' | 'duckdb'

/**
 * The differences between databases. A member that returns undefined declines: the database cannot evaluate this with
 * exactly the result of the library, so that the library evaluates it.
 */
export interface SqlDialect {
  readonly name: DatabaseKind
  /** The options of `sqlProvider` that only some databases support. */
  readonly options: readonly ('statementTimeout' | 'cursors')[]
  /** The statements that have a `returning` clause. */
  readonly returning: readonly ChangeKind[]
  /** True if an insert cannot return columns that the user may not set. */
  readonly returnsSetColumnsOnly?: boolean | undefined
  /** True if Kysely uses a single connection, so that statements are queued. */
  readonly hasOneConnection?: boolean | undefined
  /** The class of Kysely's connections of a driver that has only one of them. */
  readonly singleConnectionClass?: string | undefined
  /** How the drivers cancel statements; undefined if `sqlProvider` has no option `pool` for them. */
  readonly cancellation?: DriverCancellation<never, never> | undefined
  /**
   * Checks a driver that has a single connection.
   *
   * @throws TypeError if the driver is not supported
   */
  checkDriver?(database: Connection): Promise<void>
  /**
   * Returns a connection that runs statements synchronously. Absent: drivers have none.
   *
   * @param database of the option `sqlite` of `sqlProvider`
   * @throws TypeError for other databases
   */
  connectSync?(database: object): SyncConnection
  /** How statements are cancelled; undefined if they cannot be. */
  readonly sessions?: SessionControl | undefined
  /** How the driver interrupts a statement, for databases in the process. */
  readonly interruption?: Interruption
  /** The statements about the version of the data; undefined if the database has none that all connections share. */
  readonly versions?: VersionStatements | undefined
  /**
   * Returns the statement that makes settings of the transaction only, which all end with it. Absent: the database has
   * none.
   *
   * @param settings names and values, in the order in which they are set
   * @param isReadOnly whether the transaction must not change rows
   */
  sessionSettings?(settings: readonly (readonly [name: string, value: string])[], isReadOnly: boolean): Sql
  /** How changes are logged, for delta links. Absent: they cannot be. */
  readonly changeLog?: ChangeLog | undefined
  /** The maximum number of parameters of a statement. */
  readonly maxParameters: number
  quote(identifier: string): string
  placeholder(index: number): string
  /**
   * Maps the type of a column to that of its property. Types without an equivalent in CSDL become strings.
   *
   * @param identifies true for columns of keys and foreign keys
   */
  columnType(facts: ColumnFacts, identifies: boolean): ColumnType
  /** Returns true if a column stores the values of a property type without changing them. */
  fits(type: PrimitiveTypeName, facts: ColumnFacts): boolean
  /**
   * Returns the expression that selects a column without loss of digits.
   *
   * @param isWire true if rows are returned as the database sends them
   */
  selected(column: Column, reference: Sql, isWire?: boolean): Sql
  /** Returns the conversion of the driver's values of a selected column; undefined if they need none. */
  reader(column: Column): ((value: unknown) => unknown) | undefined
  /** Returns the plain text of cells that need no further check, see `ValueColumn`; undefined where all need it. */
  plainText?(column: Column): ValueColumn['plainText']
  /** How rows are read from the bytes of the connection. Absent: they are values of the driver. */
  readonly wire?: WireFormat | undefined
  /** Returns a value as a parameter that can be stored in the column. */
  stored(column: Column, value: unknown): Sql
  /**
   * Returns true if {@link stored} would truncate a value, which therefore equals no value of the column. Absent: it
   * truncates none.
   */
  truncates?(column: Column, value: unknown): boolean
  /**
   * Returns the condition that a column already has a value in another format, which an update leaves as it is. Absent, or
   * undefined: the column has one format.
   */
  hasStored?(column: Column, value: unknown): Sql | undefined
  /**
   * Returns the condition that a column has one of some values, as one parameter for any number of them. Absent: each
   * value is a parameter.
   *
   * @param own the column from which the values come, whose type they have
   * @param values strings, or canonical strings of integers or guids
   */
  among?(own: Column, reference: Sql, values: readonly string[]): Sql
  /** Returns the condition that a column and another value of its type are equal. It can use an index on the column. */
  equal(column: Column, left: Sql, right: Sql): Sql
  /**
   * Returns the condition that a foreign key refers to a key as the database compares them, whose collation may ignore
   * case.
   *
   * @param column on the left: of the key, or of the foreign key. For a column of a link table, that of the key.
   * @param key the column of the key
   */
  refers(column: Column, left: Sql, right: Sql, key?: Column): Sql
  readonly isValidValue: IsValidValue
  /** Returns true if a column can store the same value in several formats, which a unique index treats as different. */
  hasSeveralForms?(column: Column): boolean
  /** Returns an expression that the operators of the database compare as OData compares the value. */
  comparable(value: SqlValue, type: PrimitiveTypeName): Sql | undefined
  /** Returns true if the database has a common type for two values that are compared. Absent: it always has. */
  canCompare?(left: SqlValue, right: SqlValue): boolean
  /**
   * Returns a literal for comparisons. If the database cannot represent it exactly, it is the next lower value, marked as
   * not exact.
   */
  literal(value: unknown, type: PrimitiveTypeName): SqlValue | undefined
  /** Returns a comparison of a column with a literal that can use an index, where {@link comparable} prevents that. */
  columnComparison?(
    operator: 'eq' | RelationalOperator,
    column: SqlValue,
    literal: unknown,
    type: PrimitiveTypeName,
  ): Sql | undefined
  /** Returns the condition that two values are equal or both null. */
  isSame(left: Sql, right: Sql): Sql
  /** True if a subquery that is compared with a row of several values selects one row, `(a, b)`. */
  readonly selectsRows?: boolean | undefined
  /** Returns the concatenation of strings that are not null. */
  concatenate(texts: readonly string[]): string
  /** Returns the condition that excludes NaN from a comparison, if the database orders NaN. */
  exceptNaN?(value: SqlValue): Sql | undefined
  /**
   * Returns the dialect with what only some versions of the database support: the functions `toupper` and `tolower` if it
   * converts strings exactly as JavaScript does, and `returning` clauses. Called once at the start.
   *
   * @param sync the synchronous connection, if there is one
   * @param hasWireRows whether the driver returns rows as the database sends them, and sends strings unchanged
   */
  detect?(
    run: RunStatement,
    sync: SyncConnection | undefined,
    hasWireRows: boolean,
  ): PromiseOrValue<SqlDialect>
  /** Converts ASCII letters as JavaScript does; absent if the database converts all letters so. */
  readonly asciiCase?: AsciiCase | undefined
  /** Returns the call of a canonical function. */
  call(name: CanonicalFunctionName, parameters: readonly SqlValue[]): SqlValue | undefined
  arithmetic(
    operator: 'add' | 'sub' | 'mul' | 'div' | 'mod',
    left: SqlValue,
    right: SqlValue,
    type: PrimitiveTypeName,
  ): SqlValue | undefined
  /** Returns the sort keys of a value that is not its own sort key, such as a number that can be NaN. */
  orderKeys?(comparable: SqlValue): readonly SqlOrderKey[] | undefined
  /** Returns a term of `order by` that sorts null before all values. */
  orderTerm(comparable: Sql, nullable: boolean, descending: boolean): Sql
  /**
   * Returns the expression by which values of a column are grouped. Absent: the service groups rows.
   *
   * @param comparable the value as the database compares it
   */
  groupKey?(column: Column, comparable: Sql): Sql | undefined
  /** Returns the value of a group key or of an extreme of such keys, if {@link selected} does not. */
  groupValue?(column: Column, key: Sql): Sql | undefined
  /** Returns the exact sum of the values of a column in a group. */
  sum?(column: Column, reference: Sql): ExactSumSql | undefined
  page(limit: number | undefined, offset: number | undefined): Sql
  /** Classifies an error of the driver; undefined for internal errors. */
  classifyError(error: unknown): DatabaseError | undefined
  readonly media: MediaSql
  /** How statements are explained. Absent: the database has no plans. */
  readonly plans?: StatementPlans | undefined
  /** How rows are changed; undefined if the database is read-only. */
  readonly writes?: WriteDialect | undefined
  /** Returns why a column cannot store a value of its property, for example `the number is out of range ...`. */
  misfit?(column: Column, value: unknown): string | undefined
  /**
   * Returns true if the database rejects some strings for the type of a column, such as an enumeration or an IP
   * address.
   */
  hasRestrictedStrings?(column: Column): boolean
  /**
   * Returns a table with the types of its columns by their values, for a database whose declared types do not determine
   * them. Absent: the declared types are used.
   *
   * @throws the error of the driver for tables and views that cannot be read
   */
  sampleTypes?(table: DatabaseTable, run: RunStatement): Promise<DatabaseTable>
  /**
   * Detects the formats of stored values, and sets them on the columns. Absent: every type has one format.
   *
   * @param onNotice called for columns whose strings the database compares differently than the service
   */
  detectFormats?(table: StoredTable, run: RunStatement, onNotice?: (notice: string) => void): Promise<void>
  /** Returns a table of parameters to be joined, with the index of each row: `source(n, k0, k1)`. */
  sourceRows(rows: readonly (readonly Sql[])[], columns: readonly string[]): Sql
}

/** The table of an entity set, as far as its values are concerned. */
export interface StoredTable {
  readonly set: { readonly path: string }
  /** The quoted name. */
  readonly quoted: string
  readonly isView: boolean
  readonly columns: readonly Column[]
  readonly keyColumns: readonly Column[]
}

/** The sum of the numbers of a group, multiplied by `10 ** scale`. */
export interface ExactSumSql {
  readonly sql: Sql
  readonly scale: number
  /** Returns the sum as a string. */
  readonly digits: (sum: Sql) => Sql
  /** Returns an expression that is not 0 if the sum may not be exact; undefined if it always is. */
  readonly unsure: ((sum: Sql) => Sql) | undefined
  /** The maximum number of digits after the decimal point; undefined if the database does not limit it. */
  readonly digitsAfterPoint: number | undefined
  /** The key by which groups are sorted by the sum. */
  readonly orderKey: SqlOrderKey
}

/** A compiled expression. */
export interface SqlValue {
  readonly sql: Sql
  /** Null for the literal `null`. */
  readonly type: PrimitiveTypeName | null
  readonly nullable: boolean
  /** The column, if the expression is only a column. */
  readonly column?: Column | undefined
  /** The JavaScript value of a literal. If it is not exact, the SQL is the next lower value of the database. */
  readonly literal?: { readonly value: unknown; readonly exact: boolean } | undefined
  /** The maximum number of bits of an integer, without the sign. Databases hold up to 63. */
  readonly bits?: number | undefined
  /** The nesting depth of arithmetic, where the database limits it. */
  readonly depth?: number | undefined
}

/**
 * Returns the SQL condition for stored values that are valid for their property: true or false for all values but null.
 * Undefined if all values of the column are valid.
 */
export type IsValidValue = (column: ValueKind, reference: string) => string | undefined

/** The part of a column that determines which values are valid. */
export type ValueKind = Pick<Column, 'type' | 'facts' | 'hasMilliseconds' | 'hasBinaryJson'>

export interface SqlOrderKey {
  readonly sql: Sql
  readonly nullable: boolean
  /** Returns the sort key of a value. */
  readonly literal: (value: unknown) => Sql
}

/** Statements about the version of the data in a database. */
export interface VersionStatements {
  /** Selects a token as `version` that changes with every commit; null if the database has no such token. */
  readonly current: Sql
  /** Selects such a token that no other database has, for versions that processes share. */
  readonly shared: Sql
  /**
   * Selects as `name` those tables whose rows may change without a new version.
   *
   * @param tables quoted names
   */
  untracked(tables: readonly string[]): Sql
}

/** How statements are cancelled. */
export interface SessionControl {
  /** The settings of each session. */
  readonly settings?: Sql | undefined
  /**
   * Returns the first statement of each session, which selects the session number as `session`, and `on` as `standby` if
   * the server is a standby.
   *
   * @param statementTimeout milliseconds after which the database cancels a statement of this session
   */
  begin(statementTimeout: number | undefined): Sql
  /**
   * Returns the statement, for another session, that cancels statements if the session still runs one of them. With
   * {@link isRunning}, it has no such condition, and must follow that statement.
   */
  cancel(session: unknown, texts: readonly string[]): Sql
  /** Returns a statement, for another session, that selects a row if a session runs one of some statements. */
  isRunning?(session: unknown, texts: readonly string[]): Sql
  /**
   * A statement without effect, which shows whether the database runs statements. A late command that cancels the
   * statement before cancels this one instead. Default: `select 1`, and such commands have no effect
   */
  readonly noop?: Sql | undefined
  /** Returns a statement, for another session, that selects a row if a session still exists. */
  isThere(session: unknown): Sql
  /** Returns true if an error reports a cancelled statement. */
  wasCancelled(error: unknown): boolean
}

/** Interrupts statements without another connection. */
export interface Interruption extends Pick<SessionControl, 'wasCancelled'> {
  /** Interrupts the statement that a connection of the driver runs; without effect if it runs none. */
  interrupt(session: object): void
}

/** SQL for parts of binary columns. */
export interface MediaSql {
  /** No bytes. */
  readonly empty: string
  /** The number of bytes to read in one statement. */
  readonly chunkSize: number
  readonly size: (content: Sql) => Sql
  /** @param from zero-based offset */
  readonly part: (content: Sql, from: number, count: number) => Sql
  /** A digest of the bytes; undefined if the database has none. */
  readonly digest: ((content: Sql) => Sql) | undefined
  /** An expression that differs after every change of the row; undefined if the database has no such expression. */
  readonly rowVersion: string | undefined
  /** The size of the largest media resource that a statement can store; undefined without such a limit. */
  readonly maxBytes?: number | undefined
}
