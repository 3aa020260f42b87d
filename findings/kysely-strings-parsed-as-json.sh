#!/usr/bin/env bash
# kysely 0.29.9 with better-sqlite3 12.11.1: strings in results with ParseJSONResultsPlugin.
#
# SQLite and MySQL return the JSON of `jsonArrayFrom` and `jsonObjectFrom` as text, for which Kysely has this plugin. It does not know
# which columns are JSON: each string of a result that starts and ends with brackets or braces is parsed, also in columns of the type
# `text`. A name '[12]' becomes an array, so that a row that is read and written back has another value or is refused, and a string of
# digits in brackets loses those above 2^53. Text that is not JSON stays, and its error is written to the console with each read.
#
# Output seen:
#   without the plugin "[12]" "{}" "[9007199254740993]" "[draft]"
#   with the plugin    [12] {} [9007199254740992] "[draft]"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund kysely@0.29.9 better-sqlite3@12.11.1

cat >run.mjs <<'SCRIPT'
import Database from 'better-sqlite3'
import { Kysely, ParseJSONResultsPlugin, SqliteDialect } from 'kysely'

console.error = () => undefined
const db = new Kysely({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
await db.schema.createTable('posts').addColumn('id', 'integer').addColumn('name', 'text').execute()
const names = ['[12]', '{}', '[9007199254740993]', '[draft]']
await db.insertInto('posts').values(names.map((name, id) => ({ id, name }))).execute()
const read = async (source) => {
  const rows = await source.selectFrom('posts').select('name').orderBy('id').execute()
  return rows.map(({ name }) => JSON.stringify(name)).join(' ')
}
const lines = [
  `without the plugin ${await read(db)}`,
  `with the plugin    ${await read(db.withPlugin(new ParseJSONResultsPlugin()))}`,
]
await db.destroy()
console.log(lines.join('\n'))
const expected = [
  'without the plugin "[12]" "{}" "[9007199254740993]" "[draft]"',
  'with the plugin    [12] {} [9007199254740992] "[draft]"',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
