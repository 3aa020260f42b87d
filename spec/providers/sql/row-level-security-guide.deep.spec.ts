import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { transformSync } from '@swc/core'
import type { Express } from 'express'
import express from 'express'
import { sql } from 'kysely'
import type pg from 'pg'
import * as library from '../../../lib/index.js'
import * as sqlLibrary from '../../../lib/sql.js'
import { moduleOf } from '../../support/documentation.js'
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
  server = await TestServer.start(appOfGuide())
})

afterAll(async () => {
  await server.stop()
  await pool.end()
  await postgres.stop()
})

/** Runs the code of the guide on the pool. */
function appOfGuide(): Express {
  const app = express()
  app.listen = () => undefined as never
  const { code } = transformSync(moduleOf(GUIDE), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const load = createRequire(__filename)
  const modules: Record<string, unknown> = {
    express: () => app,
    pg: {
      Pool: function () {
        return pool
      },
    },
    'express-odata-v2': library,
    'express-odata-v2/sql': sqlLibrary,
  }
  const require = (name: string): unknown =>
    name in modules ? { __esModule: true, default: modules[name], ...(modules[name] as object) } : load(name)
  // The code is the project's own documentation, and must run in this context to share its classes.
  const run = Reflect.construct(Function, ['require', 'exports', code]) as (...given: unknown[]) => void
  run(require, {})
  return app
}

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
