#!/usr/bin/env bash
# convert-excel-to-json 1.7.0 with workbooks of exceljs 4.4.0: Booleans.
#
# Numbers and dates are returned with their types, but Booleans as the text that Excel displays, 'TRUE' and 'FALSE'. Both are
# truthy in JavaScript, so that a condition holds for each row. Compare with the text. exceljs returns true and false.
#
# Output seen, for 1, true and false:
#   convert-excel-to-json 1 'TRUE' 'FALSE', exceljs 1 true false
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts convert-excel-to-json@1.7.0 exceljs@4.4.0

cat >run.cjs <<'SCRIPT'
const { inspect } = require('node:util')
const convert = require('convert-excel-to-json')
const { Workbook } = require('exceljs')

async function main() {
  const workbook = new Workbook()
  workbook.addWorksheet('S').addRow([1, true, false])
  await workbook.xlsx.writeFile('booleans.xlsx')
  const [{ A, B, C }] = convert({ sourceFile: 'booleans.xlsx' }).S
  const copy = new Workbook()
  await copy.xlsx.readFile('booleans.xlsx')
  const rows = {
    'convert-excel-to-json': [A, B, C],
    exceljs: copy.getWorksheet('S').getRow(1).values.slice(1),
  }
  const shown = Object.entries(rows).map(([name, row]) => `${name} ${row.map((value) => inspect(value)).join(' ')}`)
  console.log(shown.join(', '))
  const stated = "convert-excel-to-json 1 'TRUE' 'FALSE', exceljs 1 true false"
  process.exit(shown.join(', ') === stated ? 0 : 1)
}
void main()
SCRIPT
node run.cjs
