#!/usr/bin/env bash
# SheetJS: xlsx 0.18.5, and 0.20.3 as @e965/xlsx: displayed text of decimals below 0.000001.
#
# A number format with seven or more decimals, such as that of an amount with a scale of ten, is applied to the text of the
# number, which has an exponent below 0.000001: zeros are appended after the exponent, or the exponent itself is shown.
# sheet_to_csv, sheet_to_html, and sheet_to_json with raw: false, write these texts. exceljs has the same number. Excel shows
# 0.0000001000. Read the numbers (raw: true, or rawNumbers: true for CSV).
#
# Output seen, in the format 0.0000000000:
#   xlsx          0.0000123 as 0.0000123000, 1e-7 as 1e-7.0000000000, 1.5e-7 as 1.5e-7
#   @e965/xlsx    0.0000123 as 0.0000123000, 1e-7 as 1e-7.0000000000, 1.5e-7 as 1.5e-7
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 @e965/xlsx@0.20.3 exceljs@4.4.0

cat >run.cjs <<'SCRIPT'
const { Workbook } = require('exceljs')

const values = [0.0000123, 1e-7, 1.5e-7]
const stated = '0.0000123 as 0.0000123000, 1e-7 as 1e-7.0000000000, 1.5e-7 as 1.5e-7'

async function main() {
  const workbook = new Workbook()
  const row = workbook.addWorksheet('S').addRow(values)
  row.eachCell((cell) => (cell.numFmt = '0.0000000000'))
  const file = await workbook.xlsx.writeBuffer()
  let isAsStated = true
  for (const name of ['xlsx', '@e965/xlsx']) {
    const { read, utils } = require(name)
    const sheet = read(file).Sheets.S
    const texts = utils.sheet_to_csv(sheet).trim().split(',')
    const shown = values.map((value, index) => `${value} as ${texts[index]}`).join(', ')
    console.log(name.padEnd(13), shown)
    const [raw] = utils.sheet_to_json(sheet, { header: 1, raw: true })
    isAsStated &&= shown === stated && String(raw) === String(values)
  }
  process.exit(isAsStated ? 0 : 1)
}
void main()
SCRIPT
node run.cjs
