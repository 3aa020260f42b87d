#!/usr/bin/env bash
# MariaDB 10.11.19 (Debian package mariadb-server): privileges of INSERT ... RETURNING.
#
# A column in the RETURNING clause of an INSERT needs the privilege INSERT in addition to SELECT, although the statement
# only reads it: the error is "INSERT command denied ... for column". A user that may read all columns and set one of
# them can insert rows, but cannot return the columns that it does not set, such as those with a default. DELETE ...
# RETURNING needs SELECT only.
#
# Output seen:
#   insert into t (id) values (1)                          ok
#   select id, made from t                                 ok
#   insert into t (id) values (2) returning id             ok
#   insert into t (id) values (3) returning id, made       1143 INSERT made
#   delete from t where id = 1 returning id, made          ok
set -euo pipefail
command -v mariadbd >/dev/null || apt-get install -qq -y mariadb-server >/dev/null
directory=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$directory"
}
trap stop EXIT
user=$(id -un)
if [ "$user" = root ]; then
  user=mysql
  chown mysql "$directory"
fi
mariadb-install-db --no-defaults --user="$user" --datadir="$directory/data" --auth-root-authentication-method=normal >/dev/null
mariadbd --no-defaults --user="$user" --datadir="$directory/data" --skip-networking --socket="$directory/socket" \
  --pid-file="$directory/pid" >"$directory/log" 2>&1 &
server=$!
run() { mariadb --no-defaults --socket="$directory/socket" "$@"; }
for _ in $(seq 100); do run --user=root --execute='select 1' >/dev/null 2>&1 && break || sleep 0.1; done
run --user=root --execute='select version()' --skip-column-names
run --user=root --execute="create database d; create table d.t (id int primary key, made int default 7);
  create user clerk@localhost identified by 'x'; grant select, delete, insert (id) on d.t to clerk@localhost"

failed=0
check() {
  local expected=$1 statement=$2 found=ok output
  output=$(run --user=clerk --password=x d --execute="$statement" 2>&1) ||
    found=$(sed -nE "s/^ERROR ([0-9]+) .*: (\w+) command denied.* for column '(\w+)'.*/\1 \2 \3/p" <<<"$output")
  printf '%-54s %s\n' "$statement" "$found"
  [ "$found" = "$expected" ] || failed=1
}
check ok 'insert into t (id) values (1)'
check ok 'select id, made from t'
check ok 'insert into t (id) values (2) returning id'
check '1143 INSERT made' 'insert into t (id) values (3) returning id, made'
check ok 'delete from t where id = 1 returning id, made'
exit "$failed"
