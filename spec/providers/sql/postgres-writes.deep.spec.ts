import { describePostgresWrites } from '../../support/sql/write-contracts.js'

describePostgresWrites('sqlProvider on PostgreSQL with foreign keys', {
  foreignKeys: true,
  generatedKeys: true,
})
