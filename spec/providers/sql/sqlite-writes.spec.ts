import { describeSqliteWrites } from '../../support/sql/write-contracts.js'

describeSqliteWrites('sqlProvider on SQLite with foreign keys, read directly', { foreignKeys: true }, true)
