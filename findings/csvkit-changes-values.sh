#!/usr/bin/env bash
# csvkit 1.0.7 (Debian package csvkit 1.0.7-1): values of CSV files that are sorted or converted.
#
# csvsort, csvjson and csvsql guess types and write the values of these types. A column that has only 0 and 1 becomes Boolean, and
# dates with a time and a space between them lose fractions of a second. NA and none become null, in csvjson also with --no-inference, and
# csvjson and csvsql write integers as doubles, so that digits above 2^53 change. csvcut and csvgrep leave values unchanged.
# Sort with --no-inference --blanks, which compares text.
#
# Output seen, for 1,0,NA,9007199254740993,2026-01-15 23:59:59.600:
#   csvsort 1,False,,9007199254740993,2026-01-15T23:59:59
#   csvsort --no-inference --blanks 1,0,NA,9007199254740993,2026-01-15 23:59:59.600
#   csvjson {"ID": 1.0, "Stock": false, "Code": null, "Big": 9007199254740992.0, "Changed": "2026-01-15T23:59:59"}
#   csvjson --no-inference "Stock": "0", "Code": null
#   csvsql 9007199254740992.0
set -euo pipefail
if ! command -v csvsort >/dev/null; then
  apt-get update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends csvkit=1.0.7-1 >/dev/null
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
cat >stock.csv <<'CSV'
ID,Stock,Code,Big,Changed
1,0,NA,9007199254740993,2026-01-15 23:59:59.600
2,1,none,1,2026-01-15 08:00:00
CSV
sorted=$(csvsort -c ID stock.csv | sed -n 2p)
texts=$(csvsort --no-inference --blanks -c ID stock.csv | sed -n 2p)
json=$(csvjson --stream stock.csv | sed -n 1p)
strings=$(csvjson --no-inference --stream stock.csv | sed -n 1p | grep -o '"Stock.*, "Big' | sed 's/, "Big//')
sql=$(csvsql --query 'select Big from stock where Code is null' stock.csv 2>/dev/null | sed -n 2p)
echo "csvsort $sorted"
echo "csvsort --no-inference --blanks $texts"
echo "csvjson $json"
echo "csvjson --no-inference $strings"
echo "csvsql $sql"
[ "$sorted" = '1,False,,9007199254740993,2026-01-15T23:59:59' ]
[ "$texts" = '1,0,NA,9007199254740993,2026-01-15 23:59:59.600' ]
[ "$json" = '{"ID": 1.0, "Stock": false, "Code": null, "Big": 9007199254740992.0, "Changed": "2026-01-15T23:59:59"}' ]
[ "$strings" = '"Stock": "0", "Code": null' ]
[ "$sql" = 9007199254740992.0 ]
