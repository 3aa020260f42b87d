/** A process that serves the worlds of a comparison, with the build whose folder is given. */
import crypto from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, MysqlDialect, PostgresDialect, sql as kyselySql, SqliteDialect } from 'kysely'
import { createPool } from 'mysql2'
import Cursor from 'pg-cursor'
import type * as Library from '../../lib/index.js'
import { writeEdmx } from '../../lib/index.js'
import type { Authorize, EdmModel, Provider, ServiceOptions } from '../../lib/index.js'
import type * as Sql from '../../lib/sql.js'
import { randomFunctions } from '../support/random-services/random-data.js'
import { openPool } from '../support/sql/open-pool.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import type { Rights, ServiceMessage, StoreKind, Task, World } from './worlds.js'
import { createWorld, serviceRoot } from './worlds.js'

// Both builds create the same versions and keys.
let created = 0
const uuid = (): ReturnType<typeof crypto.randomUUID> =>
  `cccccccc-0000-4000-8000-${String(++created).padStart(12, '0')}`
const bytes = (length: number): Buffer => Buffer.alloc(length, String(++created))
Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes })
syncBuiltinESMExports()

const [given = '', name = '', folder = ''] = process.argv.slice(2)
const task = JSON.parse(given) as Task
const load = (name: string): Promise<unknown> => import(pathToFileURL(`${folder}/esm/${name}.js`).href)
const library = (await load('index')) as typeof Library
const sql = (await load('sql')) as typeof Sql

type DatabaseKind = Exclude<StoreKind, 'memory'>

function createDialect(kind: DatabaseKind, address: string): [dialect: SqliteDialect, options?: object] {
  if (kind === 'postgres') {
    const pool = sql.prepareStatements(openPool({ connectionString: address, max: 10 }))
    return [new PostgresDialect({ pool, cursor: Cursor }) as never]
  }
  if (kind === 'mysql') {
    return [new MysqlDialect({ pool: createPool({ uri: address, connectionLimit: 10 }) }) as never]
  }
  const database = new SQLite(address)
  database.pragma('synchronous = off')
  const sqlite = sql.cacheStatements(database)
  return [new SqliteDialect({ database: sqlite }), { sqlite }]
}

/** @returns the address of a new, empty database */
async function newDatabase(kind: DatabaseKind, index: number): Promise<string> {
  const database = `compare_${name}_${String(index)}`
  if (kind === 'sqlite') return `${task.folder}/${database}.sqlite`
  const server = new URL(task.servers[kind] ?? '')
  const administrator = new Kysely({ dialect: createDialect(kind, server.href)[0] })
  await kyselySql.raw(`drop database if exists ${database}`).execute(administrator)
  await kyselySql.raw(`create database ${database}`).execute(administrator)
  await administrator.destroy()
  server.pathname = database
  return server.href
}

let db: AnyDatabase | undefined

async function createProvider(
  model: EdmModel,
  { fill, memory }: World,
  kind: StoreKind,
  index: number,
): Promise<Provider> {
  const functions = randomFunctions(model, new Map(Object.entries(memory)))
  await db?.destroy()
  db = undefined
  if (kind === 'memory') return library.memoryProvider(model, memory, { functions })
  const [dialect, options] = createDialect(kind, await newDatabase(kind, index))
  db = new Kysely({ dialect })
  await fill(db, kind)
  const provider = sql.sqlProvider(model, db, { ...options, functions })
  await provider.ready()
  return provider
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

function createApp(
  model: EdmModel,
  provider: Provider,
  options: ServiceOptions<string>,
  rights: Rights,
): express.Express {
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

async function receive(message: ServiceMessage): Promise<unknown> {
  if ('table' in message) return db?.selectFrom(message.table).selectAll().execute()
  const { kind, index } = message
  const { rights, world } = createWorld(task.seed, kind, index)
  created = 0
  const model = library.readEdmx(writeEdmx(world.model))
  const provider = await createProvider(model, world, kind, index)
  const app = createApp(model, provider, world.options, rights)
  server.removeAllListeners('request').on('request', (req, res) => void app(req, res))
  return undefined
}

process.on('message', (message: ServiceMessage) => {
  receive(message).then(
    (result) => process.send?.({ result }),
    (error: unknown) => {
      throw error
    },
  )
})
process.once('disconnect', () => process.exit())
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => process.send?.({ result: (server.address() as AddressInfo).port }))
