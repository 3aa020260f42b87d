#!/usr/bin/env bash
# SheetJS: xlsx 0.18.5, the newest version on npm under this name, and ssf 0.11.2: displayed times in the last second of a minute.
#
# A format without fractions rounds seconds. From 59.5 seconds on, they become 00, but the minute stays: 08:29:59.600
# is displayed as 08:29:00, one minute early, and 23:59:59.600 without seconds as 24:00. Sums and differences of times are often
# such values, because fractions of a day are not exact in binary: 08:30 minus a millisecond is 08:29:00. sheet_to_csv and
# sheet_to_json with raw: false contain these texts. 0.20.3, as @e965/xlsx, displays 08:30:00 of the next minute or day.
# A format with .000 is right in both versions if the value has whole milliseconds.
#
# Output seen, for 08:29:59.600, 08:30 minus a millisecond, 23:59:59.600 (with and without seconds), and 08:29:59.600 with .000:
#   0.18.5 08:29:00 08:29:00 23:59:00 24:00 08:29:59.600
#   0.20.3 08:30:00 08:30:00 00:00:00 00:00 08:29:59.600
#   CSV of 0.18.5 2026-01-15 08:29:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 ssf@0.11.2 @e965/xlsx@0.20.3

cat >run.cjs <<'SCRIPT'
const ssf = require('ssf')
const xlsx = require('xlsx')
const newer = require('@e965/xlsx')

const second = 1 / 86400
const at = 46037 + (29 * 60 + 59.6 + 8 * 3600) * second
const cells = [
  ['hh:mm:ss', at],
  ['hh:mm:ss', 46037 + (8.5 * 3600 - 0.001) * second],
  ['hh:mm:ss', 46037 + (86400 - 0.4) * second],
  ['hh:mm', 46037 + (86400 - 0.4) * second],
  ['hh:mm:ss.000', at],
]
const textOf = (format) => cells.map(([pattern, value]) => format(pattern, value)).join(' ')
const sheet = { A1: { t: 'n', v: at, z: 'yyyy-mm-dd hh:mm:ss' }, '!ref': 'A1' }
const file = xlsx.write({ SheetNames: ['S'], Sheets: { S: sheet } }, { type: 'buffer', bookType: 'xlsx' })
const csv = xlsx.utils.sheet_to_csv(xlsx.read(file, { cellNF: true }).Sheets.S).trim()
const lines = [`0.18.5 ${textOf(xlsx.SSF.format)}`, `0.20.3 ${textOf(newer.SSF.format)}`, `CSV of 0.18.5 ${csv}`]
console.log(lines.join('\n'))
const expected = [
  '0.18.5 08:29:00 08:29:00 23:59:00 24:00 08:29:59.600',
  '0.20.3 08:30:00 08:30:00 00:00:00 00:00 08:29:59.600',
  'CSV of 0.18.5 2026-01-15 08:29:00',
]
process.exit(String(lines) === String(expected) && textOf(ssf.format) === textOf(xlsx.SSF.format) ? 0 : 1)
SCRIPT
node run.cjs
