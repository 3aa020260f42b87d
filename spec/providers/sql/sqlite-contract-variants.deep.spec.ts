import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { describeProvider } from '../../contracts/provider-contract.js'
import { contractDatabase } from '../../support/sql/contract-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })

afterAll(() => db.destroy())

describeProvider('sqlProvider on SQLite', (data) => contractDatabase(db, 'sqlite', data))
