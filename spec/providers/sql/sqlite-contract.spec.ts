import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { describeProvider } from '../../contracts/provider-contract.js'
import { contractDatabase } from '../../support/sql/contract-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const sqlite = cacheStatements(new SQLite(':memory:'))
const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })

afterAll(() => db.destroy())

describeProvider('sqlProvider on SQLite, read directly', (data) =>
  contractDatabase(db, 'sqlite', data, { sqlite }),
)
