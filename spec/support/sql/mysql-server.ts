import type { LogConfig } from 'kysely'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import type { AnyDatabase } from './model-tables.js'

let databases = 0

/**
 * A new, empty database on the MariaDB or MySQL server that `MARIADB_URL` names. It is dropped when it is closed.
 *
 * @param log called for the statements of the new database
 * @throws Error without `MARIADB_URL`
 */
export async function openMysql(log?: LogConfig): Promise<AnyDatabase> {
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
  return connect(own.href, log)
}

function connect(address: string, log?: LogConfig): AnyDatabase {
  return new Kysely({
    ...(log === undefined ? {} : { log }),
    dialect: new MysqlDialect({ pool: createPool({ uri: address, connectionLimit: 10 }) }),
  })
}
