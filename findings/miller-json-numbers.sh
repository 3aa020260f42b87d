#!/usr/bin/env bash
# Miller 6.6.0 (Debian package miller 6.6.0-2+b3): converting CSV to JSON.
#
# `mlr --icsv --ojson cat` keeps the spelling of everything that it takes for a number, also of strings that are no numbers in
# JSON: 0xff, 0b101, .5 and 7. are written without quotes, so that JSON parsers refuse the whole file. Article numbers such as
# 0xA1 are enough. 007 and 1_000 are quoted. The option --jvquoteall quotes all values.
#
# Output seen:
#   {"Code": 0xff} {"Code": 0b101} {"Code": .5} {"Code": 7.} {"Code": "007"} {"Code": "1_000"}
#   parsed: SyntaxError, with --jvquoteall: 6 rows
set -euo pipefail
if ! command -v mlr >/dev/null; then
  apt-get update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends miller=6.6.0-2+b3 >/dev/null
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
printf 'Code\n0xff\n0b101\n.5\n7.\n007\n1_000\n' >codes.csv
lines=$(mlr --icsv --ojsonl cat codes.csv | paste -sd' ')
mlr --icsv --ojson cat codes.csv >plain.json
mlr --icsv --ojson --jvquoteall cat codes.csv >quoted.json
rows() {
  node -e 'try { console.log(`${JSON.parse(require("fs").readFileSync(process.argv[1])).length} rows`) }
           catch ({ name }) { console.log(name) }' "$1"
}
parsed="parsed: $(rows plain.json), with --jvquoteall: $(rows quoted.json)"
echo "$lines"
echo "$parsed"
[ "$lines" = '{"Code": 0xff} {"Code": 0b101} {"Code": .5} {"Code": 7.} {"Code": "007"} {"Code": "1_000"}' ]
[ "$parsed" = 'parsed: SyntaxError, with --jvquoteall: 6 rows' ]
