import express from 'express'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import type { Connection } from 'mysql2/promise'
import { createConnection } from 'mysql2/promise'
import { filter, odataV2 } from '../../lib/index.js'
import { required } from '../../lib/util/required.js'
import { Replica } from '../support/delta-client.js'
import { deltaModel } from '../support/delta-model.js'
import { TestServer } from '../support/http-exchange.js'
import { seed } from '../support/random.js'
import { createDeltaTables, deltaProvider } from '../support/sql/delta-tables.js'
import type { GaleraCluster } from '../support/sql/galera.js'
import { startGalera } from '../support/sql/galera.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { MysqlWriter } from '../support/sql/mysql-writer.js'
import { randomOf } from '../support/sql/random-writer.js'
import { until } from '../support/until.js'

const RUNS = 8
const STEPS = 240
const DATABASE = 'deltas'

const queries = [
  '/s/Products',
  '/s/Products?$filter=Price%20gt%2025&$orderby=Name',
  '/own/Products?$filter=Price%20lt%2040',
]
const names = ['ID', 'Name', 'Price', 'Owner', 'CategoryID']

type Node = 0 | 1

let cluster: GaleraCluster
let waiting: readonly [AnyDatabase, AnyDatabase]
const servers: TestServer[] = []
/** Two on each node. */
const connections: Connection[] = []

/** Services on one node. */
let first: TestServer
let second: TestServer
/** Services on both nodes, whose connections set wsrep_sync_wait. */
let causal: readonly [TestServer, TestServer]

async function serve(db: AnyDatabase): Promise<TestServer> {
  const provider = deltaProvider(db)
  await provider.ready()
  const app = express().use('/s', odataV2(deltaModel, provider, { pageSize: 3 }))
  const authorize = (): unknown => filter`Owner eq 'bob'`
  app.use('/own', odataV2(deltaModel, provider, { pageSize: 3, authorize } as never))
  const server = await TestServer.start(app)
  servers.push(server)
  return server
}

/** Opens a pool whose statements wait until the node has all earlier changes of the cluster. */
function openWaiting(node: Node): AnyDatabase {
  const pool = createPool({ uri: cluster.urlOf(node, DATABASE) })
  pool.on('connection', (connection) => connection.query('set session wsrep_sync_wait = 1'))
  return new Kysely({ dialect: new MysqlDialect({ pool }) })
}

async function connect(node: Node): Promise<Connection> {
  const connection = await createConnection(cluster.urlOf(node, DATABASE))
  await connection.query("set session sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')")
  await connection.query('set session transaction isolation level read committed')
  return connection
}

/** A load balancer, whose services take turns. Entities have the same URLs on all. */
function balanced(...some: readonly TestServer[]): TestServer {
  let turn = 0
  const send: TestServer['send'] = (target, { headers, ...others } = {}) =>
    required(some[turn++ % some.length]).send(target, { ...others, headers: { ...headers, Host: 'shop' } })
  return { send } as TestServer
}

/** Waits until both nodes have all changes. */
async function settle(): Promise<void> {
  for (const db of waiting) await sql`select 1 from \`Products\` limit 1`.execute(db)
}

beforeAll(async () => {
  cluster = await startGalera()
  await sql.raw(`create database ${DATABASE}`).execute(cluster.nodes[0])
  await createDeltaTables(cluster.open(0, DATABASE), 'mariadb')
  for (const node of [0, 0, 1, 1] as const) connections.push(await connect(node))
  waiting = [openWaiting(0), openWaiting(1)]
  await settle()
  first = await serve(cluster.open(0, DATABASE))
  second = await serve(cluster.open(1, DATABASE))
  causal = [await serve(waiting[0]), await serve(waiting[1])]
})

afterAll(async () => {
  for (const server of servers) await server.stop()
  for (const connection of connections) await connection.end()
  for (const db of waiting) await db.destroy()
  await cluster.stop()
})
/** Prevents the second node from applying changes while pages are read. */
async function whileBehind(read: (release: () => Promise<void>) => Promise<void>): Promise<void> {
  const connection = await connect(1)
  try {
    await connection.query('flush tables with read lock')
    await read(async () => void (await connection.query('unlock tables')))
  } finally {
    await connection.end()
  }
}

/** Waits until a statement on the second node waits for changes of the cluster. */
async function untilWaiting(statement: string): Promise<void> {
  const running = sql`select id from information_schema.processlist
    where command = 'Query' and id <> connection_id() and info like ${`${statement}%`}`
  await until(async () => (await running.execute(cluster.nodes[1])).rows.length > 0)
}

describe('Pages from a node of Galera that lags behind another one', () => {
  it.each([
    ['first load', 'select `ID`'],
    ['delta', 'select cast(seq as char)'],
  ])('MUST lose no change of the %s if the connections set wsrep_sync_wait', async (kind, statement) => {
    const replica = new Replica(balanced(...causal), '/s/Products?$orderby=ID')
    const change = async (name: string): Promise<void> =>
      void (await connections[0]?.query('update "Products" set "Name" = ?', [`${kind} ${name}`]))
    if (kind === 'delta') await replica.synchronize()
    await change('before')
    await settle()
    await whileBehind(async (release) => {
      await change('after')
      expect(await replica.step()).toBe(false)
      const page = replica.step()
      await untilWaiting(statement)
      await release()
      expect(await page).toBe(true)
    })
    await replica.synchronize()
    expect(replica.rows('Name')).toEqual(Array.from({ length: 5 }, () => ({ Name: `${kind} after` })))
  })
})

describe('Deltas that are read from two nodes of Galera at the same time', () => {
  it('MUST be retried where both number the same changes', async () => {
    const replicas = [first, second].map((server) => new Replica(server, '/s/Products'))
    for (const replica of replicas) await replica.synchronize()
    for (let round = 0; round < 30; round++) {
      await connections[0]?.query(`update "Products" set "Name" = '${String(round)}'`)
      await Promise.all(replicas.map((replica) => replica.synchronize()))
    }
    await settle()
    for (const replica of replicas) {
      await replica.synchronize()
      expect(replica.rows('Name')).toEqual(Array.from({ length: 5 }, () => ({ Name: '29' })))
    }
  })
})

describe('A client that follows delta links of a Galera cluster', () => {
  it.each(Array.from({ length: RUNS }, (_, index) => seed * 1000 + index))(
    'MUST have the entities of the table in the end: run %d',
    async (run) => {
      const random = randomOf(run)
      // Writers on the two nodes change the same rows.
      const writers = connections.map((connection, index) => new MysqlWriter(connection, random, index % 2))
      const balancers = [balanced(first), balanced(second), balanced(...causal)]
      const replicas = balancers.flatMap((server) =>
        queries.map((query) => ({ query, replica: new Replica(server, query) })),
      )
      for (let index = 0; index < STEPS; index++) {
        if (random(3) > 0) await writers[random(writers.length)]?.step()
        else await replicas[random(replicas.length)]?.replica.step()
      }
      for (const one of writers) await one.finish()
      await settle()
      for (const { query, replica } of replicas) {
        // The first ends what was being read.
        await replica.synchronize()
        await replica.synchronize()
        const fresh = new Replica(balanced(first), query)
        await fresh.synchronize()
        expect({ run, query, rows: replica.rows(...names) }).toEqual({
          run,
          query,
          rows: fresh.rows(...names),
        })
      }
    },
  )
})
