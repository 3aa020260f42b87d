#!/usr/bin/env bash
# MariaDB 10.11.19 (mariadb-server 1:10.11.19-0+deb12u1 of Debian 12): some UUIDs of version 8 cannot be stored in a `uuid`.
#
# The type `uuid` rejects UUIDs of version 8 whose ninth byte, which begins with the bits of the variant, is exactly 80:
# one of 64 random ones. RFC 9562 allows them, the same bytes with version 7 or 4 are stored, and so is version 8 with any
# other ninth byte of the variant. An application that generates UUIDs of version 8 fails for 1.6 % of its rows.
#
# Output seen:
#   stored    0191e0b1-0c1d-4c0b-8061-42861ce0ced7
#   stored    0191e0b1-0c1d-7c0b-8061-42861ce0ced7
#   rejected  0191e0b1-0c1d-8c0b-8061-42861ce0ced7
#   stored    0191e0b1-0c1d-8c0b-8161-42861ce0ced7
#   stored    0191e0b1-0c1d-8c0b-bf61-42861ce0ced7
#   rejected of version 8, by the ninth byte: 80
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
user=$(id -un)
if [ "$user" = root ]; then
  # The server does not run as root.
  user=mysql
  chown mysql "$directory"
fi
mariadb-install-db --no-defaults --user="$user" --datadir="$directory/data" --auth-root-authentication-method=normal >/dev/null
mariadbd --no-defaults --user="$user" --datadir="$directory/data" --skip-networking --socket="$directory/socket" \
  --pid-file="$directory/pid" >"$directory/log" 2>&1 &
server=$!
run() { mariadb --no-defaults --socket="$directory/socket" --user=root --skip-column-names --silent "$@"; }
for _ in $(seq 300); do
  run --execute='select 1' >/dev/null 2>&1 && break
  sleep 0.1
done
run --execute='create database d; create table d.t (v uuid)'

store() { run --execute="insert into d.t values ('$1')" 2>/dev/null && echo stored || echo rejected; }

status=0
expect() {
  local found
  found=$(store "$2")
  printf '%-9s %s\n' "$found" "$2"
  [ "$found" = "$1" ] || status=1
}
expect stored 0191e0b1-0c1d-4c0b-8061-42861ce0ced7
expect stored 0191e0b1-0c1d-7c0b-8061-42861ce0ced7
expect rejected 0191e0b1-0c1d-8c0b-8061-42861ce0ced7
expect stored 0191e0b1-0c1d-8c0b-8161-42861ce0ced7
expect stored 0191e0b1-0c1d-8c0b-bf61-42861ce0ced7

rejected=()
for byte in $(seq 128 191); do
  hex=$(printf '%02x' "$byte")
  [ "$(store "0191e0b1-0c1d-8c0b-${hex}61-42861ce0ced7")" = stored ] || rejected+=("$hex")
done
echo "rejected of version 8, by the ninth byte: ${rejected[*]}"
[ "${rejected[*]}" = 80 ] || status=1
exit "$status"
