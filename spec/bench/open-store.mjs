import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import SQLite from 'better-sqlite3'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { cacheStatements } from '../../dist/esm/sql.js'

/**
 * Opens an empty database of a new server, or in memory for SQLite. MariaDB runs already, see `.ci/with-mariadb`.
 *
 * @param name `sqlite`, `postgres` or `mysql`
 */
export async function openStore(name) {
  if (name === 'sqlite') {
    const sqlite = cacheStatements(new SQLite(':memory:'))
    return ofDatabase(new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), { sqlite })
  }
  if (name === 'postgres') return openPostgres()
  const pool = createPool({ uri: process.env.MARIADB_URL, connectionLimit: 4 })
  return ofDatabase(new Kysely({ dialect: new MysqlDialect({ pool }) }))
}

function ofDatabase(db, options = {}, end = () => undefined) {
  const close = async () => {
    await db.destroy()
    end()
  }
  return { db, options, close }
}

async function openPostgres() {
  const script = fileURLToPath(new URL('../support/sql/postgres-process.mjs', import.meta.url))
  const server = spawn(process.execPath, [script, '-c', 'fsync=off'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(server.stdout, 'data')
  const { port } = JSON.parse(String(line))
  const account = { user: 'tester', password: 'tester', database: 'postgres' }
  const pool = new pg.Pool({ host: '127.0.0.1', port, ...account })
  return ofDatabase(new Kysely({ dialect: new PostgresDialect({ pool }) }), {}, () => server.stdin.end())
}
