import { Kysely, PostgresDialect, sql } from 'kysely'
import { introspect } from '../../../lib/sql.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

describe('A pool of PostgreSQL with a single connection', () => {
  const postgres = PostgresServer.shared()
  afterAll(() => postgres.stop())

  it('MUST be enough to start the service and to serve concurrent requests', async () => {
    const name = await postgres.newDatabase()
    const pool = openPool({ connectionString: postgres.addressOf(name), max: 1 })
    const db: AnyDatabase = new Kysely({ dialect: new PostgresDialect({ pool }) })
    await sql.raw('create table notes (id serial primary key, line text, at timestamp(3))').execute(db)
    const server = await SqlServer.start(await introspect(db), db)
    const lines = Array.from({ length: 5 }, (_, index) => `line ${String(index)}`)
    const created = await Promise.all(lines.map((Line) => server.send('POST', 'Notes', { Line })))
    expect(created.map(({ status }) => status)).toEqual(lines.map(() => 201))
    const read = await Promise.all(lines.map(() => server.send('GET', 'Notes/$count')))
    expect(read.map(({ text }) => text)).toEqual(lines.map(() => '5'))
    await server.stop()
    await db.destroy()
  })
})
