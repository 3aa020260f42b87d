/** The shop in PostgreSQL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { productsOfCategory } from './sqlite.mjs'
import { categories, product, productCount } from './rows.mjs'

const tables = `
  create table "Categories" ("ID" smallint primary key, "Name" text not null);
  create table "Products" (
    "ID" integer primary key,
    "Name" text collate "C" not null,
    "Description" text,
    "Price" numeric(10, 2) not null,
    "Stock" bigint,
    "CategoryID" smallint not null references "Categories" ("ID"),
    "Weight" double precision,
    "Active" boolean not null,
    "Released" timestamp,
    "Code" uuid
  );`

const script = fileURLToPath(new URL('../../support/sql/postgres-process.mjs', import.meta.url))

/** Starts a server of its own, which goes away with this process. @returns the address of a database with the shop */
export async function startPostgres() {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (!Buffer.isBuffer(line)) throw new Error('PostgreSQL did not start.')
  const { port, directory } = JSON.parse(line.toString())
  const address = `postgres://tester:tester@127.0.0.1:${port}/postgres`
  return {
    address,
    directory,
    async stop() {
      const exit = once(child, 'exit')
      child.stdin.end()
      await exit
    },
  }
}

export async function fillPostgres(address, count = productCount, indexes = []) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const insert = (table, rows) =>
    client.query(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`, [
      JSON.stringify(rows),
    ])
  await client.query(tables)
  await insert('Categories', categories(count))
  for (let id = 1; id <= count; id += 10_000) {
    const length = Math.min(10_000, count - id + 1)
    await insert(
      'Products',
      Array.from({ length }, (_, index) => product(id + index)),
    )
  }
  for (const index of [productsOfCategory, ...indexes]) await client.query(index)
  await client.query('vacuum analyze')
  await client.end()
}

/** @returns the URL of a new database on the server of another one */
export async function newDatabase(address, name) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name}`)
  await client.end()
  return address.replace(/[^/]*$/, name)
}

/** Returns the Kysely dialect of a database. */
export async function openPostgres(address) {
  const { default: pg } = await import('pg')
  const { default: cursor } = await import('pg-cursor')
  const pool = new pg.Pool({ connectionString: address, max: 10 })
  pool.on('error', () => undefined)
  return { pool, cursor }
}
