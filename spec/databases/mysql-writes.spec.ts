import { describeWriteContract } from '../contracts/write-contract.js'
import type { TableOptions } from '../support/sql/model-tables.js'
import { openMysql, reportMysql } from '../support/sql/mysql-server.js'
import { writeDatabase } from '../support/sql/write-database.js'

const variants: readonly (readonly [string, TableOptions, ('MySQL' | 'MariaDB')?])[] = [
  ['sqlProvider on MariaDB', {}],
  ['sqlProvider on MariaDB with foreign keys', { foreignKeys: true }],
  ['sqlProvider on MySQL, without `returning`, with foreign keys', { foreignKeys: true }, 'MySQL'],
]

for (const [name, options, version] of variants) {
  describeWriteContract(name, {
    create: async (model, rows) => {
      const db = await openMysql(undefined, version === 'MySQL' ? reportMysql : undefined)
      const provider = await writeDatabase(db, 'mysql', model, rows, options)
      return { provider, dispose: () => db.destroy() }
    },
    without: ['non-finite numbers'],
    fractionDigits: 6,
    numRuns: 4,
  })
}
