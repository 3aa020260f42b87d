#!/usr/bin/env bash
# @tursodatabase/database 0.7.2 with files that SQLite has written (better-sqlite3 12.11.1).
#
# One table with a generated column, which SQLite has had since 3.31, makes the whole file unreadable, also for queries of
# other tables. The failed attempt changes the file: its journal mode is WAL afterwards, also for SQLite, unless the option
# `readonly` is set. `pragma table_info` reports declared types without their numbers: programs that generate a model from it
# get no lengths of strings, and no digits of decimals. The statement in `sqlite_schema` still has them. `pragma data_version`,
# by which SQLite shows that another connection has written, returns no row.
#
# Output seen:
#   types by SQLite: decimal(10,2) varchar(40) char(3)
#   types by Turso:  decimal varchar char
#   data_version by SQLite: 1 row, by Turso: 0 rows
#   with a generated column, readonly: does not open, journal mode delete
#   with a generated column: does not open, journal mode wal
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @tursodatabase/database@0.7.2 better-sqlite3@12.11.1

cat >run.mjs <<'SCRIPT'
import { connect } from '@tursodatabase/database'
import SQLite from 'better-sqlite3'

const types = "select type from pragma_table_info('products')"
const inSqlite = (use) => {
  const database = new SQLite('shop.sqlite')
  const result = use(database)
  database.close()
  return result
}
const listed = (rows) => rows.map(({ type }) => type).join(' ')

const bySqlite = inSqlite((database) => {
  database.exec('create table products (price decimal(10,2), name varchar(40), currency char(3))')
  return { types: listed(database.prepare(types).all()), versions: database.pragma('data_version').length }
})
const turso = await connect('shop.sqlite')
const byTurso = {
  types: listed(await (await turso.prepare(types)).all()),
  versions: (await (await turso.prepare('pragma data_version')).all()).length,
}
await turso.close()

inSqlite((database) => database.exec('create table totals (net integer, gross integer generated always as (net * 2))'))
const modeAfterOpening = async (options) => {
  inSqlite((database) => database.pragma('journal_mode = delete'))
  const opened = await connect('shop.sqlite', options).then(
    () => 'opens',
    (error) => (error.message.includes('generated') ? 'does not open' : error.message),
  )
  return `${opened}, journal mode ${inSqlite((database) => database.pragma('journal_mode', { simple: true }))}`
}

const seen = `types by SQLite: ${bySqlite.types}
types by Turso:  ${byTurso.types}
data_version by SQLite: ${bySqlite.versions} row, by Turso: ${byTurso.versions} rows
with a generated column, readonly: ${await modeAfterOpening({ readonly: true })}
with a generated column: ${await modeAfterOpening()}`
console.log(seen)
const expected = `types by SQLite: decimal(10,2) varchar(40) char(3)
types by Turso:  decimal varchar char
data_version by SQLite: 1 row, by Turso: 0 rows
with a generated column, readonly: does not open, journal mode delete
with a generated column: does not open, journal mode wal`
process.exit(seen === expected ? 0 : 1)
SCRIPT
node run.mjs
