#!/usr/bin/env bash
# sqlite-utils 3.30 (Debian package sqlite-utils 3.30-1+deb12u1): CSV files that are inserted with --detect-types.
#
# A column is an integer if `int` of Python accepts all its values: 007 is stored as 7. If `float` accepts them, it is a float: the
# article 1e3 is stored as 1000.0, and decimals lose the digits after the 17th. Python also accepts 1_0, nan and inf, which SQLite does
# not: a column declared as INTEGER or FLOAT then has text, which is greater than every number. Without the option, all columns are text,
# and unchanged; declare others with `sqlite-utils transform`.
#
# Output seen:
#   declared Code INTEGER, Article FLOAT, Price FLOAT, Size INTEGER
#   stored 7 1000.0 1.23456789012346e+16 text 1_0
#   sizes greater than 1000000: 1_0 2_0
#   without the option 007 1e3 12345678901234567.89
set -euo pipefail
if ! command -v sqlite-utils >/dev/null || ! command -v sqlite3 >/dev/null; then
  apt-get update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends sqlite-utils=3.30-1+deb12u1 sqlite3 >/dev/null
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
cat >stock.csv <<'CSV'
ID,Code,Article,Price,Size
1,007,1e3,12345678901234567.89,1_0
2,012,2e3,1.50,2_0
CSV
sqlite-utils insert stock.db stock stock.csv --csv --detect-types >/dev/null 2>&1
sqlite-utils insert stock.db texts stock.csv --csv >/dev/null 2>&1
query() { sqlite3 -separator ' ' stock.db "$1"; }
declared=$(query "select group_concat(name || ' ' || type, ', ') from pragma_table_info('stock') where name <> 'ID'")
stored=$(query 'select Code, Article, Price, typeof(Size), Size from stock where ID = 1')
sizes=$(query "select group_concat(Size, ' ') from stock where Size > 1000000")
texts=$(query "select Code, Article, Price from texts where ID = '1'")
echo "declared $declared"
echo "stored $stored"
echo "sizes greater than 1000000: $sizes"
echo "without the option $texts"
[ "$declared" = 'Code INTEGER, Article FLOAT, Price FLOAT, Size INTEGER' ]
[ "$stored" = '7 1000.0 1.23456789012346e+16 text 1_0' ]
[ "$sizes" = '1_0 2_0' ]
[ "$texts" = '007 1e3 12345678901234567.89' ]
