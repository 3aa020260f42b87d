import type { DatabaseConnection, QueryResult } from 'kysely'
import { CompiledQuery } from 'kysely'
import { required } from '../../util/required.js'
import { unlessGone } from './unless-gone.js'
import { ROLLBACK, UnfinishedSessions } from './unfinished-sessions.js'
import { standbyError } from './database-failure.js'
import { connectionClasses } from './driver-checks.js'
import type { PoolCancellation } from './cancellation/pool-cancellation.js'
import { SessionCancellation } from './cancellation/session-cancellation.js'
import type { ResultFormats, PipelineResult, WireRead, WireStatement } from './wire/wire-format.js'
import type { SessionControl, SqlDialect } from './dialect.js'
import type { DriverRow } from './driver-rows.js'
import { wireRows } from './row-reader.js'
import type { Waiting } from './running-statement.js'
import { executeWithInterrupt } from './execute-with-interrupt.js'
import { LongStatements, RunningStatement, throwIfAborted } from './running-statement.js'
import type { Connection } from './sql-change-set.js'
import type { Sql, Statement } from './sql-text.js'
import { statementOf } from './sql-text.js'
import { WireRows } from './wire/wire-rows.js'

/** Milliseconds of waiting for a session after which the call may have been aborted. */
const LONG_WAIT_MS = 100

const BEGIN = plain('begin')
const COMMIT = plain('commit')

/** A session whose settings have been made. */
interface KnownSession {
  /** The number of the session in the database. */
  readonly number: unknown
  /** True if it began on a standby. A primary does not become a standby while it has sessions. */
  readonly isStandby: boolean
}

/** A session of the database that is used exclusively until it is released. */
interface HeldSession {
  readonly session: DatabaseConnection
  release(): void
}

/**
 * Runs statements on the sessions of a database. Makes the settings of a session at its first use, and cancels the
 * statements of aborted calls.
 */
export class SqlSessions {
  private readonly known = new WeakMap<DatabaseConnection, KnownSession>()
  private readonly unfinished: UnfinishedSessions
  private readonly cancellation: SessionCancellation
  private readonly long = new LongStatements()
  private readonly changes = new LongStatements(0)
  /** True if the driver can return rows as the database sends them. */
  hasWireRows = false
  /** The statements that run on held connections. */
  private readonly running = new Map<Connection, RunningStatement>()

  constructor(
    private readonly dialect: SqlDialect,
    private readonly connection: Connection,
    private readonly statementTimeout: number | undefined,
    /** Absent: statements are cancelled on sessions of the same database. */
    pool?: PoolCancellation,
  ) {
    const isLost = (error: unknown): boolean => dialect.classifyError(error)?.kind === 'away'
    this.unfinished = new UnfinishedSessions(isLost, (session) => this.known.delete(session))
    this.cancellation = new SessionCancellation(dialect, connection, pool)
  }

  /**
   * @param formats of the columns if rows are returned as the database sends them, where {@link hasWireRows} is true
   * @param call aborts the statement; absent for statements that run to completion. Its signal is read only when the
   * statement takes long: creating it costs a tenth of reading an entity
   * @param settings a statement that makes settings; both run in a transaction of their own
   * @param onChange called before a statement is sent that changes data and commits by itself
   * @throws the reason of the signal when it was aborted, and ODataError ServiceUnavailable after the timeout
   */
  async run(
    statement: Statement,
    connection: Connection,
    call: Waiting | undefined,
    formats?: ResultFormats,
    settings?: Statement,
    onChange?: () => void,
  ): Promise<QueryResult<DriverRow>> {
    if (settings !== undefined)
      return this.runWithSettings(settings, statement, connection, call, formats, onChange)
    const wire = formats && this.dialect.wire?.query(statement, formats)
    if (wire === undefined) return this.execute(compiled(statement), [statement], connection, call, onChange)
    const execute = async (query: WireStatement): Promise<QueryResult<DriverRow>> => {
      // Kysely hands the text of a statement to the driver as it is.
      const text = query as unknown as string
      const { parameters } = statement
      const result = await this.execute(
        compiled({ text, parameters }),
        [statement],
        connection,
        call,
        onChange,
      )
      // After a retry of a prepared statement, the rows are those of another query.
      const rows: unknown = result.rows
      return { ...result, rows: (rows instanceof WireRows ? rows : query.rows) as unknown as DriverRow[] }
    }
    const result = await execute(wire)
    // Changes return a single row, which is certain.
    const again = onChange === undefined ? wire.again?.() : undefined
    return again === undefined ? result : execute(again)
  }

