import { PostgresServer } from '../../support/sql/postgres-server.js'
import { describeStringKeys } from '../../support/sql/string-keys.js'

describe('Strings as keys on PostgreSQL', () => {
  const server = PostgresServer.shared()
  afterAll(() => server.stop())

  describeStringKeys(() => server.open(), {
    text: 'text',
    varchar: 'varchar(20)',
    char: 'char(5)',
    name: 'name',
  })
})
