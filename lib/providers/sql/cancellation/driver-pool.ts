/**
 * A pool of `pg` or `mysql2`, as the option `pool` of {@link sqlProvider} accepts it.
 *
 * @example
 * const pool: DriverPool = new pg.Pool({ connectionString: 'postgres://shop:secret@localhost/shop' })
 */
export interface DriverPool {
  /** The pool emits `acquire` with each connection that it hands out. */
  on(event: 'acquire', listener: (connection: object) => void): unknown
}