  /** Sends both together if possible: without a transaction, the server runs them in one, which takes one round trip. */
  private async runWithSettings(
    settings: Statement,
    statement: Statement,
    connection: Connection,
    call: Waiting | undefined,
    formats: ResultFormats | undefined,
    onChange: (() => void) | undefined,
  ): Promise<QueryResult<DriverRow>> {
    if (formats === undefined || this.dialect.wire?.pipeline === undefined)
      return this.execute(compiled(statement), [statement], connection, call, onChange, settings)
    const both = [
      { statement: settings, formats: [] },
      { statement, formats },
    ]
    const { statements } = await this.runTogether(both, connection, call, onChange)
    return { rows: statements[1]?.rows as unknown as DriverRow[] }
  }

  /**
   * Sends statements together, which run up to the first that fails and are a transaction if none is open. Needs
   * {@link hasWireRows} and `pipeline` of the dialect.
   *
   * @param call as that of {@link run}
   * @returns the statements with their rows
   */
  async runTogether(
    reads: readonly WireRead[],
    connection: Connection,
    call?: Waiting,
    onChange?: () => void,
  ): Promise<PipelineResult> {
    const pipeline = required(this.dialect.wire?.pipeline?.(reads))
    const query: CompiledQuery<DriverRow> = CompiledQuery.raw(pipeline as unknown as string, [])
    const statements = reads.map(({ statement }) => statement)
    await this.execute(query, statements, connection, call, onChange)
    // The pipeline itself is a promise of its driver.
    return { statements: pipeline.statements, duration: pipeline.duration }
  }

  private async execute(
    query: CompiledQuery<DriverRow>,
    statements: readonly Statement[],
    connection: Connection,
    call: Waiting | undefined,
    onChange: (() => void) | undefined,
    settings?: Statement,
  ): Promise<QueryResult<DriverRow>> {
    const { sessions, interruption } = this.dialect
    if (sessions === undefined) {
      onChange?.()
      return interruption === undefined || call === undefined
        ? connection.executeQuery<DriverRow>(query)
        : executeWithInterrupt(query, connection, { interruption, call, long: this.long })
    }
    const long = onChange === undefined ? this.long : this.changes
    const start = performance.now()
    return connection.getExecutor().provideConnection(async (session) => {
      const known = this.known.get(session) ?? (await this.introduce(sessions, session))
      // A change must not begin after the end of its request.
      if (onChange !== undefined || performance.now() - start > LONG_WAIT_MS) throwIfAborted(call)
      const execute = async (): Promise<QueryResult<DriverRow>> => {
        const running = this.begin(sessions, known, statements, call, long)
        const isHeld = connection !== this.connection
        if (isHeld) this.running.set(connection, running)
        try {
          onChange?.()
          return await session.executeQuery<DriverRow>(query)
        } catch (error) {
          // The pool would hand out a lost connection again before it knows.
          if (onChange !== undefined && this.dialect.classifyError(error)?.kind === 'away')
            await session.executeQuery(ROLLBACK).catch(() => undefined)
          throw this.withStandby(running.reasonOf(error), session)
        } finally {
          if (this.running.get(connection) === running) this.running.delete(connection)
          const stopping = running.end(() => this.afterCancel(session))
          if (stopping !== undefined) await stopping
        }
      }
      return settings === undefined ? execute() : this.inTransaction(session, settings, execute)
    })
  }

