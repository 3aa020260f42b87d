import { describeEndedTransactions } from '../support/sql/ended-transactions.js'
import { openMysql } from '../support/sql/mysql-server.js'

describeEndedTransactions('mysql', () => openMysql())
