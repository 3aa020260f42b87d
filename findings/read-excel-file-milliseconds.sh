#!/usr/bin/env bash
# read-excel-file 9.3.17 with workbooks of exceljs 4.4.0: times of cells.
#
# A time is stored as a fraction of a day, and most are not exact in binary. The library multiplies it and does not round:
# `Date` cuts the product, so that a third of all minutes are read one millisecond early. 02:00 becomes 01:59:59.999, whose
# minute and hour are those before: a program that groups by hour, or displays minutes, shows other values than Excel.
# Round the dates to the second, or to the precision of your data.
#
# Output seen, for the 1,440 minutes of 2026-03-29:
#   02:00:00.000 read as 01:59:59.999
#   one millisecond early: 448 of 1440, of these full hours: 8
#   by exceljs: 0 of 1440 differ
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund read-excel-file@9.3.17 exceljs@4.4.0

cat >run.mjs <<'SCRIPT'
import exceljs from 'exceljs'
import * as reader from 'read-excel-file/node'

const start = Date.UTC(2026, 2, 29)
const minutes = Array.from({ length: 1440 }, (_, minute) => new Date(start + minute * 60_000))
const written = new exceljs.Workbook()
written.addWorksheet('Times').addRows(minutes.map((time) => [time]))
written.getWorksheet('Times').getColumn(1).numFmt = 'yyyy-mm-dd hh:mm:ss'
await written.xlsx.writeFile('times.xlsx')

const byExceljs = new exceljs.Workbook()
await byExceljs.xlsx.readFile('times.xlsx')
const sheets = await reader.default('times.xlsx')
const read = sheets[0].data.map(([time]) => time)

const early = minutes.filter((time, place) => read[place].getTime() === time.getTime() - 1)
const hours = early.filter((time) => time.getUTCMinutes() === 0)
const others = minutes.filter((time, place) => Math.abs(read[place] - time) > 1)
const different = minutes.filter(
  (time, place) => byExceljs.getWorksheet('Times').getCell(place + 1, 1).value.getTime() !== time.getTime(),
)
const clock = (time) => time.toISOString().slice(11, 23)
console.log(`${clock(hours[0])} read as ${clock(read[minutes.indexOf(hours[0])])}`)
console.log(`one millisecond early: ${early.length} of ${read.length}, of these full hours: ${hours.length}`)
console.log(`by exceljs: ${different.length} of ${read.length} differ`)
const isSame = early.length === 448 && hours.length === 8 && others.length === 0 && different.length === 0
process.exit(isSame ? 0 : 1)
SCRIPT
node run.mjs
