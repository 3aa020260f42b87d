import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { keepStatements } from '../../../lib/providers/sql/keep-statements.js'
import { describeWriteContract } from '../../contracts/write-contract.js'
import type { AnyDatabase, TableOptions } from '../../support/sql/model-tables.js'
import { writeDatabase } from '../../support/sql/write-database.js'

const variants: readonly (readonly [name: string, tables: TableOptions, isDirect: boolean])[] = [
  ['sqlProvider on SQLite', {}, false],
  ['sqlProvider on SQLite with foreign keys', { foreignKeys: true }, false],
  ['sqlProvider on SQLite, read directly', {}, true],
]

for (const [name, tables, isDirect] of variants) {
  describeWriteContract(name, {
    create: async (model, rows) => {
      const sqlite = keepStatements(new SQLite(':memory:'))
      const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
      const provider = await writeDatabase(db, 'sqlite', model, rows, tables, isDirect ? { sqlite } : {})
      return { provider, dispose: () => db.destroy() }
    },
    without: ['non-finite numbers'],
    numRuns: 4,
  })
}
