import { openMysql } from '../support/sql/mysql-server.js'
import { describeStringKeys } from '../support/sql/string-keys.js'

describe('Strings as keys on MySQL or MariaDB', () => {
  describeStringKeys(openMysql, {
    insensitive: 'varchar(20) character set utf8mb4 collate utf8mb4_general_ci',
    binary: 'varchar(20) character set utf8mb4 collate utf8mb4_bin',
    char: 'char(5) character set utf8mb4 collate utf8mb4_unicode_ci',
  })
})
