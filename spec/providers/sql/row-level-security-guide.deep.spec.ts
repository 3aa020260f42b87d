import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type pg from 'pg'
import { runGuide } from '../../support/guide-app.js'
import { TestServer } from '../../support/http-exchange.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const GUIDE = 'docs/row-level-security.md'
const postgres = PostgresServer.shared()
let server: TestServer
let pool: pg.Pool

beforeAll(async () => {
  const name = await postgres.newDatabase()
  const db = postgres.connect(name)
  // Roles belong to the server, and may be there from an earlier run.
  await sql`do $$ begin drop role if exists notes_user; exception when others then null; end $$`.execute(db)
  const statements = /^```sql\n(.*?)^```/ms.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? ''
  await sql.raw(statements).execute(db)
  pool = openPool({ connectionString: postgres.addressOf(name) })
  function Pool(): pg.Pool {
    return pool
  }
  server = await TestServer.start(await runGuide(GUIDE, { pg: { Pool } }))
})

afterAll(async () => {
  await server.stop()
  await pool.end()
  await postgres.stop()
})

const send = (method: string, path: string, tenant: string, body?: object) =>
  server.send(`/shop/${path}`, {
    method,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Authorization: `Bearer secret-of-${tenant}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  })

describe('The example of the guide on row-level security', () => {
  it('MUST show each tenant its own rows only', async () => {
    expect((await send('GET', 'Notes', 'north')).text).toContain('Order cheese')
    expect((await send('GET', 'Notes', 'north')).text).not.toContain('Order wine')
    expect((await send('GET', 'Notes(2)', 'north')).status).toBe(404)
    expect((await send('GET', 'Notes/$count', 'south')).text).toBe('1')
    expect((await send('GET', 'Notes', 'west')).status).toBe(401)
  })

  it('MUST insert rows of the tenant', async () => {
    const { status, text } = await send('POST', 'Notes', 'south', { ID: 3, Tenant: 'north', Text: 'new' })
    expect([status, text]).toEqual([201, expect.stringContaining('"Tenant":"south"')])
    expect((await send('MERGE', 'Notes(1)', 'south', { Text: 'x' })).status).toBe(404)
  })
})