  /**
   * Runs work in a transaction with settings, which end with it. A session whose transaction cannot be ended rolls back
   * before its next statement.
   */
  async inTransaction<T>(
    session: DatabaseConnection,
    settings: Statement,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      await session.executeQuery(BEGIN)
      await session.executeQuery(compiled(settings))
      const result = await work()
      await session.executeQuery(COMMIT)
      return result
    } catch (error) {
      await this.unfinished.rollBack(session)
      throw error
    }
  }

  /** Rolls back on the session of a held connection now, or else before its next statement. */
  async rollBack(connection: Connection): Promise<void> {
    await connection.getExecutor().provideConnection((session) => this.unfinished.rollBack(session))
  }

  /** Replaces the error of a change that a session refuses because its server is a standby: a retry may succeed. */
  withStandby(error: unknown, session: DatabaseConnection): unknown {
    const isStandby = this.known.get(session)?.isStandby === true
    return isStandby && this.dialect.classifyError(error)?.kind === 'readOnly' ? standbyError(error) : error
  }

  /**
   * Cancels the statement that runs on a held connection, and waits for its end.
   *
   * @returns undefined when no statement runs
   */
  stop(connection: Connection): Promise<void> | undefined {
    return this.running.get(connection)?.cancel()
  }

  /** Returns the rows of a statement in batches. Holds a session until all are read, or the iterator is closed. */
  async *stream(
    statement: Statement,
    batchSize: number,
    call: Waiting,
    settings?: Statement,
  ): AsyncGenerator<readonly DriverRow[]> {
    const { sessions } = this.dialect
    const held = await hold(this.connection)
    const { session } = held
    let known: KnownSession | undefined
    try {
      known = sessions && (this.known.get(session) ?? (await this.introduce(sessions, session)))
      call.signal.throwIfAborted()
      if (settings !== undefined) {
        await session.executeQuery(BEGIN)
        await session.executeQuery(compiled(settings))
      }
      const running = sessions && known && this.begin(sessions, known, [statement], call)
      const batches = session.streamQuery<DriverRow>(compiled(statement), batchSize)
      try {
        yield* this.whileThere(batches, known)
      } catch (error) {
        throw running?.reasonOf(error) ?? error
      } finally {
        await running?.end(() => this.afterCancel(session))
      }
    } finally {
      const isGone = (): Promise<boolean> => this.isGone(known)
      if (settings !== undefined)
        await unlessGone(this.unfinished.rollBack(session), isGone).catch(() => undefined)
      held.release()
    }
  }

  /** Reads a stream, which may never report that its session has ended: then it is abandoned. */
  private async *whileThere(
    batches: AsyncIterableIterator<QueryResult<DriverRow>>,
    session: KnownSession | undefined,
  ): AsyncGenerator<readonly DriverRow[]> {
    const isGone = (): Promise<boolean> => this.isGone(session)
    let isOver = false
    try {
      for (;;) {
        const next = await unlessGone(batches.next(), isGone)
        isOver = next.done === true
        if (next.done === true) return
        yield next.value.rows
      }
    } catch (error) {
      isOver = true
      throw error
    } finally {
      if (!isOver && batches.return !== undefined) await unlessGone(batches.return(), isGone)
    }
  }

  /** Checks on another session whether a session has ended. */
  private async isGone(session: KnownSession | undefined): Promise<boolean> {
    const { sessions } = this.dialect
    if (sessions === undefined || session === undefined) return false
    const query = this.compiled(sessions.isThere(session.number))
    const { rows } = await this.connection.executeQuery<DriverRow>(query)
    return rows.length === 0
  }

  private begin(
    sessions: SessionControl,
    { number }: KnownSession,
    statements: readonly Statement[],
    call: Waiting | undefined,
    long = this.long,
  ): RunningStatement {
    const elsewhere = this.cancellation.of(sessions, number, statements)
    return new RunningStatement(sessions, call, elsewhere, long)
  }

  /** Finds out whether the driver can return rows as the database sends them. */
  async detectWireRows(): Promise<void> {
    const { wire } = this.dialect
    // Other drivers may fail for statements that are no strings, or be unusable after them.
    if (wire === undefined || !(await connectionClasses(this.connection)).has(wire.connectionClass)) return
    const { text, formats, rows: expected } = wire.probe
    try {
      const { rows } = await this.run({ text, parameters: [] }, this.connection, undefined, formats)
      const cells = cellsOf(wireRows(rows), expected[0]?.length ?? 0)
      this.hasWireRows = JSON.stringify(cells) === JSON.stringify(expected)
    } catch (error) {
      if (this.dialect.classifyError(error)?.kind === 'away') throw error
      this.hasWireRows = false
    }
  }

  /**
   * Rolls back on the session of a held connection as soon as possible, and before its next statement: the database has
   * refused to.
   */
  async rollBackLater(connection: Connection): Promise<void> {
    await connection.getExecutor().provideConnection((session) => {
      this.unfinished.add(session)
      return Promise.resolve()
    })
  }

  private async introduce(sessions: SessionControl, session: DatabaseConnection): Promise<KnownSession> {
    await this.unfinished.finish(session)
    if (sessions.settings !== undefined) await session.executeQuery(this.compiled(sessions.settings))
    const begin = sessions.begin(this.statementTimeout)
    const { rows } = await session.executeQuery<DriverRow>(this.compiled(begin))
    const known = { number: rows[0]?.session, isStandby: rows[0]?.standby === 'on' }
    this.known.set(session, known)
    return known
  }

  private async afterCancel(session: DatabaseConnection): Promise<void> {
    const noop = this.dialect.sessions?.noop
    if (noop !== undefined) await session.executeQuery(this.compiled(noop)).catch(() => undefined)
  }

  private compiled(fragment: Sql): CompiledQuery {
    return compiled(this.statement(fragment))
  }

  private statement(fragment: Sql): Statement {
    return statementOf(fragment, (index) => this.dialect.placeholder(index))
  }
}

function cellsOf({ sources, positions, reader }: WireRows, count: number): readonly (readonly unknown[])[] {
  return sources.map((source, index) => reader.cells(source, positions[index] ?? 0, count))
}

function plain(text: string): CompiledQuery {
  return CompiledQuery.raw(text, [])
}

function compiled({ text, parameters }: Statement): CompiledQuery<DriverRow> {
  return CompiledQuery.raw(text, [...parameters])
}

function hold(connection: Connection): Promise<HeldSession> {
  return new Promise((resolve, reject) => {
    connection
      .getExecutor()
      .provideConnection((session) => new Promise<void>((release) => resolve({ session, release })))
      .catch(reject)
  })
}
