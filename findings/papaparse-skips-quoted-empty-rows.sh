#!/usr/bin/env bash
# papaparse 5.7.1: skipEmptyLines: true also skips rows of a file with one column whose value is a quoted empty string. The
# line is not empty, it contains the field "", and csv-parse 7.0.3 with skip_empty_lines returns it.
#
# Seen: of the rows a, "", b papaparse returns two, csv-parse three.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund papaparse@5.7.1 csv-parse@7.0.3
cat >run.mjs <<'JS'
import { parse } from 'csv-parse/sync'
import papaparse from 'papaparse'

const text = 'T\r\n"a"\r\n""\r\n"b"\r\n'
const seen = {
  papaparse: papaparse.parse(text, { header: true, skipEmptyLines: true }).data.length,
  csvParse: parse(text, { columns: true, skip_empty_lines: true }).length,
}
console.log(seen)
process.exit(seen.papaparse === 2 && seen.csvParse === 3 ? 0 : 1)
JS
node run.mjs
