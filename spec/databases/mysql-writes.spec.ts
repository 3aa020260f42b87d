import { describeWriteContract } from '../contracts/write-contract.js'
import type { TableOptions } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { writeDatabase } from '../support/sql/write-database.js'

const variants: readonly (readonly [string, TableOptions])[] = [
  ['sqlProvider on MySQL', {}],
  ['sqlProvider on MySQL with foreign keys', { foreignKeys: true }],
]

for (const [name, options] of variants) {
  describeWriteContract(name, {
    create: async (model, rows) => {
      const db = await openMysql()
      const provider = await writeDatabase(db, 'mysql', model, rows, options)
      return { provider, dispose: () => db.destroy() }
    },
    without: ['non-finite numbers'],
    fractionDigits: 6,
    numRuns: 4,
  })
}
