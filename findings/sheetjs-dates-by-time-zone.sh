#!/usr/bin/env bash
# SheetJS: xlsx 0.18.5, the newest version on npm under this name: dates with `cellDates: true` in time zones whose past had seconds.
#
# A date in a workbook is a number of days without a time zone. The library adds it to a local time of 1899, when many zones had an offset
# with seconds, of which JavaScript reports only the minutes: every date is some seconds too early or too late, in each year, in the time
# zone of the process. In Europe/Paris, Europe/Moscow and Asia/Shanghai each date without time is the day before, so that a file
# which was exported and is imported again has other days. UTC, Europe/Berlin and America/New_York, where tests usually run, are right.
# 0.20.3, as @e965/xlsx, is right in all of them. Without `cellDates`, the serial number is exact.
#
# Output seen, for the cell 2026-01-15 in 0.18.5 and 0.20.3:
#   UTC 2026-01-15 00:00:00, 2026-01-15 00:00:00
#   Europe/Berlin 2026-01-15 00:00:00, 2026-01-15 00:00:00
#   Europe/Paris 2026-01-14 23:59:39, 2026-01-15 00:00:00
#   Europe/Madrid 2026-01-15 00:00:44, 2026-01-15 00:00:00
#   Asia/Shanghai 2026-01-14 23:59:17, 2026-01-15 00:00:00
#   America/Sao_Paulo 2026-01-15 00:00:28, 2026-01-15 00:00:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 @e965/xlsx@0.20.3

cat >run.cjs <<'SCRIPT'
const xlsx = require('xlsx')
const newer = require('@e965/xlsx')

const sheet = { A1: { t: 's', v: 'Date' }, A2: { t: 'n', v: 46037, z: 'yyyy-mm-dd' }, '!ref': 'A1:A2' }
const file = xlsx.write({ SheetNames: ['S'], Sheets: { S: sheet } }, { type: 'buffer', bookType: 'xlsx' })
const padded = (number) => String(number).padStart(2, '0')
const read = ({ read, utils }) => {
  const [{ Date: date }] = utils.sheet_to_json(read(file, { cellDates: true }).Sheets.S)
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(padded).join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(padded).join(':')}`
}
console.log(`${process.env.TZ} ${read(xlsx)}, ${read(newer)}`)
SCRIPT
output=$(for zone in UTC Europe/Berlin Europe/Paris Europe/Madrid Asia/Shanghai America/Sao_Paulo; do TZ=$zone node run.cjs; done)
echo "$output"
[ "$output" = 'UTC 2026-01-15 00:00:00, 2026-01-15 00:00:00
Europe/Berlin 2026-01-15 00:00:00, 2026-01-15 00:00:00
Europe/Paris 2026-01-14 23:59:39, 2026-01-15 00:00:00
Europe/Madrid 2026-01-15 00:00:44, 2026-01-15 00:00:00
Asia/Shanghai 2026-01-14 23:59:17, 2026-01-15 00:00:00
America/Sao_Paulo 2026-01-15 00:00:28, 2026-01-15 00:00:00' ]
