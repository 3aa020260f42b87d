import express from 'express'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import type { Connection } from 'mysql2/promise'
import { filter, odataV2 } from '../../lib/index.js'
import { createTables, pruneChanges, trackChanges } from '../../lib/sql.js'
import { describeChanges } from '../contracts/change-contract.js'
import { feedOf, getJson, Replica } from '../support/delta-client.js'
import { deltaModel } from '../support/delta-model.js'
import { TestServer } from '../support/http-exchange.js'
import { runs, seed } from '../support/random.js'
import { createDeltaTables, deltaProvider } from '../support/sql/delta-tables.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { MysqlWriter } from '../support/sql/mysql-writer.js'
import { randomOf } from '../support/sql/random-writer.js'

describeChanges('MariaDB', async () => {
  const db = await openMysql()
  await createDeltaTables(db, 'mariadb')
  return { provider: deltaProvider(db), close: () => db.destroy() }
})

async function connectTo(db: AnyDatabase): Promise<Connection> {
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  const address = new URL(String(process.env.MARIADB_URL))
  address.pathname = `/${String(rows[0]?.name)}`
  const connection = await createConnection(address.href)
  await connection.query("set sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')")
  return connection
}

const queries = [
  '/s/Products',
  '/s/Products?$filter=Price%20gt%2025&$orderby=Name',
  "/s/Products?$filter=Owner%20eq%20'ann'%20or%20CategoryID%20eq%20null&$select=ID,Owner",
  '/own/Products?$filter=Price%20lt%2040',
]
const names = ['ID', 'Name', 'Price', 'Owner', 'CategoryID']

let db: AnyDatabase
let server: TestServer
const connections: Connection[] = []

const writer = async (): Promise<Connection> => {
  const connection = await connectTo(db)
  connections.push(connection)
  return connection
}

const start = async (): Promise<void> => {
  db = await openMysql()
  await createDeltaTables(db, 'mariadb')
  const provider = deltaProvider(db)
  await provider.ready()
  const app = express().use('/s', odataV2(deltaModel, provider, { pageSize: 3 }))
  const authorize = (): unknown => filter`Owner eq 'bob'`
  app.use('/own', odataV2(deltaModel, provider, { pageSize: 3, authorize } as never))
  server = await TestServer.start(app)
}

const stop = async (): Promise<void> => {
  await server.stop()
  for (const connection of connections.splice(0)) await connection.end()
  await db.destroy()
}

/** Loads the set, lets others change it, and returns what the delta has: keys, and `-` before those of tombstones. */
async function deltaAfter(...statements: readonly string[]): Promise<string[]> {
  const replica = new Replica(server, '/s/Products?$orderby=ID')
  await replica.synchronize()
  const before = new Map(replica.entities)
  const connection = await writer()
  for (const statement of statements) await connection.query(statement)
  await replica.synchronize()
  const changed = [...replica.entities].filter(([url, entity]) => before.get(url) !== entity)
  const removed = [...before.keys()].filter((url) => !replica.entities.has(url))
  const keyOf = (url: string): string => /\((.*)\)/.exec(url)?.[1] ?? ''
  return [...changed.map(([url]) => keyOf(url)), ...removed.map((url) => `-${keyOf(url)}`)].sort()
}

