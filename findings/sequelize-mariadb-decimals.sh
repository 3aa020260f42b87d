#!/usr/bin/env bash
# sequelize 6.37.8 with mariadb 3.5.4 and mysql2 3.24.6 on MariaDB 10.11.19: values of DECIMAL columns.
#
# With the dialect `mariadb`, decimals are read as JavaScript numbers, which have about 16 digits: 1234567890123456.1234
# loses its fraction without an error, and a row that is copied stores the rounded value. With the dialect `mysql`, on the
# same server and table, the value is a string with all digits. Large integers (BIGINT) are strings in both.
#
# Output seen:
#   mariadb  number 1234567890123456, copied as 1234567890123456.0000, bigint as string 9007199254740993
#   mysql    string 1234567890123456.1234, copied as 1234567890123456.1234, bigint as string 9007199254740993
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
run --execute='create database shop'
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund sequelize@6.37.8 mariadb@3.5.4 mysql2@3.24.6

cat >run.mjs <<'SCRIPT'
import { DataTypes, Sequelize } from 'sequelize'

const large = { balance: '1234567890123456.1234', count: '9007199254740993' }
const seen = []
for (const dialect of ['mariadb', 'mysql']) {
  const db = new Sequelize('shop', 'root', '', { dialect, logging: false, dialectOptions: { socketPath: 'server/socket' } })
  const columns = { balance: DataTypes.DECIMAL(20, 4), count: DataTypes.BIGINT }
  const Account = db.define('account', columns, { timestamps: false })
  await Account.sync({ force: true })
  const { id } = await Account.create(large)
  const { balance, count } = await Account.findByPk(id)
  const copy = await Account.create({ balance })
  const text = `select cast(balance as char) as balance from accounts where id = ${copy.id}`
  const [stored] = await db.query(text, { type: 'SELECT' })
  seen.push(
    `${dialect.padEnd(7)}  ${typeof balance} ${balance}, copied as ${stored.balance}, bigint as ${typeof count} ${count}`,
  )
  await db.close()
}
console.log(seen.join('\n'))
const expected = `mariadb  number 1234567890123456, copied as 1234567890123456.0000, bigint as string 9007199254740993
mysql    string 1234567890123456.1234, copied as 1234567890123456.1234, bigint as string 9007199254740993`
process.exit(seen.join('\n') === expected ? 0 : 1)
SCRIPT
node run.mjs
