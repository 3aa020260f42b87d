import { sql } from 'kysely'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { describeStringKeys } from '../../support/sql/string-keys.js'

describe('Strings as keys on PostgreSQL', () => {
  const server = PostgresServer.shared()
  afterAll(() => server.stop())

  const open = async (): ReturnType<PostgresServer['open']> => {
    const db = await server.open()
    await sql`create extension citext`.execute(db)
    await sql`create collation caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`.execute(
      db,
    )
    return db
  }

  describeStringKeys(open, {
    citext: 'citext',
    collated: 'text collate caseless',
    text: 'text',
    varchar: 'varchar(20)',
    char: 'char(5)',
    name: 'name',
  })
})
