import createDebug from 'debug'
import { ODataError, isRetryable } from '../../errors/odata-error.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { callWith } from '../../provider/provider-call.js'
import { violation } from './constraint-violations.js'
import { databaseFailure } from './database-failure.js'
import type { IndexAdvice } from './explain-statement.js'
import { observed } from './explain-statement.js'
import { checkDriver } from './driver-checks.js'
import type { ResultFormats } from './wire/wire-format.js'
import type { SqlDialect, VersionStatements } from './dialect.js'
import type { WriteDialect } from './write-dialect.js'
import type { SyncConnection } from './sync-connection.js'
import { PoolCancellation } from './cancellation/pool-cancellation.js'
import type { DatabaseOptions } from './database-options.js'
import type { ChangeCall, Changed } from './change-call.js'
import { runWithin } from './routed-statements.js'
import type { DriverRow, RowArrays } from './driver-rows.js'
import { driverRows } from './driver-rows.js'
import type { DriverRows, RowReader } from './row-reader.js'
import { wireRows } from './row-reader.js'
import type { Connection, ConnectionControl } from './sql-change-set.js'
import { SqlChangeSet, unknownOutcome } from './sql-change-set.js'
import { ReadJoiner } from './read-joiner.js'
import type { Waiting } from './running-statement.js'
import { checkTransaction, connectionWithSettings, sharedConnection } from './shared-connection.js'
import { SqlSessions } from './sql-sessions.js'
import { inSavepoint } from './in-savepoint.js'
import type { Statement } from './sql-text.js'
import { commentOf } from './statement-comment.js'
import type { WireSql } from './statement-queue.js'
import type { WireRows } from './wire/wire-rows.js'
import { required } from '../../util/required.js'
import { raw, Sql, sql, statementOf } from './sql-text.js'

const debug = createDebug('odata-v2:sql')

/** Runs the statements of a provider: in change sets, on the replica, or synchronously. */
export class SqlDatabase {
  private begin: Promise<readonly Sql[]> | undefined
  private readonly control: ConnectionControl = {
    execute: (statement, connection) => this.runBoundary(statement, connection),
    executeTogether: (statements, connection) => this.runTogether(statements, connection),
    stop: (connection) => this.sessions.stop(connection),
    runWithin: (changeSet, work) =>
      this.dialect.hasOneConnection === true ? runWithin(this.primary, changeSet, work) : work(),
    share: (changeSet) => sharedConnection(this.dialect, changeSet, this.sessions),
    checkTransaction: (changeSet) =>
      checkTransaction(this.dialect, changeSet, (statement) => this.run(statement, changeSet.connection)),
    rollBack: (connection) => this.sessions.rollBack(connection),
    rollBackLater: (connection) => this.sessions.rollBackLater(connection),
    isOutcomeKnown: ({ cause }) => this.dialect.classifyError(cause)?.isOutcomeUnknown === false,
    isRolledBack: (error) => this.dialect.writes?.isRolledBack?.(error) ?? false,
  }

  private readonly sessions: SqlSessions
  private readonly replicaSessions: SqlSessions
  private readonly sync: SyncConnection | undefined
  private openCursors = 0
  private readonly joiner = new ReadJoiner({
    alone: ({ statement, formats }, call) => this.runFor(call, statement, formats),
    together: (reads, call) => this.replicaSessions.runTogether(reads, this.replica, call),
  })

  /** @param replica the database for reads outside of change sets */
  constructor(
    /** Replaced by {@link check}. */
    public dialect: SqlDialect,
    private readonly primary: Connection,
    private readonly replica: Connection = primary,
    private readonly options: DatabaseOptions = {},
  ) {
    const { pool, statementTimeout } = options
    const cancellation = pool && PoolCancellation.of(pool, dialect)
    this.sync = options.sync
    this.sessions = new SqlSessions(dialect, primary, statementTimeout, cancellation)
    this.replicaSessions =
      replica === primary ? this.sessions : new SqlSessions(dialect, replica, statementTimeout)
  }

  /** How rows are changed. @throws TypeError for a database that is read-only */
  get writes(): WriteDialect {
    const { writes } = this.dialect
    if (writes === undefined) throw new TypeError(`Rows of ${this.dialect.name} cannot be changed.`)
    return writes
  }

  /**
   * Checks that the synchronous connection is that of Kysely, and detects what the database supports.
   *
   * @throws TypeError if it is another database
   */
  async check(): Promise<void> {
    await this.sync?.check((text) => this.readOnce(raw(text)))
    for (const sessions of new Set([this.sessions, this.replicaSessions])) await sessions.detectWireRows()
    // A replica may have another version.
    if (this.replica !== this.primary) return
    const { dialect, sessions } = this
    const detected = await dialect.detect?.((one) => this.readOnce(one), this.sync, sessions.hasWireRows)
    this.dialect = await checkDriver(detected ?? dialect, this.primary)
  }

