#!/usr/bin/env bash
# better-sqlite3 12.11.1, node:sqlite of Node.js 24.21.0 and @libsql/client 0.18.0: numbers as parameters.
#
# SQLite distinguishes integers and reals, JavaScript does not, and these drivers bind every number as a real, also 3. A column
# with an integer type converts it back; an expression does not: ? / 2 is 1.5, 'A-' || ? is A-3.0, and json_array(?) contains 3.0.
# A key that a statement composes from a parameter therefore matches no row, without an error. A BigInt, or
# cast(? as integer), is an integer. sql.js 1.17.0 binds 3 as an integer, so that the same statement has other results.
#
# Output seen:
#   better-sqlite3  real 1.5 A-3.0 [3.0], BigInt: integer 1 A-3 [3]
#   @libsql/client  real 1.5 A-3.0 [3.0], BigInt: integer 1 A-3 [3]
#   node:sqlite     real 1.5 A-3.0 [3.0], BigInt: integer 1 A-3 [3]
#   sql.js          integer 1 A-3 [3]
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund better-sqlite3@12.11.1 @libsql/client@0.18.0 sql.js@1.17.0
# In a folder of its own, since this Node.js must not install better-sqlite3.
mkdir node24
(cd node24 && npm init --yes >/dev/null && npm install --silent --no-audit --no-fund node@24.21.0)

cat >run.mjs <<'SCRIPT'
import { execFileSync } from 'node:child_process'
import { createClient } from '@libsql/client'
import Database from 'better-sqlite3'
import initSqlJs from 'sql.js'

const columns = "typeof(value) as type, value / 2 as half, 'A-' || value as code, json_array(value) as list"
const statement = `select ${columns} from (select ? as value)`
const textOf = ({ type, half, code, list }) => [type, half, code, list].join(' ')
const pair = (read) => `${textOf(read(3))}, BigInt: ${textOf(read(3n))}`

const database = new Database(':memory:')
const client = createClient({ url: ':memory:' })
const libsql = new Map()
for (const value of [3, 3n]) libsql.set(value, (await client.execute({ sql: statement, args: [value] })).rows[0])
const script = `
  const { DatabaseSync } = require('node:sqlite')
  const prepared = new DatabaseSync(':memory:').prepare(${JSON.stringify(statement)})
  console.log(JSON.stringify([prepared.get(3), prepared.get(3n)]))`
const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
const [number, integer] = JSON.parse(execFileSync('node24/node_modules/.bin/node', ['-e', script], options))
const prepared = new (await initSqlJs()).Database().prepare(statement)
prepared.bind([3])
prepared.step()

const lines = [
  `better-sqlite3  ${pair((value) => database.prepare(statement).get(value))}`,
  `@libsql/client  ${pair((value) => libsql.get(value))}`,
  `node:sqlite     ${pair((value) => (value === 3 ? number : integer))}`,
  `sql.js          ${textOf(prepared.getAsObject())}`,
]
console.log(lines.join('\n'))
const values = 'real 1.5 A-3.0 [3.0], BigInt: integer 1 A-3 [3]'
const drivers = ['better-sqlite3', '@libsql/client', 'node:sqlite']
const expected = [...drivers.map((name) => `${name.padEnd(15)} ${values}`), 'sql.js          integer 1 A-3 [3]']
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
