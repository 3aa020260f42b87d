import { sql } from 'kysely'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import { SqlServer } from '../../support/sql/databases.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const postgres = PostgresServer.shared()
let server: SqlServer

beforeAll(async () => {
  const db = await postgres.open()
  const failing = (table: string, code: string): string => `
    create table ${table} (id integer primary key, note text);
    insert into ${table} values (1, 'first');
    create function fail_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'reported' using errcode = '${code}'; end $$;
    create trigger fail before insert or update on ${table} execute function fail_${table}()`
  for (const [table, code] of [
    ['shards', '08001'],
    ['moves', '0A000'],
  ] as const) {
    await sql.raw(failing(table, code)).execute(db)
  }
  server = await SqlServer.start(await introspect(db), db)
})

afterAll(async () => {
  await server.stop()
  await postgres.stop()
})

describe('An error that PostgreSQL reports for a change', () => {
  it.each(['POST', 'MERGE'])(
    'MUST be 503 without an unknown outcome when a foreign server is down: %s',
    async (method) => {
      const { status, text } = await change(method, 'Shards')
      expect(status).toBe(503)
      expect(text).toContain('The database cannot be reached at the moment.')
    },
  )

  it.each(['POST', 'MERGE'])('MUST be 501 when the database lacks a feature: %s', async (method) => {
    const { status, text } = await change(method, 'Moves')
    expect(status).toBe(501)
    expect(text).toContain('The database does not support this request.')
  })
})

function change(method: string, set: string): ReturnType<SqlServer['send']> {
  return method === 'POST'
    ? server.send(method, set, { Id: 2, Note: 'a' })
    : server.send(method, `${set}(1)`, { Note: 'b' })
}
