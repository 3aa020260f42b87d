import pg from 'pg'

/**
 * Opens a pool of connections to PostgreSQL that survives the end of its server.
 *
 * Without listeners, a connection that the server ends, even while the pool closes it, fails the running test.
 *
 * @param options as of the driver, with an address of {@link PostgresServer.addressOf} as `connectionString`
 */
export function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
