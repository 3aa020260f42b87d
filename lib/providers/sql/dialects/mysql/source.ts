import type { SourceFormat } from '../source-format.js'

export const mysqlSource: SourceFormat = {
  database: 'a MySQL or MariaDB database',
  packages: ['kysely', 'mysql2'],
  schemes: ['mysql', 'mariadb'],
  checkUrl({ host, pathname }) {
    if (pathname.length < 2)
      throw new TypeError(`The URL must end with the name of the database: ${host}/database.`)
  },
}
