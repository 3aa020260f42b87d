#!/usr/bin/env bash
# @libsql/client 0.18.0 and node:sqlite of Node.js 24.21.0: U+0000 in strings.
#
# U+0000 is a valid character of strings in JavaScript and JSON. Both drivers store the whole string. libSQL returns it only up to
# that character, without an error: a row that is read and written back loses the rest, and two keys that SQLite distinguishes are
# equal in results. `cast(name as blob)` has all bytes in both. better-sqlite3 12.11.1 returns the string like node:sqlite.
#
# Output seen, for "a\u0000b", whose bytes are 61 00 62:
#   @libsql/client "a", stored 610062
#   node:sqlite    "a\u0000b", stored 610062
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @libsql/client@0.18.0 node@24.21.0

cat >node.mjs <<'SCRIPT'
import { DatabaseSync } from 'node:sqlite'

const db = new DatabaseSync(':memory:')
db.exec('create table names (name text)')
db.prepare('insert into names values (?)').run('a\u0000b')
const { name, bytes } = db.prepare('select name, hex(name) as bytes from names').get()
console.log(`node:sqlite    ${JSON.stringify(name)}, stored ${bytes}`)
SCRIPT
cat >client.mjs <<'SCRIPT'
import { createClient } from '@libsql/client'

const client = createClient({ url: ':memory:' })
await client.execute('create table names (name text)')
await client.execute({ sql: 'insert into names values (?)', args: ['a\u0000b'] })
const [{ name, bytes }] = (await client.execute('select name, hex(name) as bytes from names')).rows
client.close()
console.log(`@libsql/client ${JSON.stringify(name)}, stored ${bytes}`)
SCRIPT
output=$(node client.mjs && node_modules/.bin/node --no-warnings node.mjs)
echo "$output"
[ "$output" = '@libsql/client "a", stored 610062
node:sqlite    "a\u0000b", stored 610062' ]
