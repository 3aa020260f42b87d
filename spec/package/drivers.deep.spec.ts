import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from '../support/sql/postgres-server.js'

/** Versions of packages that do not run on Node.js 20, and drivers that are no dependencies of this repository. */
const packages = [
  'kysely@0.29.9',
  'better-sqlite3@13.2.0',
  'pg@8.23.1',
  'mysql2@3.24.5',
  'postgres@3.4.9',
  'kysely-postgres-js@5.0.0',
  '@electric-sql/pglite@0.4.6',
  'kysely-pglite-dialect@1.3.1',
  '@libsql/client@0.18.0',
  '@libsql/kysely-libsql@0.4.1',
  '@tursodatabase/database@0.7.2',
  'node-binary@npm:node-' +
    `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@26.10.0`,
]

const project = mkdtempSync(join(tmpdir(), 'express-odata-v2-drivers-'))
const server = PostgresServer.shared()

function npm(...words: readonly string[]): string {
  return execFileSync('npm', [...words, '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

beforeAll(() => {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project]
  const [packed] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' })) as { filename: string }[]
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  npm('install', ...packages)
  // Fails unless the package accepts the installed version of Kysely.
  npm('install', `./${packed?.filename}`)
  for (const [name, text] of Object.entries({ 'databases.mjs': databases, 'requests.mjs': requests }))
    writeFileSync(join(project, name), text)
})

afterAll(async () => {
  rmSync(project, { recursive: true, force: true })
  await server.stop()
})

/** Opens databases with all drivers. */
const databases = `
import { Kysely, sql } from 'kysely'

export const open = {
  async pg(address) {
    const { PostgresDialect } = await import('kysely')
    const { default: pg } = await import('pg')
    return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: address }) }) })
  },
  async 'postgres.js'(address) {
    const { PostgresJSDialect } = await import('kysely-postgres-js')
    const { default: postgres } = await import('postgres')
    return new Kysely({ dialect: new PostgresJSDialect({ postgres: postgres(address) }) })
  },
  async 'PGliteDialect of Kysely'() {
    const { PGliteDialect } = await import('kysely')
    const { PGlite } = await import('@electric-sql/pglite')
    return new Kysely({ dialect: new PGliteDialect({ pglite: new PGlite() }) })
  },
  async 'kysely-pglite-dialect'() {
    const { PGliteDialect } = await import('kysely-pglite-dialect')
    const { PGlite } = await import('@electric-sql/pglite')
    return new Kysely({ dialect: new PGliteDialect(new PGlite()) })
  },
  async 'better-sqlite3'() {
    const { SqliteDialect } = await import('kysely')
    const { default: Database } = await import('better-sqlite3')
    return new Kysely({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  },
  async 'kysely-libsql'() {
    const { LibsqlDialect } = await import('@libsql/kysely-libsql')
    return new Kysely({ dialect: new LibsqlDialect({ url: 'file:own.sqlite' }) })
  },
  async 'kysely-libsql with a client'() {
    const { LibsqlDialect } = await import('@libsql/kysely-libsql')
    const { createClient } = await import('@libsql/client')
    return new Kysely({ dialect: new LibsqlDialect({ client: createClient({ url: 'file:other.sqlite' }) }) })
  },
  async 'turso as sqlite'() {
    const { SqliteDialect } = await import('kysely')
    const { Database } = await import('@tursodatabase/database/compat')
    return new Kysely({ dialect: new SqliteDialect({ database: new Database('turso.sqlite') }) })
  },
}

export async function create(db, statements) {
  for (const text of statements) await sql.raw(text).execute(db)
}

const forPostgres = [
  "create type mood as enum ('sad', 'ok')",
  'create table things (id bigint primary key, name text not null, doc jsonb, plain json, at timestamp, zoned timestamptz, ' +
    'day date, opens time, price numeric(20, 4), pic bytea, flag boolean, ratio float8, code uuid, mood mood, tags int[])',
]
const forSqlite = [
  'create table things (id bigint primary key, name text not null, at datetime, day date, price decimal(20, 4), ' +
    'pic blob, flag boolean, ratio double)',
]
const rows = [
  "insert into things (id, name, at, day) values (1, 'Gouda', '2023-01-01 10:00:00.123456', '2023-03-26')",
  "insert into things (id, name) values (2, 'Edam')",
]
export const tablesOf = (kind) => [...(kind.includes('sql') && !kind.includes('postgres') ? forSqlite : forPostgres), ...rows]
`

/** Prints the responses to the same requests. */
const requests = `
import { createServer } from 'node:http'
import { sql } from 'kysely'
import { requestListener } from 'express-odata-v2/node'
import { openDatabase } from 'express-odata-v2/sql'
import { create, open, tablesOf } from './databases.mjs'

const [kind, address] = process.argv.slice(2)
const db = await open[kind](address)
await create(db, tablesOf(kind))
const shop = await openDatabase(db)
// A statement of a hook waits for the only connection unless it belongs to the change set.
const hooks = { Things: { afterUpdate: () => sql\`select 1\`.execute(db) } }
const server = createServer(requestListener(shop.model, shop.provider, { serviceRoot: 'http://shop/', hooks, onError: console.log }))
await new Promise((resolve) => server.listen(0, resolve))
const ask = async (path, method = 'GET', body = undefined) => {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const response = await fetch('http://localhost:' + server.address().port + path, { method, headers, body: JSON.stringify(body) })
  console.log(method, path, response.status, await response.text())
}
const all = {
  Doc: '{"b": [1, "x"]}', Plain: '[1,2]', At: '2023-03-26T02:30:00.123456', Zoned: '2023-03-12T02:30:00.123456Z',
  Day: '2023-05-05T00:00:00', Opens: 'PT2H30M0.5S', Price: '1234567890.5', Pic: 'AAH/', Flag: true, Ratio: '0.1',
  Code: '12345678-aaaa-bbbb-cccc-ddddeeeeffff', Mood: 'ok', Tags: '{1,2}',
}
const known = shop.model.defaultContainer.entitySet('Things').entityType.properties.map(({ name }) => name)
const row = Object.fromEntries(Object.entries(all).filter(([name]) => known.includes(name)))
await ask('/Things')
await ask('/Things(1L)', 'MERGE', row)
await ask('/Things(1L)')
await ask('/Things', 'POST', { Id: '3', Name: 'Brie', ...row })
await ask('/Things', 'POST', { Id: '3', Name: 'Brie' })
await ask("/Things?$filter=At eq datetime'2023-03-26T02:30:00.123456' and Day eq datetime'2023-05-05T00:00:00' and Flag and Price gt 3 and Ratio lt 1d and Pic eq X'0001FF'&$orderby=At desc,Id desc")
await ask('/Things(3L)/Pic/$value')
await ask('/Things(2L)', 'DELETE')
await ask('/Things/$count')
if (known.includes('Doc')) console.log((await sql\`select jsonb_typeof(doc) as doc, json_typeof(plain) as plain, at::text as at from things\`.execute(db)).rows)
server.closeAllConnections()
server.close()
await db.destroy()
`

function run(script: string, ...words: readonly string[]): string {
  const node = join(project, 'node_modules', 'node-binary', 'bin', 'node')
  return execFileSync(node, ['--no-warnings', script, ...words], {
    cwd: project,
    encoding: 'utf8',
    // Some drivers use the zone of the process.
    env: { ...process.env, TZ: 'America/New_York' },
  })
}

async function responses(kind: string): Promise<string[]> {
  return run('requests.mjs', kind, server.addressOf(await server.newDatabase())).split('\n')
}

describe('With Kysely 0.29', () => {
  it.each(['postgres.js', 'PGliteDialect of Kysely', 'kysely-pglite-dialect'])(
    'MUST respond with %s as with pg',
    async (kind) => {
      const expected = await responses('pg')
      expect(expected.join('\n')).not.toMatch(/ 500 /)
      expect(expected.join('\n')).toContain(
        "{ doc: 'object', plain: 'array', at: '2023-03-26 02:30:00.123456' }",
      )
      expect(await responses(kind)).toEqual(expected)
    },
  )

  it('MUST serve SQLite with better-sqlite3 13', async () => {
    const printed = (await responses('better-sqlite3')).join('\n')
    expect(printed).toContain('POST /Things 201')
    expect(printed).toContain('POST /Things 409')
    expect(printed).toContain('GET /Things/$count 200 2')
    expect(printed).not.toMatch(/ 500 /)
  })

  it.each([
    ['kysely-libsql', 'LibsqlConnection', 'it does not return blobs as Uint8Array'],
    [
      'kysely-libsql with a client',
      'LibsqlConnection',
      'it does not keep transactions apart, so that changes could be lost',
    ],
    ['turso as sqlite', 'SqliteConnection', 'it does not show changes of other connections'],
  ])('MUST refuse %s at the start, with the reason', (kind, connection, reason) => {
    writeFileSync(
      join(project, 'refused.mjs'),
      `import { openDatabase } from 'express-odata-v2/sql'
       import { create, open, tablesOf } from './databases.mjs'
       const db = await open[process.argv[2]]()
       await create(db, tablesOf(process.argv[2]))
       await openDatabase(db).catch(({ name, message }) => console.log(name, message))
       process.exit()`,
    )
    expect(run('refused.mjs', kind)).toBe(
      `TypeError The driver of this database (${connection}) is not supported: ${reason}. ` +
        "Use another one, such as better-sqlite3: openDatabase('shop.sqlite').\n",
    )
  })
})

describe('openDatabase on PGlite', () => {
  it('MUST open a directory, which it closes, and an instance, which stays open', () => {
    mkdirSync(join(project, 'data'))
    writeFileSync(
      join(project, 'pglite.mjs'),
      `import { PGlite } from '@electric-sql/pglite'
       import { openDatabase } from 'express-odata-v2/sql'
       const pglite = await PGlite.create('data')
       await pglite.query('create table things (id integer primary key, name text)')
       const given = await openDatabase(pglite)
       await given.close()
       console.log(pglite.closed, given.model.defaultContainer.entitySets.map(({ name }) => name))
       await pglite.close()
       const { model, close } = await openDatabase('pglite:data')
       console.log(model.defaultContainer.entitySets.map(({ name }) => name))
       await close()
       await openDatabase('pglite:missing').catch(({ message }) => console.log(message))`,
    )
    expect(run('pglite.mjs')).toBe(
      "false [ 'Things' ]\n[ 'Things' ]\nThe PGlite database 'missing' cannot be opened: there is no such directory.\n",
    )
  })
})
