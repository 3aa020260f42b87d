import { describeRepeatableRequests } from '../contracts/repeat-contract.js'
import { openMysql, reportMysql } from '../support/sql/mysql-server.js'
import { repeatableProvider } from '../support/sql/repeat-tables.js'

describeRepeatableRequests('sqlProvider on MariaDB', async () =>
  repeatableProvider(await openMysql(), 'mariadb'),
)

describeRepeatableRequests('sqlProvider on MySQL, without `returning`', async () =>
  repeatableProvider(await openMysql(undefined, reportMysql), 'mariadb'),
)
