#!/usr/bin/env bash
# mysql2 3.24.6 and mariadb 3.5.4 on MariaDB 10.11.19: dates of the years 1 to 99.
#
# A DATETIME of the year 1, the smallest one of .NET and a frequent substitute for null, is a Date of the year 2001 if it is read
# with query(), and of 1901 with execute(), the method for prepared statements: the drivers pass text to `new Date(text)` in the
# local form in one, and the year as a number to `new Date(year, ...)` in the other. Both drivers do so, without an error. The
# year 50 becomes 1950 in both methods. With the option `dateStrings` the value is right.
#
# Output seen, for the years 1 and 50:
#   mysql2   query 2001-01-01,1950-01-01, execute 1901-01-01,1950-01-01, dateStrings 0001-01-01 00:00:00
#   mariadb  query 2001-01-01,1950-01-01, execute 1901-01-01,1950-01-01, dateStrings 0001-01-01 00:00:00
set -euo pipefail
if ! command -v mariadbd >/dev/null; then
  apt-get update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mariadb-server=1:10.11.19-0+deb12u1 >/dev/null
fi
directory=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$directory"
}
trap stop EXIT
chmod 755 "$directory"
mkdir "$directory/server"
user=$(id -un)
if [ "$user" = root ]; then
  # The server does not run as root.
  user=mysql
  chown mysql "$directory/server"
fi
mariadb-install-db --no-defaults --user="$user" --datadir="$directory/server/data" --auth-root-authentication-method=normal >/dev/null
mariadbd --no-defaults --user="$user" --datadir="$directory/server/data" --skip-networking \
  --socket="$directory/server/socket" --pid-file="$directory/server/pid" >"$directory/server.log" 2>&1 &
server=$!
run() { mariadb --no-defaults --socket="$directory/server/socket" --user=root "$@"; }
for _ in $(seq 300); do
  run --execute='select 1' >/dev/null 2>&1 && break
  sleep 0.1
done
run --execute="create database shop; create table shop.t (at datetime); insert into shop.t values ('0001-01-01'), ('0050-01-01')"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund mariadb@3.5.4 mysql2@3.24.6

cat >run.mjs <<'SCRIPT'
import mariadb from 'mariadb'
import mysql from 'mysql2/promise'

const address = { socketPath: `${process.cwd()}/server/socket`, user: 'root', database: 'shop' }
const statement = 'select at from t order by at'
const day = (value) => value.toISOString().slice(0, 10)
const lines = []
for (const [name, driver] of Object.entries({ mysql2: mysql, mariadb })) {
  // mysql2 returns the rows and the columns, mariadb the rows.
  const valuesOf = (result) => (name === 'mysql2' ? result[0] : result).map(({ at }) => at)
  const connection = await driver.createConnection(address)
  const text = valuesOf(await connection.query(statement)).map(day)
  const binary = valuesOf(await connection.execute(statement)).map(day)
  await connection.end()
  const strings = await driver.createConnection({ ...address, dateStrings: true })
  const [string] = valuesOf(await strings.execute(statement))
  await strings.end()
  lines.push(`${name.padEnd(8)} query ${text}, execute ${binary}, dateStrings ${string}`)
}
console.log(lines.join('\n'))
const dates = 'query 2001-01-01,1950-01-01, execute 1901-01-01,1950-01-01, dateStrings 0001-01-01 00:00:00'
process.exitCode = String(lines) === String([`mysql2   ${dates}`, `mariadb  ${dates}`]) ? 0 : 1
SCRIPT
TZ=UTC node run.mjs
