import { describeSqliteWrites } from '../../support/sql/write-contracts.js'

describeSqliteWrites('sqlProvider on SQLite', {})
describeSqliteWrites('sqlProvider on SQLite with foreign keys', { foreignKeys: true })
describeSqliteWrites('sqlProvider on SQLite, read directly', {}, true)
