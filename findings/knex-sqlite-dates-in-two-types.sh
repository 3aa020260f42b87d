#!/usr/bin/env bash
# knex 3.3.0 with better-sqlite3 12.11.1: a column of dates has numbers and text, which SQLite does not compare.
#
# `table.timestamps(true, true)` declares the default CURRENT_TIMESTAMP, which SQLite stores as text. Dates that the
# application passes, in rows and in conditions, are numbers of milliseconds. SQLite sorts every number before every text,
# so that a row of the year 2100 comes before one of today, and each row with the default is later than any Date.
#
# Output seen:
#   stored types: default text, Date integer
#   order by created_at: Date of 2100, default
#   created_at > new Date('2200-01-01'): default
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund knex@3.3.0 better-sqlite3@12.11.1

cat >run.mjs <<'SCRIPT'
import knex from 'knex'

const db = knex({ client: 'better-sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true })
await db.schema.createTable('posts', (table) => {
  table.increments('id')
  table.string('name')
  table.timestamps(true, true)
})
await db('posts').insert({ name: 'default' })
await db('posts').insert({ name: 'Date of 2100', created_at: new Date('2100-01-01') })
const names = (rows) => rows.map(({ name }) => name).join(', ')

const [one, other] = await db('posts').select(db.raw('typeof(created_at) as type')).orderBy('id')
const types = `stored types: default ${one.type}, Date ${other.type}`
const order = `order by created_at: ${names(await db('posts').orderBy('created_at'))}`
const later = names(await db('posts').where('created_at', '>', new Date('2200-01-01')))
const condition = `created_at > new Date('2200-01-01'): ${later}`
await db.destroy()

const lines = [types, order, condition]
console.log(lines.join('\n'))
const expected = [
  'stored types: default text, Date integer',
  'order by created_at: Date of 2100, default',
  "created_at > new Date('2200-01-01'): default",
]
process.exitCode = String(lines) === String(expected) ? 0 : 1
SCRIPT
node run.mjs
