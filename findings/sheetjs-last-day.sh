#!/usr/bin/env bash
# xlsx (SheetJS) 0.18.5: the displayed text of a date cell is empty for every time of 9999-12-31 after midnight, the usual
# end of validity in business data. The serial number is read, midnight itself is displayed, and Excel displays both.
#
# Seen: 2958465 is '9999-12-31 00:00:00', 2958465.5 is '', although the last moment that Excel displays is 2958465.99999.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5
cat >run.cjs <<'JS'
const xlsx = require('xlsx')
const z = 'yyyy-mm-dd hh:mm:ss'
const sheet = { A1: { t: 'n', v: 2958465, z }, A2: { t: 'n', v: 2958465.5, z }, '!ref': 'A1:A2' }
const file = xlsx.write({ SheetNames: ['S'], Sheets: { S: sheet } }, { type: 'buffer', bookType: 'xlsx' })
const read = xlsx.read(file, { cellNF: true }).Sheets.S
const text = xlsx.utils.sheet_to_json(read, { header: 1, raw: false, defval: '', blankrows: true })
const values = [read.A1.v, read.A2.v]
console.log({ values, text: text.flat() })
const [midnight, noon] = text.flat()
process.exit(values[1] === 2958465.5 && midnight === '9999-12-31 00:00:00' && (noon ?? '') === '' ? 0 : 1)
JS
node run.cjs
