#!/usr/bin/env bash
# @electric-sql/pglite 0.5.17, PostgreSQL as WebAssembly: columns of the type `timestamp`, which has no time zone.
#
# A value is read as a Date in the time zone of the process, and a Date is written in UTC. A row that is read and written back
# without a change is stored with another time, each time again: in Europe/Berlin one hour earlier. No error is reported,
# and nothing changes in UTC, the zone of most test machines. `date` and `timestamptz` stay. In `timestamp` and `timestamptz`,
# a day of the year 1, which .NET uses instead of null, is read as one of 2001, with month and day exchanged. pg 8.23.1 reads and writes both in the zone of the process.
# An int8 is a number up to 2^53 and a BigInt above, so that the type depends on the value.
# Read timestamps as strings: `parsers: { 1114: (text) => text, 1184: (text) => text }`.
#
# Output seen (TZ=Europe/Berlin):
#   stored    2026-01-15 08:30:00 | written back 2026-01-15 07:30:00 | again 2026-01-15 06:30:00
#   year      0001-06-01 12:00:00+00 is read as 2001-01-06T12:00:00.000Z
#   int8      9007199254740991 is a number, 9007199254740993 is a bigint
#   by option 2026-01-15 08:30:00 | written back 2026-01-15 08:30:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.17

cat >run.mjs <<'SCRIPT'
import { PGlite } from '@electric-sql/pglite'

const stored = '2026-01-15 08:30:00'
const db = new PGlite()
await db.exec('create table orders (at timestamp)')
await db.query('insert into orders values ($1::text::timestamp)', [stored])
const textOf = async () => (await db.query('select at::text as text from orders')).rows[0].text
const writeBack = async (options) => {
  const [{ at }] = (await db.query('select at from orders', [], options)).rows
  await db.query('update orders set at = $1', [at])
  return textOf()
}
const lines = [`stored    ${await textOf()} | written back ${await writeBack()} | again ${await writeBack()}`]
const year = '0001-06-01 12:00:00+00'
const [row] = (await db.query(`select '${year}'::timestamptz as at, 9007199254740991 as small, 9007199254740993 as large`)).rows
lines.push(`year      ${year} is read as ${row.at.toISOString()}`)
lines.push(`int8      ${row.small} is a ${typeof row.small}, ${row.large} is a ${typeof row.large}`)
await db.query('update orders set at = $1::text::timestamp', [stored])
lines.push(`by option ${await textOf()} | written back ${await writeBack({ parsers: { 1114: (text) => text } })}`)
console.log(lines.join('\n'))
const expected = [
  'stored    2026-01-15 08:30:00 | written back 2026-01-15 07:30:00 | again 2026-01-15 06:30:00',
  'year      0001-06-01 12:00:00+00 is read as 2001-01-06T12:00:00.000Z',
  'int8      9007199254740991 is a number, 9007199254740993 is a bigint',
  'by option 2026-01-15 08:30:00 | written back 2026-01-15 08:30:00',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
TZ=Europe/Berlin node run.mjs
