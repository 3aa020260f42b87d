import type { DatabaseConnection, QueryExecutor, QueryResult } from 'kysely'
import { CompiledQuery } from 'kysely'
import { required } from '../../util/required.js'
import { databaseFailure } from './database-failure.js'
import type { SqlDialect } from './dialect.js'
import type { Connection, SqlChangeSet } from './sql-change-set.js'
import type { SqlSessions } from './sql-sessions.js'
import type { Sql, Statement } from './sql-text.js'
import { statementOf } from './sql-text.js'

/**
 * Returns the connection of a change set for statements of the application. They cannot begin or end a transaction. When
 * one ends it by its failure, as a deadlock does on MySQL, the change set fails: the database would commit the
 * statements that follow one by one.
 */
export function sharedConnection(
  dialect: SqlDialect,
  changeSet: SqlChangeSet,
  sessions: Pick<SqlSessions, 'withStandby'>,
): Connection {
  return guarded(changeSet.connection, (session, use) =>
    use(new SharedSession(session, dialect, changeSet, sessions)),
  )
}

/** Returns a connection whose statements run each in a transaction of its own, with settings. */
export function connectionWithSettings(
  database: Connection,
  settings: Statement,
  sessions: Pick<SqlSessions, 'inTransaction'>,
): Connection {
  return guarded(database, (session, use) =>
    sessions.inTransaction(session, settings, () => use(new SettingsSession(session))),
  )
}

/** @param provide calls `use` with the session that the statements run on */
function guarded(
  connection: Connection,
  provide: <T>(session: DatabaseConnection, use: (session: DatabaseConnection) => Promise<T>) => Promise<T>,
): Connection {
  // With an executor of its own: statements of the library are checked elsewhere.
  const shared = connection.withoutPlugins()
  const guard = (executor: QueryExecutor): void => {
    const provideConnection = executor.provideConnection.bind(executor)
    executor.provideConnection = (consumer) => provideConnection((session) => provide(session, consumer))
    adaptDerived(executor, guard)
  }
  guard(shared.getExecutor())
  return shared
}

/**
 * Adapts the executors that are derived from an executor, such as that of `db.withSchema()`. Kysely offers no hook for
 * this, so methods are replaced.
 */
export function adaptDerived(executor: QueryExecutor, adapt: (derived: QueryExecutor) => void): void {
  const adapted = (derived: QueryExecutor): QueryExecutor => {
    adapt(derived)
    return derived
  }
  const withPlugin = executor.withPlugin.bind(executor)
  executor.withPlugin = (plugin) => adapted(withPlugin(plugin))
  const withPluginAtFront = executor.withPluginAtFront.bind(executor)
  executor.withPluginAtFront = (plugin) => adapted(withPluginAtFront(plugin))
  const withPlugins = executor.withPlugins.bind(executor)
  executor.withPlugins = (plugins) => adapted(withPlugins(plugins))
  const withoutPlugins = executor.withoutPlugins.bind(executor)
  executor.withoutPlugins = () => adapted(withoutPlugins())
}

/** Comments before a statement. Those with `!` are statements of MySQL. */
const COMMENTS = /^(?:\s|;|(?:--|#).*\n|\/\*(?!!)[^]*?\*\/)*/
const BEGIN_OR_END =
  /^(?:begin|start\s+transaction|commit|end|abort|xa|prepare\s+transaction|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b))\b/i
/** A statement that does not end a transaction when it succeeds. */
const PLAIN = /^(?:select|insert|update|delete|replace|with)\b[^;]*$/i

class SettingsSession implements DatabaseConnection {
  constructor(private readonly session: DatabaseConnection) {}

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    checkBoundary(query.sql.replace(COMMENTS, ''))
    return this.session.executeQuery<R>(query)
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    checkBoundary(query.sql.replace(COMMENTS, ''))
    return this.session.streamQuery<R>(query, chunkSize)
  }
}

/** @throws TypeError for a statement that begins or ends a transaction */
function checkBoundary(statement: string): void {
  if (!BEGIN_OR_END.test(statement)) return
  throw new TypeError(
    'A transaction cannot begin or end here: this code runs within the change set of a request, or with its session. ' +
      'Leave out db.transaction(), or use provider.connectionOf(call): its statements belong to that transaction.',
  )
}

class SharedSession implements DatabaseConnection {
  constructor(
    private readonly session: DatabaseConnection,
    private readonly dialect: SqlDialect,
    private readonly changeSet: SqlChangeSet,
    private readonly sessions: Pick<SqlSessions, 'withStandby'>,
  ) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const text = this.checkedText(query)
    let result
    try {
      result = await this.session.executeQuery<R>(query)
    } catch (error) {
      throw await this.failure(error)
    }
    if (!PLAIN.test(text)) await this.checkTransaction()
    return result
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    this.checkedText(query)
    try {
      yield* this.session.streamQuery<R>(query, chunkSize)
    } catch (error) {
      throw await this.failure(error)
    }
  }

  /** @throws TypeError for a statement that ends the transaction, and the reason why it has already ended */
  private checkedText({ sql: text }: CompiledQuery): string {
    const { changeSet, dialect } = this
    const statement = text.replace(COMMENTS, '')
    changeSet.throwIfEnded()
    checkBoundary(statement)
    if (dialect.writes?.implicitCommit?.test(statement) === true) {
      throw new TypeError(
        `${dialect.name} commits before this statement, and cannot roll back the change set afterwards. Run it on ` +
          'another connection: ' +
          statement.slice(0, 60),
      )
    }
    return statement
  }

  /** Returns the error for the application, after checking whether it has ended the transaction. */
  private async failure(error: unknown): Promise<unknown> {
    const failure = databaseFailure(this.dialect, this.sessions.withStandby(error, this.session))
    this.changeSet.applicationFailure = failure
    // Others refuse all statements until a rollback, which may be to a savepoint of the application.
    if (this.dialect.writes?.failureEndsTransaction !== true) await this.checkTransaction()
    return failure
  }

  private async checkTransaction(): Promise<void> {
    const { changeSet, dialect, session } = this
    await checkTransaction(dialect, changeSet, (statement) =>
      session.executeQuery(CompiledQuery.raw(statementOf(statement, () => '').text)),
    )
  }
}

/** Notes the failure of a change set whose transaction has ended. */
export async function checkTransaction(
  dialect: SqlDialect,
  changeSet: SqlChangeSet,
  run: (statement: Sql) => Promise<unknown>,
): Promise<void> {
  const { statement, isOpen } = required(dialect.writes).transactionCheck
  let outcome: unknown
  try {
    await run(statement)
  } catch (error) {
    outcome = databaseFailure(dialect, error)
  }
  if (!isOpen(outcome)) changeSet.noteEnd(outcome)
}
