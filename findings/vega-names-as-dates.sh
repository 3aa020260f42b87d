#!/usr/bin/env bash
# vega-loader 5.1.3, which reads CSV for Vega: names that end in a number.
#
# With parse: 'auto', a column becomes dates if Date.parse of V8 accepts all its values. V8 ignores unknown words in front of
# a number, so that "Bolt 8" is August 2001. The names become timestamps without an error. One name that is no date, such as
# "Bolt 13", leaves the column unchanged. Quotes around the fields make no difference. Name the types of the columns.
#
# Output seen:
#   auto  [{"ID":1,"Name":"2001-08-01"},{"ID":2,"Name":"2001-12-01"}]
#   typed [{"ID":1,"Name":"Bolt 8"},{"ID":2,"Name":"Bolt 12"}]
#   13    [{"ID":1,"Name":"Bolt 8"},{"ID":2,"Name":"Bolt 13"}]
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vega-loader@5.1.3

cat >run.mjs <<'SCRIPT'
import { read } from 'vega-loader'

/** Reads a CSV file with two names; shows a timestamp as its day. */
function rowsWith(last, parse) {
  const rows = read(`ID,"Name"\r\n1,"Bolt 8"\r\n2,"${last}"\r\n`, { type: 'csv', parse })
  const shown = rows.map(({ ID, Name }) => ({ ID, Name: isNaN(Name) ? Name : new Date(Name).toISOString().slice(0, 10) }))
  return JSON.stringify(shown)
}

const auto = rowsWith('Bolt 12', 'auto')
const typed = rowsWith('Bolt 12', { ID: 'number', Name: 'string' })
const thirteen = rowsWith('Bolt 13', 'auto')
console.log(`auto  ${auto}\ntyped ${typed}\n13    ${thirteen}`)
const isAsStated =
  auto === '[{"ID":1,"Name":"2001-08-01"},{"ID":2,"Name":"2001-12-01"}]' &&
  typed === '[{"ID":1,"Name":"Bolt 8"},{"ID":2,"Name":"Bolt 12"}]' &&
  thirteen === '[{"ID":1,"Name":"Bolt 8"},{"ID":2,"Name":"Bolt 13"}]'
process.exit(isAsStated ? 0 : 1)
SCRIPT
TZ=UTC node run.mjs
