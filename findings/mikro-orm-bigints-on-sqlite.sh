#!/usr/bin/env bash
# MikroORM, @mikro-orm/sqlite 7.2.2, on Node.js 24.21.0: properties of the type `bigint`.
#
# They are a BigInt of JavaScript, and SQLite stores all digits. The driver reads integers as numbers, from which the BigInt is created,
# so that a value above 2^53 is another integer, although its type promises all digits. If it is the key, the update of the entity that
# was read changes no row, and `flush` reports no error. better-sqlite3 returns all digits after `safeIntegers(true)`.
#
# Output seen:
#   stored 9007199254740993, read 9007199254740992n
#   name after a flush without an error: first
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @mikro-orm/core@7.2.2 @mikro-orm/sqlite@7.2.2 node@24.21.0

cat >run.mjs <<'SCRIPT'
import { EntitySchema, MikroORM } from '@mikro-orm/sqlite'

const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  properties: { id: { type: 'bigint', primary: true }, name: { type: 'string' } },
})
const orm = await MikroORM.init({ entities: [Order], dbName: ':memory:' })
await orm.schema.create()
const writer = orm.em.fork()
writer.create(Order, { id: 9007199254740993n, name: 'first' })
await writer.flush()
const em = orm.em.fork()
const [order] = await em.find(Order, {})
order.name = 'renamed'
await em.flush()
const [stored] = await orm.em.getConnection().execute('select cast(id as text) as id, name from orders')
await orm.close()

const lines = [
  `stored ${stored.id}, read ${order.id}${typeof order.id === 'bigint' ? 'n' : ''}`,
  `name after a flush without an error: ${stored.name}`,
]
console.log(lines.join('\n'))
const expected = ['stored 9007199254740993, read 9007199254740992n', 'name after a flush without an error: first']
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node_modules/.bin/node run.mjs
