/**
 * A pool of `pg` or `mysql2`, as the option `pool` of {@link sqlProvider} accepts it.
 *
 * @example
 * const pool: DriverPool = new pg.Pool({ connectionString: 'postgres://shop:secret@localhost/shop' })
 */
export interface DriverPool {
  /** Adds a listener for the connections that the pool hands out. */
  on(event: 'acquire', listener: (connection: object) => void): unknown
}
