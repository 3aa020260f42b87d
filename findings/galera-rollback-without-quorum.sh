#!/usr/bin/env bash
# MariaDB 10.11.19 with Galera 26.4.23 (Debian packages mariadb-server, galera-4): ROLLBACK on a node without quorum.
#
# A node that has lost its quorum refuses ROLLBACK like any other statement, with error 1047. The connection stays usable
# and the transaction stays open with its locks, even after the node has joined the cluster again. A pool that takes the
# refused ROLLBACK for the end of the transaction gives the next user a connection in the middle of one. SELECT 1 is not
# refused, so that a health check by it succeeds.
#
# Output seen:
#   without quorum: select 1                    ok
#   without quorum: rollback                    ERROR 1047
#   without quorum: open transactions           1
#   in the cluster again: open transactions     1
#   after another rollback: open transactions   0
set -euo pipefail
provider=/usr/lib/galera/libgalera_smm.so
{ command -v mariadbd && command -v rsync && [ -e "$provider" ]; } >/dev/null ||
  apt-get install -qq -y mariadb-server galera-4 rsync >/dev/null
directory=$(mktemp -d)
chmod 755 "$directory"
user=$(id -un)
if [ "$user" = root ]; then
  user=mysql
  chown mysql "$directory"
fi
stop() {
  kill -9 $(jobs -p) 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$directory"
}
trap stop EXIT
network=127.$((1 + $$ % 250)).$((1 + $$ / 250 % 250))

query() { mariadb --no-defaults --socket="$directory/$1/socket" --user=root --skip-column-names --execute="$2" 2>&1; }
until_status() { for _ in $(seq 300); do query "$1" "show status like '$2'" | grep -q "$3" && return || sleep 0.2; done; return 1; }
start() {
  mariadbd --no-defaults --user="$user" --datadir="$directory/$1" --bind-address="$network.$1" --socket="$directory/$1/socket" \
    --pid-file="$directory/$1/pid" --skip-name-resolve --binlog-format=ROW --innodb-autoinc-lock-mode=2 --wsrep-on=ON \
    --wsrep-provider="$provider" --wsrep-cluster-address="gcomm://$2" --wsrep-node-address="$network.$1" \
    --wsrep-provider-options="gmcast.listen_addr=tcp://$network.$1:4567;gcache.size=16M;pc.weight=$((3 - $1))" \
    ${3:-} >"$directory/log$1" 2>&1 &
  until_status "$1" wsrep_local_state_comment Synced
}
mariadb-install-db --no-defaults --user="$user" --datadir="$directory/1" --auth-root-authentication-method=normal >/dev/null
start 1 '' --wsrep-new-cluster
query 1 'create database d; create table d.t (id int primary key) engine=innodb'
mkdir "$directory/2"
[ "$user" = mysql ] && chown mysql "$directory/2"
start 2 "$network.1"
query 2 "select version(); show status like 'wsrep_provider_version'"

mkfifo "$directory/statements"
mariadb --no-defaults --socket="$directory/2/socket" --user=root --force --unbuffered --skip-column-names \
  <"$directory/statements" >"$directory/session" 2>&1 &
exec 3>"$directory/statements"
said() { for _ in $(seq 100); do grep -q "$1" "$directory/session" && return || sleep 0.1; done; return 1; }
# The server caches this table for a tenth of a second.
transactions() { sleep 0.5; query 2 'select count(*) from information_schema.innodb_trx'; }

failed=0
check() {
  printf '%-43s %s\n' "$1" "$2"
  [ "$2" = "$3" ] || failed=1
}
echo "begin; insert into d.t values (1); select 'begun';" >&3
said begun
query 2 "set global wsrep_provider_options = 'gmcast.isolate=1'"
until_status 2 wsrep_ready OFF
check 'without quorum: select 1' "$(query 2 'select 1' | grep -qx 1 && echo ok)" ok
echo 'rollback;' >&3
said 'ERROR 1047'
check 'without quorum: rollback' "$(grep -o 'ERROR 1047' "$directory/session" | head -1)" 'ERROR 1047'
check 'without quorum: open transactions' "$(transactions)" 1
query 2 "set global wsrep_provider_options = 'gmcast.isolate=0'"
until_status 2 wsrep_ready ON
check 'in the cluster again: open transactions' "$(transactions)" 1
echo "rollback; select 'rolled back';" >&3
said 'rolled back'
check 'after another rollback: open transactions' "$(transactions)" 0
exit "$failed"