  /**
   * Reads rows. Within a change set they are read in its transaction.
   *
   * @throws ODataError synchronously or by rejection
   */
  read(
    statement: Sql | Statement,
    call: ProviderCall,
    index?: IndexAdvice,
  ): PromiseOrValue<readonly DriverRow[]> {
    if (call.explanation !== undefined)
      return observed(this, call, statement, index, (plain) => this.read(statement, plain))
    const { sync } = this
    return !isChangeCall(call) && sync?.canRead === true
      ? driverRows(this.readSync(sync, statement))
      : this.runFor(call, statement).then(({ rows }) => rows)
  }

  /** True if callers have settings of their own, which belong to the transaction of a single statement. */
  get hasSessions(): boolean {
    return this.options.session !== undefined
  }

  /** The statements about the version of the data; undefined unless the application has enabled them. */
  get versions(): VersionStatements | undefined {
    return this.options.snapshotVersion === true ? this.dialect.versions : undefined
  }

  /** Returns the version of the quoted tables of a file; undefined while uncommitted changes are visible. */
  fileVersion(tables: readonly string[]): string | undefined {
    const { sync } = this
    if (sync?.canRead !== true) return undefined
    try {
      return sync.dataVersion(tables)
    } catch (error) {
      throw databaseFailure(this.dialect, error)
    }
  }

  /**
   * Reads rows for a {@link RowReader}, in the form that the driver returns fastest.
   *
   * @param formats of the columns, for a statement whose rows are returned as the database sends them
   * @throws ODataError synchronously or by rejection
   */
  readPage(
    statement: Sql | Statement,
    call: ProviderCall,
    formats: ResultFormats | undefined,
    index?: IndexAdvice,
  ): PromiseOrValue<DriverRows> {
    if (call.explanation !== undefined)
      return observed(this, call, statement, index, (plain) => this.readPage(statement, plain, formats))
    if (!isChangeCall(call)) {
      if (this.sync?.canRead === true) return this.readSync(this.sync, statement)
      const isJoined = call.readGroup !== undefined && this.dialect.wire?.pipeline !== undefined
      if (formats !== undefined && isJoined && !this.hasSessions)
        return this.joiner.read(this.statementOf(statement, call), formats, call)
    }
    return this.runFor(call, statement, formats).then(({ rows }) =>
      formats === undefined ? rows : wireRows(rows),
    )
  }

  /**
   * Returns the formats of columns in rows as the database sends them; undefined if the driver cannot return such rows.
   */
  formatsOf({ formats }: Pick<RowReader, 'formats'>): ResultFormats | undefined {
    return this.sessions.hasWireRows && this.replicaSessions.hasWireRows ? formats : undefined
  }

  /** Runs synchronous work that reads several times, in one transaction where that is possible. */
  readSnapshot<T>(work: () => T): T {
    return this.sync === undefined ? work() : this.sync.readSnapshot(work)
  }

  /**
   * Reads rows through a cursor, which holds a connection until its iterator is closed.
   *
   * @returns undefined when no more connections may be held, and within change sets, which have only one
   */
  stream(
    statement: Sql,
    batchSize: number,
    call: ProviderCall,
  ): AsyncIterable<readonly DriverRow[]> | undefined {
    const { cursors = 0 } = this.options
    // Cursors have no plan of their own.
    return isChangeCall(call) || this.openCursors >= cursors || call.explanation !== undefined
      ? undefined
      : this.cursor(this.statementOf(statement, call), batchSize, call, this.settingsOf(call, true))
  }

  /** Changes rows. */
  write(statement: Sql | Statement, call: ChangeCall): Promise<Changed> {
    return this.runWithin(call, statement)
  }

  /**
   * Runs one statement that changes rows and ends before this returns; see {@link SyncConnection.change}.
   *
   * @returns false when nothing was changed; a change set then reports the reason, or succeeds
   */
  changeSync(statement: Statement, use: (rows: RowArrays) => boolean, isAlone = false): boolean {
    return this.sync?.change(this.statementOf(statement), use, isAlone) ?? false
  }

  /** True if {@link changeSync} can succeed. */
  get canChangeSync(): boolean {
    return this.sync !== undefined
  }

