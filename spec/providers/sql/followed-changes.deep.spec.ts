import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import pg from 'pg'
import SQLite from 'better-sqlite3'
import type { Provider } from '../../../lib/index.js'
import { filter, memoryProvider, odataV2 } from '../../../lib/index.js'
import { Replica } from '../../support/delta-client.js'
import { deltaData, deltaModel } from '../../support/delta-model.js'
import { TestServer } from '../../support/http-exchange.js'
import { runs, seed } from '../../support/random.js'
import { createDeltaTables, deltaProvider, openSqlite } from '../../support/sql/delta-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import type { Execute, Random } from '../../support/sql/random-writer.js'
import { randomOf, RandomWriter } from '../../support/sql/random-writer.js'

const STEPS = 160
const RUNS = runs(40)

const queries = [
  '/s/Products',
  '/s/Products?$filter=Price%20gt%2025&$orderby=Name',
  "/s/Products?$filter=Owner%20eq%20'ann'%20or%20CategoryID%20eq%20null&$select=ID,Owner",
  '/own/Products?$filter=Price%20lt%2040',
]

/** A writer makes a step. */
type Step = (random: Random) => Promise<void>

/** Lets clients follow delta links, page by page, while others write; their copies must equal the table in the end. */
async function follow(
  server: TestServer,
  run: number,
  step: Step,
  finish: () => Promise<void>,
): Promise<void> {
  const random = randomOf(run)
  const replicas = queries.map((query) => new Replica(server, query))
  for (let index = 0; index < STEPS; index++) {
    if (random(3) > 0) await step(random)
    else await replicas[random(replicas.length)]?.step()
  }
  await finish()
  for (const [index, query] of queries.entries()) {
    const replica = replicas[index]
    // The first ends what was being read.
    await replica?.synchronize()
    await replica?.synchronize()
    const fresh = new Replica(server, query)
    await fresh.synchronize()
    const names = ['ID', 'Name', 'Price', 'Owner', 'CategoryID']
    expect({ run, query, rows: replica?.rows(...names) }).toEqual({ run, query, rows: fresh.rows(...names) })
  }
}

function serve(provider: Provider<typeof deltaModel>): Promise<TestServer> {
  const options = { pageSize: 3 }
  const app = express().use('/s', odataV2(deltaModel, provider, options))
  const authorize = (): unknown => filter`Owner eq 'bob'`
  app.use('/own', odataV2(deltaModel, provider, { ...options, authorize } as never))
  return TestServer.start(app)
}

const titles = Array.from({ length: RUNS }, (_, index) => seed * 1000 + index)

describe('A client that follows delta links', () => {
  let server: TestServer
  afterEach(() => server.stop())

  it.each(titles)('MUST have the entities of memory in the end: run %d', async (run) => {
    const provider = memoryProvider(deltaModel, deltaData, {
      functions: { Cheap: () => [] },
      changeTracking: true,
    })
    server = await serve(provider)
    const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
    const send = (method: string, path: string, values?: object): Promise<unknown> =>
      server.send(`/s/${path}`, { method, headers: json, ...(values && { body: JSON.stringify(values) }) })
    const step: Step = async (random) => {
      const id = random(9)
      const values = {
        Price: String(random(60)),
        Owner: random(2) === 0 ? 'ann' : 'bob',
        CategoryID: random(2) + 1,
      }
      const changes = [
        () => send('POST', 'Products', { ID: id, ...values }),
        () => send('MERGE', `Products(${String(id)})`, values),
        () => send('DELETE', `Products(${String(id)})`),
        () => (random(2) === 0 ? send('DELETE', 'Categories(1)') : send('POST', 'Categories', { ID: 1 })),
      ]
      await changes[random(changes.length)]?.()
    }
    await follow(server, run, step, () => Promise.resolve())
  })

  describe('on a server', () => {
    const postgres = PostgresServer.shared()
    const clients: pg.Client[] = []

    afterAll(async () => {
      for (const client of clients.splice(0)) await client.end()
      await postgres.stop()
    })

    it('MUST have the entities of PostgreSQL in the end, with long transactions', async () => {
      const name = await postgres.newDatabase()
      const db = postgres.connect(name)
      await createDeltaTables(db, 'postgres')
      for (let index = 0; index < 4; index++) {
        const client = new pg.Client(postgres.addressOf(name))
        await client.connect()
        clients.push(client)
      }
      server = await serve(deltaProvider(db))
      for (const run of titles) {
        const random = randomOf(run + 1)
        const writers = clients.map((client, index) => {
          const execute: Execute = (statement) => client.query(statement)
          return new RandomWriter(execute, random, index, false)
        })
        await follow(
          server,
          run,
          async () => writers[random(writers.length)]?.step(),
          async () => {
            for (const writer of writers) await writer.finish()
          },
        )
      }
    })
  })

  it.each(titles)(
    'MUST have the entities of SQLite in the end, with another process writing: run %d',
    async (run) => {
      const directory = mkdtempSync(join(tmpdir(), 'delta-'))
      const { db, options, database } = openSqlite(run % 2 === 0, join(directory, 'shop.sqlite'))
      database.pragma('journal_mode = wal')
      await createDeltaTables(db, 'sqlite')
      const other = new SQLite(join(directory, 'shop.sqlite'))
      other.pragma('foreign_keys = on')
      try {
        server = await serve(deltaProvider(db, options))
        const execute: Execute = (statement) => Promise.resolve(other.exec(statement))
        const writer = new RandomWriter(execute, randomOf(run + 1), 0, true)
        await follow(
          server,
          run,
          () => writer.step(),
          () => writer.finish(),
        )
      } finally {
        other.close()
        await db.destroy()
        rmSync(directory, { recursive: true })
      }
    },
  )
})