describe('Deltas of MariaDB', () => {
  beforeEach(start)
  afterEach(stop)

  it('MUST report changes by `replace` and `on duplicate key update`, and changes of keys', async () => {
    const product = `"Products" ("ID", "Name", "Price") values`
    expect(await deltaAfter(`replace into ${product} (1, 'x', 1)`)).toEqual(['1'])
    expect(
      await deltaAfter(`insert into ${product} (1, 'x', 1) on duplicate key update "Name" = 'y'`),
    ).toEqual(['1'])
    expect(await deltaAfter(`insert ignore into ${product} (1, 'x', 1)`)).toEqual([])
    expect(await deltaAfter('update "Products" set "ID" = 77 where "ID" = 1')).toEqual(['-1', '77'])
    expect(await deltaAfter('delete from "Products" where "ID" > 70')).toEqual(['-77'])
    expect(await deltaAfter('start transaction', 'delete from "Products"', 'rollback')).toEqual([])
  })

  it('MUST have the change of a transaction that began before the load and commits after later ones', async () => {
    const [long, short] = [await writer(), await writer()]
    await long.query('start transaction')
    await long.query(`insert into "Products" ("ID", "Name") values (50, 'long')`)
    const replica = new Replica(server, '/s/Products')
    await short.query(`insert into "Products" ("ID", "Name") values (51, 'short')`)
    await replica.synchronize()
    await replica.synchronize()
    await short.query(`insert into "Products" ("ID", "Name") values (52, 'later')`)
    await replica.synchronize()
    await long.query('commit')
    await replica.synchronize()
    const ids = replica.rows('ID').map((row) => (row as { ID: number }).ID)
    expect(ids.filter((id) => id >= 50).sort()).toEqual([50, 51, 52])
  })

  it('MUST NOT wait for writers', async () => {
    const long = await writer()
    await long.query('start transaction')
    await long.query(`update "Products" set "Name" = 'open'`)
    await long.query(`insert into "Products" ("ID", "Name") values (50, 'open')`)
    expect(await deltaAfter('update "Categories" set "Name" = 1')).toEqual([])
    await long.query('rollback')
  })

  it('MUST respond with 410 to links before pruned changes, and after trackChanges', async () => {
    const deltaOf = async (): Promise<string> => {
      let page = feedOf(await getJson(server, '/s/Products?$filter=ID%20gt%201'))
      while (page.__next !== undefined) page = feedOf(await getJson(server, page.__next))
      return String(page.__delta)
    }
    const [link, connection] = [await deltaOf(), await writer()]
    await connection.query('update "Products" set "Price" = 1')
    const later = await deltaOf()
    expect(await pruneChanges(deltaModel, db, { before: new Date(Date.now() + 60_000) })).toBe(5)
    expect((await getJson(server, link)).status).toBe(410)
    expect((await getJson(server, later)).status).toBe(200)
    await trackChanges(deltaModel, db)
    expect((await getJson(server, later)).status).toBe(410)
  })

  it('MUST refuse tables whose foreign keys change rows without triggers', async () => {
    const other = await openMysql()
    try {
      for (const statement of createTables(deltaModel, 'mariadb')) await sql.raw(statement).execute(other)
      await expect(trackChanges(deltaModel, other)).rejects.toThrow("foreign keys of 'Products' change rows")
      await trackChanges(deltaModel, other, { sets: ['Categories'] })
    } finally {
      await other.destroy()
    }
  })
})

describe('A client that follows delta links of MariaDB', () => {
  beforeEach(start)
  afterEach(stop)

  const titles = Array.from({ length: runs(40) }, (_, index) => seed * 1000 + index)

  it.each(titles)('MUST have the entities of the table in the end: run %d', async (run) => {
    const random = randomOf(run)
    const writers: MysqlWriter[] = []
    for (let index = 0; index < 4; index++) {
      const connection = await writer()
      await connection.query('set session transaction isolation level read committed')
      writers.push(new MysqlWriter(connection, random, index))
    }
    const replicas = queries.map((query) => new Replica(server, query))
    for (let index = 0; index < 120; index++) {
      if (random(3) > 0) await writers[random(writers.length)]?.step()
      else await replicas[random(replicas.length)]?.step()
    }
    for (const one of writers) await one.finish()
    for (const [index, query] of queries.entries()) {
      const replica = replicas[index]
      // The first ends what was being read.
      await replica?.synchronize()
      await replica?.synchronize()
      const fresh = new Replica(server, query)
      await fresh.synchronize()
      expect({ run, query, rows: replica?.rows(...names) }).toEqual({
        run,
        query,
        rows: fresh.rows(...names),
      })
    }
  })
})
