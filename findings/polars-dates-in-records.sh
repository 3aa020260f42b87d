#!/usr/bin/env bash
# nodejs-polars 0.25.2: dates and large integers of a data frame as JavaScript values.
#
# readCSV with tryParseDates has dates with microseconds. toRecords creates each Date from a fractional number of
# milliseconds, which is cut towards 1970: dates before 1970 are one millisecond late, and the last microsecond of 9999,
# a usual value for "without end", is in the year 10000. Integers above 2^53 are rounded without an error, although the
# frame has their digits. Pass such columns as strings, by `schema`.
#
# Output seen:
#   1969-12-31 23:59:59.123456 is 1969-12-31T23:59:59.124Z, 9007199254740993 is 9007199254740992
#   2024-01-01 23:59:59.123999 is 2024-01-01T23:59:59.123Z, 1 is 1
#   9999-12-31 23:59:59.999999 is +010000-01-01T00:00:00.000Z, 2 is 2
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
install() { npm install --silent --no-audit --no-fund --ignore-scripts "$@"; }
install nodejs-polars@0.25.2
# Some mirrors lack packages of other platforms, and npm then omits that of this platform too.
node -e "require('nodejs-polars')" 2>/dev/null || install nodejs-polars-linux-x64-gnu@0.25.2

cat >run.cjs <<'SCRIPT'
const { readCSV } = require('nodejs-polars')

const rows = [
  ['1969-12-31 23:59:59.123456', '9007199254740993', '1969-12-31T23:59:59.124Z', 9_007_199_254_740_992],
  ['2024-01-01 23:59:59.123999', '1', '2024-01-01T23:59:59.123Z', 1],
  ['9999-12-31 23:59:59.999999', '2', '+010000-01-01T00:00:00.000Z', 2],
]
const csv = `Made,Count\n${rows.map(([made, count]) => `${made},${count}\n`).join('')}`
const frame = readCSV(csv, { tryParseDates: true })
// The frame itself has all digits.
let isAsStated = frame.writeCSV().toString() === csv.replaceAll(/(\d) (\d)/g, '$1T$2')
for (const [index, { Made, Count }] of frame.toRecords().entries()) {
  const [made, count, statedDate, statedCount] = rows[index]
  console.log(`${made} is ${Made.toISOString()}, ${count} is ${Count}`)
  isAsStated &&= Made.toISOString() === statedDate && Count === statedCount
}
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.cjs
