import { describeRepeatableRequests } from '../../contracts/repeat-contract.js'
import { openSqlite } from '../../support/sql/delta-tables.js'
import { repeatableProvider } from '../../support/sql/repeat-tables.js'

describeRepeatableRequests('sqlProvider on SQLite', () => repeatableProvider(openSqlite(false).db, 'sqlite'))
