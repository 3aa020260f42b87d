import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { describeWriteContract } from '../../contracts/write-contract.js'
import type { AnyDatabase, TableOptions } from '../../support/sql/model-tables.js'
import { writeDatabase } from '../../support/sql/write-database.js'

const variants: readonly (readonly [string, TableOptions])[] = [
  ['sqlProvider on SQLite', {}],
  ['sqlProvider on SQLite with foreign keys', { foreignKeys: true }],
]

for (const [name, options] of variants) {
  describeWriteContract(name, {
    create: async (model, rows) => {
      const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
      const provider = await writeDatabase(db, 'sqlite', model, rows, options)
      return { provider, dispose: () => db.destroy() }
    },
    without: ['non-finite numbers'],
    numRuns: 4,
  })
}
