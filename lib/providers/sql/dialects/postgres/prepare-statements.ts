import { randomUUID } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { BoundedCache } from '../../../../util/bounded-cache.js'
import { getOrCreate } from '../../../../util/get-or-create.js'
import { MAX_CACHED_STATEMENT_LENGTH } from '../../sql-text.js'
import { isStalePreparedStatement } from './classify-error.js'
import { WirePipeline } from './wire/wire-pipeline.js'
import { WireQuery } from './wire/wire-query.js'

const DEFAULT_CAPACITY = 100

/**
 * Prepares repeated statements of PostgreSQL: each connection parses and plans a statement once, and then only sends its
 * parameters. A fifth more entities are read by their key in the same time.
 *
 * Do not use it with a pooler that assigns a new session to each transaction, such as PgBouncer before 1.21 in the mode
 * `transaction`: prepared statements belong to a session.
 *
 * @param pool of `pg`; the application may use it too
 * @param capacity number of prepared statements; the least recently used one is evicted. A connection that has prepared
 * twice as many is closed when it is released, and the pool opens a new one. Default: 100
 * @returns the pool for Kysely's `PostgresDialect`
 * @throws TypeError for other objects, and if the capacity is not a positive whole number
 * @example
 * const pool = prepareStatements(new pg.Pool({ connectionString: 'postgres://shop:secret@localhost/shop' }))
 * const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
 * app.use('/shop', odataV2(model, sqlProvider(model, db)))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function prepareStatements(pool: PostgresPool, capacity = DEFAULT_CAPACITY): PostgresPool {
  if (typeof (pool as Partial<PostgresPool> | undefined)?.connect !== 'function') {
    throw new TypeError('prepareStatements(pool): the pool must be a Pool of pg.')
  }
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError('prepareStatements(pool, capacity): the capacity must be a positive whole number.')
  }
  const names = new StatementNames(capacity)
  const clients = new WeakMap<PostgresPoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      return getOrCreate(
        clients,
        client,
        () => new PreparingClient(client as NamingClient, names, 2 * capacity),
      )
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

/** The names of prepared statements. Their prefix is unique, as the application may prepare statements too. */
class StatementNames {
  private readonly prefix = randomUUID()
  private readonly names: BoundedCache<string, string>
  private count = 0

  constructor(capacity: number) {
    this.names = new BoundedCache(capacity)
  }

  /** Returns an empty name for long statements and for those at their first use, which may not repeat. */
  nameOf(text: string): string {
    if (text.length > MAX_CACHED_STATEMENT_LENGTH) return ''
    const name = this.names.get(text)
    if (name === undefined) this.names.set(text, '')
    if (name !== '') return name ?? ''
    const given = `${this.prefix} ${String(++this.count)}`
    this.names.set(text, given)
    return given
  }

  /** Gives a statement a new name at its next use. */
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
    private readonly maxPrepared: number,
  ) {}

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if ((statement as unknown) instanceof WirePipeline) {
      return this.runPipeline(statement as unknown as WirePipeline)
    }
    const isWire = (statement as unknown) instanceof WireQuery
    if (typeof statement !== 'string' && !isWire) return this.client.query(statement)
    const text = statement as string
    // Only feeds and the statements of transactions have no parameters.
    const name = parameters.length === 0 && !isWire ? '' : this.names.nameOf(String(text))
    return name === '' ? this.client.query<R>(text, parameters) : this.run<R>(name, text, parameters)
  }

  release(isBroken = false): void {
    this.client.release(isBroken || this.prepared.size >= this.maxPrepared)
  }

  private async runPipeline<R>(pipeline: WirePipeline): Promise<PostgresQueryResult<R>> {
    for (const statement of pipeline.statements) {
      statement.name = this.names.nameOf(statement.text)
      if (statement.name !== '') this.prepared.add(statement.name)
    }
    try {
      return await this.client.query<R>(pipeline as unknown as string, [])
    } catch (error) {
      // The caller repeats the statements one by one, in another transaction.
      if (isStalePreparedStatement(error)) for (const { text } of pipeline.statements) this.names.forget(text)
      throw error
    }
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
        typeof query === 'string'
          ? text
          : (new WireQuery(query.text, values, query.formats) as unknown as string)
      // Within a transaction, which the error has aborted, this fails too.
      return this.client.query<R>(again, values).then(undefined, () => {
        throw error
      })
    }
  }
}
