#!/usr/bin/env bash
# mysql2 3.24.6 and mariadb 3.5.4 on MariaDB 10.11.19: values of FLOAT depend on the method that reads them.
#
# query() reads rows as text, and the server writes a FLOAT with six digits: 16777216 is returned as 16777200, another value. A
# program that writes it back changes the row. execute(), the method for prepared statements, reads the four bytes: 16777216 is
# exact, and 0.1 is 0.10000000149011612. No condition with the value of query() finds the row, and equality with 0.1 does not
# either, in both methods. `cast(value as double)` returns the bytes in both.
#
# Output seen:
#   mysql2   query 16777200 0.1, execute 16777216 0.10000000149011612, cast 16777216
#   mariadb  query 16777200 0.1, execute 16777216 0.10000000149011612, cast 16777216
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
run --execute="create database shop; create table shop.t (id int, value float); insert into shop.t values (1, 16777216), (2, 0.1)"
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund mariadb@3.5.4 mysql2@3.24.6

cat >run.mjs <<'SCRIPT'
import mariadb from 'mariadb'
import mysql from 'mysql2/promise'

const address = { socketPath: `${process.cwd()}/server/socket`, user: 'root', database: 'shop' }
const statement = 'select value from t order by id'
const lines = []
for (const [name, driver] of Object.entries({ mysql2: mysql, mariadb })) {
  // mysql2 returns the rows and the columns, mariadb the rows.
  const rowsOf = (result) => (name === 'mysql2' ? result[0] : result)
  const connection = await driver.createConnection(address)
  const valuesOf = (result) => rowsOf(result).map(({ value }) => value).join(' ')
  const text = valuesOf(await connection.query(statement))
  const binary = valuesOf(await connection.execute(statement))
  const cast = valuesOf(await connection.query('select cast(value as double) as value from t where id = 1'))
  await connection.end()
  lines.push(`${name.padEnd(8)} query ${text}, execute ${binary}, cast ${cast}`)
}
console.log(lines.join('\n'))
const values = 'query 16777200 0.1, execute 16777216 0.10000000149011612, cast 16777216'
process.exitCode = String(lines) === String([`mysql2   ${values}`, `mariadb  ${values}`]) ? 0 : 1
SCRIPT
node run.mjs
