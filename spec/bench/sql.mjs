/**
 * A million rows in SQLite and PostgreSQL: pages deep in an order must cost what the first costs, and what a feed of
 * all rows takes of memory must not depend on their number.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import pg from 'pg'

const rows = 1_000_000
const deep = 900_000
const rounds = 25

const columns = (kind) => `
  "ID" integer primary key,
  "Name" ${kind === 'sqlite' ? 'text' : 'text collate "C"'} not null,
  "Price" decimal(10, 2) not null,
  "Rating" smallint not null,
  "Released" ${kind === 'sqlite' ? 'text' : 'timestamp'}`

/** A thousand rows of each price, and a hundred thousand of each rating. */
const values = `n, 'Product ' || n, (n % 1000) * 919 % 1000 + 0.5, n * 31 % 10`
const indexes = [
  'create index by_price on "Products" ("Price", "ID")',
  'create index by_price_down on "Products" ("Price" desc, "ID")',
  'create index by_rating on "Products" ("Rating" desc, "Price", "ID")',
]

function fillSqlite(file) {
  const db = new SQLite(file)
  db.exec(`create table "Products" (${columns('sqlite')})`)
  db.exec(`insert into "Products" with recursive r(n) as (select 1 union all select n + 1 from r where n < ${rows})
    select ${values}, strftime('%Y-%m-%dT%H:%M:%S', 1300000000 + n * 60, 'unixepoch') from r`)
  for (const index of indexes) db.exec(index)
  db.exec('analyze')
  db.close()
}

async function fillPostgres(connectionString) {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`create table "Products" (${columns('postgres')})`)
  await client.query(`insert into "Products"
    select ${values}, timestamp '2011-03-13' + n * interval '1 minute' from generate_series(1, ${rows}) as n`)
  for (const index of indexes) await client.query(index)
  await client.query('vacuum analyze "Products"')
  await client.end()
}

async function start(...args) {
  const child = fork(new URL('sql-server.mjs', import.meta.url), args)
  process.once('exit', () => child.kill())
  const [{ port }] = await once(child, 'message')
  return {
    base: `http://127.0.0.1:${port}`,
    async memory() {
      child.send('memory')
      const [answer] = await once(child, 'message')
      return answer
    },
    stop: () => child.kill(),
  }
}

async function page(address) {
  const begin = performance.now()
  const response = await fetch(address)
  const text = await response.text()
  if (!response.ok) throw new Error(`${address}: ${text}`)
  return { milliseconds: performance.now() - begin, d: JSON.parse(text).d }
}

async function median(address) {
  const times = []
  for (let round = 0; round < rounds; round++) times.push((await page(address)).milliseconds)
  return times.toSorted((a, b) => a - b)[rounds >> 1]
}

const orders = ['', 'Price', 'Price desc', 'Rating desc,Price']

async function measurePages(kind, { base }) {
  for (const order of orders) {
    const query = `${base}/pages/Products?$format=json${order === '' ? '' : `&$orderby=${encodeURIComponent(order)}`}`
    const first = (await page(query)).d.__next
    const { d } = await page(`${query}&$skip=${deep - 100}`)
    const next = d.__next
    await median(next)
    const [start, end] = [await median(query), await median(next)]
    const second = await median(first)
    console.log(
      `${kind.padEnd(9)} order by ${(order || 'the key').padEnd(18)} first page ${start.toFixed(2)} ms, second ${second.toFixed(2)} ms, at ${deep} ${end.toFixed(2)} ms, ratio ${(end / start).toFixed(2)}`,
    )
  }
}

/** Reads a feed as fast as it comes, or stops for a while. */
function read(address, stopAfter = Infinity) {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    get(address, (response) => {
      let bytes = 0
      let first
      response.on('data', (chunk) => {
        first ??= performance.now() - begin
        bytes += chunk.length
        if (bytes > stopAfter) {
          stopAfter = Infinity
          response.pause()
          setTimeout(() => response.resume(), 1000)
        }
      })
      response.on('end', () => resolve({ bytes, first, seconds: (performance.now() - begin) / 1000 }))
      response.on('error', reject)
    }).on('error', reject)
  })
}

async function measureFeed(name, server, query = '') {
  const { now } = await server.memory()
  const { bytes, first, seconds } = await read(
    `${server.base}/whole/Products?$format=json${query}`,
    20_000_000,
  )
  const { megabytes } = await server.memory()
  console.log(
    `${name.padEnd(40)} ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s, first byte ${first.toFixed(0)} ms, memory ${now} MB before, ${megabytes} MB at most`,
  )
}

const directory = await mkdtemp(join(tmpdir(), 'sql-bench-'))
const database = spawn(
  process.execPath,
  [new URL('../support/sql/postgres-process.mjs', import.meta.url).pathname],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
  },
)
try {
  const [line] = await once(database.stdout, 'data')
  const addresses = {
    sqlite: join(directory, 'shop.sqlite'),
    postgres: `postgres://tester:tester@127.0.0.1:${JSON.parse(line.toString()).port}/postgres`,
  }
  fillSqlite(addresses.sqlite)
  await fillPostgres(addresses.postgres)
  for (const [kind, address] of Object.entries(addresses)) {
    const server = await start(kind, address)
    await measurePages(kind, server)
    await measureFeed(`${kind}, all by key, batches`, server)
    await measureFeed(`${kind}, all by price, batches`, server, '&$orderby=Price')
    server.stop()
  }
  const server = await start('postgres', addresses.postgres, '2')
  await measureFeed('postgres, all by key, cursor', server)
  await measureFeed('postgres, all by price, cursor', server, '&$orderby=Price')
  await measureFeed('postgres, all without index, cursor', server, '&$orderby=Released%20desc')
  server.stop()
} catch (error) {
  console.error(error)
  process.exitCode = 1
  // What was started would keep the process alive.
  setTimeout(() => process.exit(), 1000)
} finally {
  database.stdin.end()
  await rm(directory, { recursive: true, force: true })
}
