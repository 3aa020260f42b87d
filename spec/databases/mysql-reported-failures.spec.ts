import { sql } from 'kysely'
import { introspect } from '../../lib/sql.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

let db: AnyDatabase
let server: SqlServer

beforeAll(async () => {
  db = await openMysql()
  const statements = (table: string, code: number, state: string, message: string): string[] => [
    `create table ${table} (id int primary key, note varchar(20))`,
    `create trigger fail_${table} before insert on ${table} for each row
      signal sqlstate '${state}' set mysql_errno = ${String(code)}, message_text = '${message}'`,
  ]
  for (const statement of [
    ...statements('nodes', 1047, '08S01', 'WSREP has not yet prepared node for application use'),
    ...statements('quorums', 1180, 'HY000', 'Not connected to Primary Component'),
    ...statements('features', 1235, '42000', 'not supported'),
    ...statements('limits', 31001, '45000', 'The limit is reached'),
    ...statements('names', 1062, '45000', 'The name is taken'),
  ]) {
    await sql.raw(statement).execute(db)
  }
  server = await SqlServer.start(await introspect(db), db)
})

afterAll(async () => {
  await server.stop()
  await db.destroy()
})

describe('An error that MariaDB reports for a change', () => {
  it('MUST be 400 if a trigger signals it, with any number', async () => {
    const { status, text } = await server.send('POST', 'Limits', { Id: 1, Note: 'a' })
    expect([status, text]).toEqual([400, expect.stringContaining('The database does not allow this value.')])
  })

  it('MUST be 409 if a trigger signals it with the number of a duplicate key', async () => {
    expect((await server.send('POST', 'Names', { Id: 1, Note: 'a' })).status).toBe(409)
  })

  it.each(['Nodes', 'Quorums'])(
    'MUST be 503 without an unknown outcome when a node of a cluster has no quorum: %s',
    async (set) => {
      const { status, text } = await server.send('POST', set, { Id: 1, Note: 'a' })
      expect(status).toBe(503)
      expect(text).toContain('The database cannot be reached at the moment.')
    },
  )

  it('MUST be 501 when the database lacks a feature', async () => {
    const { status, text } = await server.send('POST', 'Features', { Id: 1, Note: 'a' })
    expect(status).toBe(501)
    expect(text).toContain('The database does not support this request.')
  })
})
