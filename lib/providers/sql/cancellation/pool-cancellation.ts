import { getOrCreate } from '../../../util/get-or-create.js'
import type { CancelStatements, DriverCancellation } from './driver-cancellation.js'
import type { DriverPool } from './driver-pool.js'
import type { SqlDialect } from '../dialect.js'

/** The maximum number of connections that cancel statements at the same time, in addition to those of the pool. */
const MAX_CONNECTIONS = 4
const TIMEOUT_MS = 5000

const cancellations = new WeakMap<DriverPool, PoolCancellation>()

/**
 * Cancels statements over connections of its own, which are opened with the settings of a pool: all connections of the
 * pool may be waiting for the statements that are to be cancelled. Each is closed immediately afterwards.
 */
export class PoolCancellation {
  private readonly connections = new Map<number, never>()
  private readonly waiting: (() => void)[] = []
  private free = MAX_CONNECTIONS

  private constructor(
    private readonly pool: DriverPool,
    private readonly driver: DriverCancellation<never, never>,
  ) {
    // Every connection is acquired before a statement can run on it.
    pool.on('acquire', (connection) => this.add(connection as never))
  }

  /**
   * Returns the cancellation for a pool, the same for all providers.
   *
   * @throws TypeError if this is not a pool of the driver
   */
  static of(pool: DriverPool, { cancellation: driver, name }: SqlDialect): PoolCancellation {
    if (driver === undefined)
      throw new TypeError(`sqlProvider: 'pool' is not supported on ${name}. Remove the option.`)
    if (typeof (pool as Partial<DriverPool> | null)?.on !== 'function' || !driver.isPool(pool)) {
      throw new TypeError(`sqlProvider: pool must be the pool of ${driver.driver} that the database uses.`)
    }
    return getOrCreate(cancellations, pool, () => new PoolCancellation(pool, driver))
  }

  /** Returns true if the pool has a connection with this number. A pooler between driver and database hides it. */
  has(session: unknown): boolean {
    return this.connections.has(Number(session))
  }

  /**
   * Runs work as soon as a connection may be opened.
   *
   * @param work calls its argument to cancel the running statement of a session
   */
  async run(
    session: unknown,
    statements: CancelStatements,
    work: (send: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      await work(() => this.cancel(session, statements))
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.free++
      else next()
    }
  }

  private async cancel(session: unknown, statements: CancelStatements): Promise<void> {
    const connection = this.connections.get(Number(session))
    // Its statement has ended with it.
    if (connection === undefined) return
    const controller = new AbortController()
    const timeout = setTimeout(() => controller.abort(), TIMEOUT_MS)
    timeout.unref()
    try {
      await this.driver.cancel(this.pool as never, connection, statements, controller.signal)
    } finally {
      clearTimeout(timeout)
    }
  }

  private add(connection: never): void {
    const number = this.driver.numberOf(connection)
    if (typeof number !== 'number' || this.connections.get(number) === connection) return
    this.connections.set(number, connection)
    this.driver.streamOf(connection).once('close', () => {
      if (this.connections.get(number) === connection) this.connections.delete(number)
    })
  }
}
