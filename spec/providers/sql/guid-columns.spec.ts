import { describeDatabases } from '../../support/sql/databases.js'
import { describeGuidColumns } from '../../support/sql/guid-columns.js'

describe('Guids in columns of text', () => {
  describeDatabases(({ kind, open }) => {
    describeGuidColumns(open, ['char(36)', 'text'], kind === 'sqlite')
  })
})
