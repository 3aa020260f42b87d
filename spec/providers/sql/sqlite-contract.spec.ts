import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { keepStatements } from '../../../lib/providers/sql/keep-statements.js'
import { describeProvider } from '../../contracts/provider-contract.js'
import { contractDatabase } from '../../support/sql/contract-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const sqlite = keepStatements(new SQLite(':memory:'))
const direct: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
const queue: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })

afterAll(async () => {
  for (const db of [queue, direct]) await db.destroy()
})

describeProvider('sqlProvider on SQLite', (data) => contractDatabase(queue, 'sqlite', data))
describeProvider('sqlProvider on SQLite, read directly', (data) =>
  contractDatabase(direct, 'sqlite', data, { sqlite }),
)
