import { randomUUID } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { BoundedCache } from '../../util/bounded-cache.js'
import { MAX_CACHED_STATEMENT_LENGTH } from './sql-text.js'
import { isStalePreparedStatement } from './dialects/postgres-writes.js'
import { WireQuery } from './postgres-wire/wire-query.js'

/** How many statements a connection keeps, if not told. */
const usual = 100

/**
 * Has PostgreSQL prepare statements: each connection parses and plans one once, when it comes again, and only sends
 * values after that. Of entities by their key a fifth more are read in the same time.
 *
 * Not for a pooler between the service and the database that gives each transaction another session, as PgBouncer does
 * in its mode `transaction` before version 1.21: prepared statements belong to a session.
 *
 * @param pool of `pg`, which others may use too
 * @param capacity how many statements are prepared, those used last. A connection that has prepared twice as many is
 * closed when it is given back, and the pool opens another one. Default: 100
 * @returns what Kysely's `PostgresDialect` is given as its pool
 * @throws TypeError when it is no pool, or the capacity no positive whole number
 * @example
 * const pool = prepareStatements(new pg.Pool({ connectionString: 'postgres://shop:secret@localhost/shop' }))
 * const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
 * app.use('/shop', odataV2(model, sqlProvider(model, db)))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function prepareStatements(pool: PostgresPool, capacity = usual): PostgresPool {
  if (typeof (pool as Partial<PostgresPool> | undefined)?.connect !== 'function') {
    throw new TypeError('prepareStatements(pool): the pool must be one of pg.')
  }
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError('prepareStatements(pool, capacity): the capacity must be a positive whole number.')
  }
  const names = new StatementNames(capacity)
  const clients = new WeakMap<PostgresPoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      let preparing = clients.get(client)
      if (preparing === undefined) {
        preparing = new PreparingClient(client as NamingClient, names, 2 * capacity)
        clients.set(client, preparing)
      }
      return preparing
    },
    end: () => pool.end(),
  }
}

/** A connection of `pg`. */
interface NamingClient extends PostgresPoolClient {
  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(named: {
    readonly name: string
    readonly text: string
    readonly values: readonly unknown[]
  }): Promise<PostgresQueryResult<R>>
  /** @param isBroken closes the connection */
  release(isBroken?: boolean): void
}

/** What statements are prepared as. Others may prepare theirs on the same connections. */
class StatementNames {
  private readonly prefix = randomUUID()
  private readonly names: BoundedCache<string, string>
  private count = 0

  constructor(capacity: number) {
    this.names = new BoundedCache(capacity)
  }

  /** Empty for a statement that was never seen, and for a long one: they may never come again. */
  nameOf(text: string): string {
    if (text.length > MAX_CACHED_STATEMENT_LENGTH) return ''
    const name = this.names.get(text)
    if (name === undefined) this.names.set(text, '')
    if (name !== '') return name ?? ''
    const given = `${this.prefix} ${String(++this.count)}`
    this.names.set(text, given)
    return given
  }

  /** It gets another name when it comes again. */
  forget(text: string): void {
    this.names.set(text, '')
  }
}

/** A connection on which statements with parameters are prepared. */
class PreparingClient implements PostgresPoolClient {
  private readonly prepared = new Set<string>()

  constructor(
    private readonly client: NamingClient,
    private readonly names: StatementNames,
    private readonly most: number,
  ) {}

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    const isWire = (statement as unknown) instanceof WireQuery
    if (typeof statement !== 'string' && !isWire) return this.client.query(statement)
    const text = statement as string
    // Statements without parameters are those of transactions, and feeds.
    const name = parameters.length === 0 && !isWire ? '' : this.names.nameOf(String(text))
    return name === '' ? this.client.query<R>(text, parameters) : this.run<R>(name, text, parameters)
  }

  release(isBroken = false): void {
    this.client.release(isBroken || this.prepared.size >= this.most)
  }

  private async run<R>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    this.prepared.add(name)
    const query = text as string | WireQuery
    try {
      if (typeof query === 'string') return await this.client.query<R>({ name, text: query, values })
      query.name = name
      return await this.client.query<R>(text, values)
    } catch (error) {
      if (!isStalePreparedStatement(error)) throw error
      this.names.forget(String(text))
      const again =
        typeof query === 'string' ? text : (new WireQuery(query.text, values) as unknown as string)
      // Within a transaction, which the failure has ended, this fails too.
      return this.client.query<R>(again, values).then(undefined, () => {
        throw error
      })
    }
  }
}
