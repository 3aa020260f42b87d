#!/usr/bin/env bash
# excelize-wasm 0.1.3, Excelize for JavaScript, with workbooks of exceljs 4.4.0: fractions of seconds.
#
# The displayed text of a date is rounded to seconds before it is formatted. A format with milliseconds shows .000 for each
# value, and the half second before midnight is the next day, so that a day has entries of the day before. Excel displays
# the milliseconds. The option RawCellValue returns the serial number, which has them.
#
# Output seen, in the format yyyy-mm-dd hh:mm:ss.000:
#   2026-03-28T12:34:56.789Z shown as 2026-03-28 12:34:57.000, raw value 2026-03-28T12:34:56.789Z
#   2026-03-28T23:59:59.600Z shown as 2026-03-29 00:00:00.000, raw value 2026-03-28T23:59:59.600Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts excelize-wasm@0.1.3 exceljs@4.4.0

cat >run.cjs <<'SCRIPT'
const { readFileSync } = require('node:fs')
const { init } = require('excelize-wasm')
const { Workbook } = require('exceljs')

const times = ['2026-03-28T12:34:56.789Z', '2026-03-28T23:59:59.600Z']
/** Days between the first day of serial numbers and 1970. */
const daysTo1970 = 25_569

async function main() {
  const workbook = new Workbook()
  const sheet = workbook.addWorksheet('S')
  for (const time of times) sheet.addRow([new Date(time)]).getCell(1).numFmt = 'yyyy-mm-dd hh:mm:ss.000'
  await workbook.xlsx.writeFile('times.xlsx')
  const excelize = await init('node_modules/excelize-wasm/excelize.wasm.gz')
  const file = excelize.OpenReader(readFileSync('times.xlsx'))
  const shown = file.GetRows('S').result.flat()
  const raw = file.GetRows('S', { RawCellValue: true }).result.flat()
  const read = raw.map((serial) => new Date(Math.round((Number(serial) - daysTo1970) * 86_400_000)).toISOString())
  for (const [index, time] of times.entries()) console.log(`${time} shown as ${shown[index]}, raw value ${read[index]}`)
  const isAsStated = String(shown) === '2026-03-28 12:34:57.000,2026-03-29 00:00:00.000' && String(read) === String(times)
  process.exit(isAsStated ? 0 : 1)
}
void main()
SCRIPT
node run.cjs
