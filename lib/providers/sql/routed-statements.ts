import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryExecutor } from 'kysely'
import type { Connection, SqlChangeSet } from './sql-change-set.js'
import { adaptDerived } from './shared-connection.js'

/** A change set that is open while the application runs, and the database that it belongs to. */
interface Scope {
  readonly database: QueryExecutor
  readonly changeSet: SqlChangeSet
}

const scopes = new AsyncLocalStorage<Scope>()

/** The member of an executor that routes: the executor of the database that it was derived from. */
const rootOf = Symbol('root')

/** An executor, which routes if it has the member. */
type RoutingExecutor = QueryExecutor & { [rootOf]?: QueryExecutor }

/**
 * Routes statements that a hook, `authorize` or a function runs on a database with a single connection into the
 * transaction of its change set. They would wait for that connection, which is free only after they have returned.
 *
 * Kysely offers no hook for this, so methods of its executor are replaced. Those derived from it, such as the executor
 * of `db.withSchema()`, share its connection and route too.
 */
export function routeStatements(database: Connection): void {
  const executor: RoutingExecutor = database.getExecutor()
  if (executor[rootOf] === undefined) route(executor, executor)
}

/** Calls work of the application within a change set; its statements on the database become part of it. */
export function runWithin<T>(database: Connection, changeSet: SqlChangeSet, work: () => T): T {
  const executor: RoutingExecutor = database.getExecutor()
  const root = executor[rootOf]
  return root === undefined ? work() : scopes.run({ database: root, changeSet }, work)
}

function route(executor: RoutingExecutor, root: QueryExecutor): void {
  executor[rootOf] = root
  const provideConnection = executor.provideConnection.bind(executor)
  executor.provideConnection = (consumer) => {
    const scope = scopes.getStore()
    return scope?.database !== root || scope.changeSet.isOver
      ? provideConnection(consumer)
      : scope.changeSet.share().getExecutor().provideConnection(consumer)
  }
  adaptDerived(executor, (derived) => route(derived, root))
}
