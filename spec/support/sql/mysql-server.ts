import type { LogConfig, MysqlPool, MysqlPoolConnection } from 'kysely'
import { Kysely, MysqlDialect, sql } from 'kysely'
import type { Pool, PoolConnection } from 'mysql2'
import { createPool } from 'mysql2'
import type { AnyDatabase } from './model-tables.js'

let databases = 0

/**
 * A new, empty database on the MariaDB or MySQL server that `MARIADB_URL` names. It is dropped when it is closed.
 *
 * @param log called for the statements of the new database
 * @param change changes the results of its statements
 * @throws Error without `MARIADB_URL`
 */
export async function openMysql(log?: LogConfig, change?: ChangeResult): Promise<AnyDatabase> {
  const { MARIADB_URL: address } = process.env
  if (address === undefined)
    throw new Error('Set MARIADB_URL, for instance to mysql://root@127.0.0.1:3306/test.')
  const name = `test_${String(process.pid)}_${String(++databases)}`
  const main = connect(address)
  await sql.raw(`drop database if exists ${name}`).execute(main)
  await sql.raw(`create database ${name}`).execute(main)
  await main.destroy()
  const own = new URL(address)
  own.pathname = `/${name}`
  return connect(own.href, log, change)
}

/** Changes the result of a statement, or throws the error with which it ends. */
export type ChangeResult = (statement: string, result: unknown) => unknown

/** Reports MySQL as the version of a MariaDB server, which has a `returning` clause in addition. */
export const reportMysql: ChangeResult = (statement, result) =>
  statement.startsWith('select version() as version')
    ? (result as readonly object[]).map((row) => ({ ...row, version: '8.4.7' }))
    : result

function connect(address: string, log?: LogConfig, change?: ChangeResult): AnyDatabase {
  const pool = createPool({ uri: address, connectionLimit: 10 })
  return new Kysely({
    ...(log === undefined ? {} : { log }),
    dialect: new MysqlDialect({ pool: change === undefined ? pool : changedResults(pool, change) }),
  })
}

function changedResults(pool: Pool, change: ChangeResult): MysqlPool {
  const changed = (connection: PoolConnection): MysqlPoolConnection => {
    const query = connection.query.bind(connection) as (...given: unknown[]) => unknown
    return Object.assign(connection, {
      query: (text: unknown, values: unknown, done: (error: unknown, result?: unknown) => void) =>
        query(text, values, (error: unknown, result: unknown) => {
          try {
            done(error, change(String(text), result))
          } catch (thrown) {
            done(thrown)
          }
        }),
    })
  }
  const known = new WeakMap<PoolConnection, MysqlPoolConnection>()
  return {
    end: (done) => pool.end(done),
    getConnection: (done) =>
      pool.getConnection((error, connection) => {
        if (error !== null) return void done(error, undefined as never)
        const own = known.get(connection) ?? changed(connection)
        known.set(connection, own)
        done(null, own)
      }),
  }
}
