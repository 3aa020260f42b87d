import SQLite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import type pg from 'pg'
import Cursor from 'pg-cursor'
import type { AnyDatabase } from './model-tables.js'
import { openPool } from './open-pool.js'
import { PostgresServer } from './postgres-server.js'

/** A PostgreSQL database whose statements are logged, and its pool of connections. */
export interface LoggedDatabase {
  readonly db: AnyDatabase
  readonly pool: pg.Pool
  /** Statements since the last call, without those that a connection begins with. */
  readonly statements: () => string[]
}

/** @param connectionString from {@link PostgresServer.addressOf} */
export function loggedDatabase(connectionString: string, max = 4): LoggedDatabase {
  const pool = openPool({ connectionString, max })
  const log = statementLog()
  const db: AnyDatabase = new Kysely({
    dialect: new PostgresDialect({ pool, cursor: Cursor }),
    log: log.note,
  })
  return { db, pool, statements: log.statements }
}

/** A new, empty database of either kind whose statements are logged. */
export interface OwnLoggedDatabase extends Pick<LoggedDatabase, 'db' | 'statements'> {
  /** Closes it, and stops its server. */
  readonly close: () => Promise<void>
}

export async function openLogged(kind: 'sqlite' | 'postgres'): Promise<OwnLoggedDatabase> {
  if (kind === 'sqlite') {
    const { note, statements } = statementLog()
    const db: AnyDatabase = new Kysely({
      dialect: new SqliteDialect({ database: new SQLite(':memory:') }),
      log: note,
    })
    return { db, statements, close: () => db.destroy() }
  }
  const server = PostgresServer.shared()
  const { db, statements } = loggedDatabase(server.addressOf(await server.newDatabase()))
  const close = async (): Promise<void> => {
    await db.destroy()
    await server.stop()
  }
  return { db, statements, close }
}

/** Creates a log function for Kysely and the list of the statements it has logged. */
export function statementLog(): {
  readonly note: (event: { readonly query: { readonly sql: string } }) => void
  readonly statements: () => string[]
} {
  let noted: string[] = []
  return {
    note: ({ query }) => {
      if (!query.sql.includes('pg_backend_pid')) noted.push(String(query.sql))
    },
    statements: () => {
      const all = noted
      noted = []
      return all
    },
  }
}