  /**
   * Runs one statement that changes rows and commits by itself. Within a change set, it is added to the queue, and
   * sent with the others.
   *
   * @param formats of the columns, for a statement whose rows are returned as the database sends them
   * @returns the rows that the statement returns; undefined when the database rejected it, so that nothing was changed
   * @throws ODataError ServiceUnavailable when the database cannot be reached, or the connection was lost
   */
  async autocommit(
    statement: Statement,
    call: ProviderCall,
    formats: ResultFormats | undefined,
  ): Promise<DriverRows | undefined> {
    if (isChangeCall(call)) {
      const commented = { ...statement, text: statement.text + this.commentOf(call) }
      return required(call.changeSet.queue).add(commented, required(formats))
    }
    let isSent = false
    const onChange = (): void => {
      isSent = true
    }
    try {
      const text = this.statementOf(statement, call)
      const settings = this.settingsOf(call, false)
      const { rows } = await this.sessions.run(text, this.primary, call, formats, settings, onChange)
      return formats === undefined ? rows : wireRows(rows)
    } catch (error) {
      const classified = this.dialect.classifyError(error)
      switch (classified?.kind) {
        case undefined:
        case 'slow':
          throw databaseFailure(this.dialect, error)
        case 'away':
          throw isSent && classified?.isOutcomeUnknown === true
            ? unknownOutcome(error)
            : databaseFailure(this.dialect, error)
        default:
          return undefined
      }
    }
  }

  /** Reads rows outside of any call, such as the schema. @throws the error of the driver */
  async readOnce(statement: Sql | Statement, call?: Waiting): Promise<readonly DriverRow[]> {
    const { rows } = await this.sessions.run(this.statementOf(statement), this.primary, call)
    return rows
  }

  /** Runs a statement that is part of no change set on the primary database. @throws like {@link read} */
  async runOnPrimary(statement: Sql, call: Waiting): Promise<readonly DriverRow[]> {
    return (await this.run(statement, this.primary, this.sessions, call)).rows
  }

  /** Runs a trivial statement on each of the databases. @throws ODataError if one cannot be reached */
  async ping(call: Waiting): Promise<void> {
    const statement = this.dialect.sessions?.noop ?? sql`select 1`
    if (this.sync?.canRead === true) this.readSync(this.sync, statement)
    else {
      await this.run(statement, this.primary, this.sessions, call)
      if (this.replica !== this.primary) await this.run(statement, this.replica, this.replicaSessions, call)
    }
  }

  /** @param call its end prevents the commit. @param willQueue true if changes are first added to its queue */
  async beginChangeSet(call: ProviderCall, willQueue = false): Promise<SqlChangeSet> {
    const { signal } = call
    this.begin ??= this.writes.begin((statement) => this.readOnce(statement))
    try {
      const settings = this.options.session?.(call, false)
      const begin = [...(await this.begin), ...(settings === undefined ? [] : [settings])]
      const canQueue = this.formatsOf({ formats: [] }) && this.dialect.wire?.pipeline !== undefined
      return await (willQueue && canQueue === true
        ? SqlChangeSet.withQueue(this.primary, begin, this.control, signal)
        : SqlChangeSet.begin(this.primary, begin, this.control, signal))
    } catch (error) {
      this.begin = undefined
      throw databaseFailure(this.dialect, error)
    }
  }

  /** Runs statements atomically: in the change set of the call, or in one of their own. */
  async change<T>(call: ProviderCall, work: (call: ChangeCall) => Promise<T>): Promise<T> {
    if (isChangeCall(call)) return work(call)
    const changeSet = await this.beginChangeSet(call)
    try {
      const result = await work(callWith(call, { changeSet }) as ChangeCall)
      await changeSet.commit()
      return result
    } catch (error) {
      // An error of the rollback would hide its cause.
      await changeSet.rollBack().catch(() => undefined)
      throw error
    }
  }

  /** Returns the connection for statements of the application in a change set; outside of one the database. */
  connectionFor(call: Pick<ProviderCall, 'changeSet'>): Connection {
    if (call.changeSet instanceof SqlChangeSet) return call.changeSet.share()
    const settings = this.options.session?.(call as ProviderCall, false)
    return settings === undefined
      ? this.primary
      : connectionWithSettings(this.primary, this.statementOf(settings), this.sessions)
  }

  /** Runs a statement that may fail, without an effect on the change set. */
  async tried(call: ProviderCall, statement: Sql): Promise<void> {
    if (isChangeCall(call)) await inSavepoint(this, call, async () => this.read(statement, call))
    else await this.read(statement, call)
  }

  private runFor(call: ProviderCall, statement: Sql | Statement, formats?: ResultFormats): Promise<Changed> {
    if (isChangeCall(call)) return this.runWithin(call, statement, formats)
    const settings = this.settingsOf(call, true)
    const runOn = (connection: Connection, sessions: SqlSessions): Promise<Changed> =>
      this.run(statement, connection, sessions, call, formats, call, settings)
    return this.replica === this.primary ? runOn(this.primary, this.sessions) : this.readFromReplica(runOn)
  }

