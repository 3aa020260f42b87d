/** A process that serves the worlds of a comparison, with the build whose folder is given. */
import crypto from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { createPool } from 'mysql2'
import Cursor from 'pg-cursor'
import type * as Library from '../../lib/index.js'
import type { Authorize, EdmModel, Provider, ServiceOptions } from '../../lib/index.js'
import type * as Sql from '../../lib/sql.js'
import { randomFunctions } from '../support/random-services/random-data.js'
import { openPool } from '../support/sql/open-pool.js'
import type { Rights, ServiceTask } from './worlds.js'
import { serviceRoot } from './worlds.js'

// Both builds create the same versions and keys.
let created = 0
const uuid = (): ReturnType<typeof crypto.randomUUID> =>
  `cccccccc-0000-4000-8000-${String(++created).padStart(12, '0')}`
const bytes = (length: number): Buffer => Buffer.alloc(length, String(++created))
Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes })
syncBuiltinESMExports()

const [folder = ''] = process.argv.slice(2)
const load = (name: string): Promise<unknown> => import(pathToFileURL(`${folder}/esm/${name}.js`).href)
const library = (await load('index')) as typeof Library
const sql = (await load('sql')) as typeof Sql

function createDialect({ kind, address }: ServiceTask): [dialect: SqliteDialect, options?: object] {
  if (kind === 'postgres') {
    const pool = sql.prepareStatements(openPool({ connectionString: address, max: 10 }))
    return [new PostgresDialect({ pool, cursor: Cursor }) as never]
  }
  if (kind === 'mysql') {
    return [new MysqlDialect({ pool: createPool({ uri: address, connectionLimit: 10 }) }) as never]
  }
  const sqlite = sql.cacheStatements(new SQLite(address))
  return [new SqliteDialect({ database: sqlite }), { sqlite }]
}

interface Store {
  readonly provider: Provider
  readonly close: () => Promise<void>
}

async function openStore(model: EdmModel, task: ServiceTask): Promise<Store> {
  const functions = randomFunctions(model, new Map(Object.entries(task.rows)))
  if (task.kind === 'memory') {
    const provider = library.memoryProvider(model, task.rows, { functions })
    return { provider, close: () => Promise.resolve() }
  }
  const [dialect, options] = createDialect(task)
  const db = new Kysely<Record<string, never>>({ dialect })
  const provider = sql.sqlProvider(model, db, { ...options, functions })
  await provider.ready()
  return { provider, close: () => db.destroy() }
}

/** Rights as an application would define them: some are asynchronous, some deny the operation. */
const authorizeBy =
  (rights: Rights): Authorize<string> =>
  ({ kind, entitySet }, user) => {
    if (user === 'unknown') throw new library.ODataError('Unauthorized')
    const own = rights[user]?.[entitySet ?? '']
    if (own?.denied.includes(kind) === true) throw new library.ODataError('Forbidden')
    const { filter, hidden, readonly } = own ?? {}
    const result = hidden === undefined ? filter : { filter, hidden, readonly }
    return own?.isAsync === true ? Promise.resolve(result) : result
  }

function createApp(model: EdmModel, provider: Provider, { options, rights }: ServiceTask): express.Express {
  const shared: ServiceOptions<string> = {
    ...options,
    serviceRoot,
    context: (req) => String(req.headers['x-user']),
    onError: (error) => {
      if (error.statusCode === 500) console.error(folder, error.cause ?? error)
    },
  }
  const authorize = authorizeBy(rights)
  return express()
    .use('/small', library.odataV2(model, provider, { ...shared, pageSize: 3 }))
    .use('/large', library.odataV2(model, provider, { ...shared, exports: true, caseInsensitive: true }))
    .use('/rights', library.odataV2(model, provider, { ...shared, pageSize: 4, authorize }))
}

const server = createServer()
let store: Store | undefined

async function open(task: ServiceTask): Promise<void> {
  await store?.close()
  created = 0
  const model = library.readEdmx(task.edmx)
  store = await openStore(model, task)
  const app = createApp(model, store.provider, task)
  server.removeAllListeners('request').on('request', (req, res) => void app(req, res))
}

process.on('message', (task: ServiceTask) => {
  open(task).then(
    () => process.send?.('open'),
    (error: unknown) => {
      throw error
    },
  )
})
process.once('disconnect', () => process.exit())
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