  /** Returns the settings of a statement that is not part of a change set; undefined without sessions of callers. */
  private settingsOf(call: ProviderCall, isReadOnly: boolean): Statement | undefined {
    const settings = this.options.session?.(call, isReadOnly)
    return settings && this.statementOf(settings)
  }

  /** Reads from the replica, or from the primary database if the replica cancels the read because of an arriving change. */
  private async readFromReplica(
    runOn: (connection: Connection, sessions: SqlSessions) => Promise<Changed>,
  ): Promise<Changed> {
    try {
      return await runOn(this.replica, this.replicaSessions)
    } catch (error) {
      if (!isRetryable(error)) throw error
      return runOn(this.primary, this.sessions)
    }
  }

  private async runWithin(
    call: ChangeCall,
    statement: Sql | Statement,
    formats?: ResultFormats,
  ): Promise<Changed> {
    const { changeSet } = call
    changeSet.throwIfEnded()
    try {
      return await this.run(statement, changeSet.connection, this.sessions, undefined, formats, call)
    } catch (error) {
      // The application has caught an error of its own statement.
      if (changeSet.applicationFailure !== undefined && this.control.isRolledBack(error))
        throw changeSet.noteEnd(error)
      if (this.writes.failureEndsTransaction || error instanceof ODataError) changeSet.failed = { error }
      throw error
    }
  }

  private async runTogether(
    statements: readonly WireSql[],
    connection: Connection,
  ): Promise<readonly WireRows[]> {
    const reads = statements.map(({ sql: one, formats }) => ({ statement: this.statementOf(one), formats }))
    try {
      return (await this.sessions.runTogether(reads, connection)).statements.map(({ rows }) => rows)
    } catch (error) {
      throw databaseFailure(this.dialect, error)
    }
  }

  /** Begins or ends a change set. Deferred constraints are checked at its end. */
  private async runBoundary(statement: Sql, connection: Connection): Promise<Changed> {
    try {
      return await this.run(statement, connection)
    } catch (error) {
      const classified = this.dialect.classifyError(error)
      throw classified === undefined ? error : violation(classified, undefined, error)
    }
  }

  private async *cursor(
    statement: Statement,
    batchSize: number,
    call: Waiting,
    settings: Statement | undefined,
  ): AsyncGenerator<readonly DriverRow[]> {
    this.openCursors++
    try {
      yield* this.replicaSessions.stream(statement, batchSize, call, settings)
    } catch (error) {
      throw this.failureOf(error)
    } finally {
      this.openCursors--
    }
  }

  private readSync(sync: SyncConnection, fragment: Sql | Statement): RowArrays {
    const statement = this.statementOf(fragment)
    try {
      return sync.read(statement)
    } catch (error) {
      throw databaseFailure(this.dialect, error)
    }
  }

  /** @throws ODataError if a retry may succeed or the database cannot be reached, else the error of the driver */
  private async run(
    fragment: Sql | Statement,
    connection: Connection,
    sessions = this.sessions,
    call?: Waiting,
    formats?: ResultFormats,
    commented: Pick<ProviderCall, 'requestIds'> | undefined = call,
    settings?: Statement,
  ): Promise<Changed> {
    const statement = this.statementOf(fragment, commented)
    try {
      const result = await sessions.run(statement, connection, call, formats, settings)
      const { rows, numAffectedRows, insertId } = result
      const count = numAffectedRows === undefined ? rows.length : Number(numAffectedRows)
      return { rows, count, insertId }
    } catch (error) {
      throw this.failureOf(error)
    }
  }

  /** Returns the error for the client. The privileges of a caller are not those of the connection. */
  private failureOf(error: unknown): unknown {
    return this.options.session !== undefined && this.dialect.classifyError(error)?.kind === 'privilege'
      ? violation({ kind: 'privilege', columns: [] }, undefined, error)
      : databaseFailure(this.dialect, error)
  }

  statementOf(fragment: Sql | Statement, call?: Pick<ProviderCall, 'requestIds'>): Statement {
    let statement =
      fragment instanceof Sql ? statementOf(fragment, (index) => this.dialect.placeholder(index)) : fragment
    if (call !== undefined && this.options.statementComments === true)
      statement = { ...statement, text: statement.text + this.commentOf(call) }
    if (debug.enabled) debug('%s', statement.text)
    return statement
  }

  private commentOf({ requestIds }: Pick<ProviderCall, 'requestIds'>): string {
    return this.options.statementComments === true && requestIds !== undefined ? commentOf(requestIds) : ''
  }
}

/** Returns true if a call belongs to a change set of this provider. */
function isChangeCall(call: ProviderCall): call is ChangeCall {
  return call.changeSet instanceof SqlChangeSet
}
