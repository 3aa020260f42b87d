#!/usr/bin/env bash
# @duckdb/node-api 1.5.6-r.1: read_csv decides from the first 20,480 lines whether a file has quotes. If none of these
# lines has one, it reads quotes of later lines as characters: the field "say ""hi""" of RFC 4180 is returned with all
# its quotes, without an error. A quoted heading (ID,"T"), in the first line of the same file, is enough to read it right.
# With a byte order mark and a single column, a quoted heading becomes a column whose name contains the quotes.
#
# Seen: plain headings: "say ""hi"""; quoted heading: say "hi"; one quoted heading after a byte order mark: column "T".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1
cat >run.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'

const connection = await (await DuckDBInstance.create()).connect()
async function lastOf(text) {
  writeFileSync('t.csv', text)
  const reader = await connection.runAndReadAll("from read_csv('t.csv', all_varchar = true)")
  return { columns: reader.columnNames(), last: reader.getRows().at(-1).at(-1) }
}
const rows = Array.from({ length: 21_000 }, (_, id) => `${id},abc\r\n`).join('')
const names = Array.from({ length: 9 }, () => 'abc\r\n').join('')
const seen = {
  plain: (await lastOf(`ID,T\r\n${rows}21000,"say ""hi"""\r\n`)).last,
  quoted: (await lastOf(`ID,"T"\r\n${rows}21000,"say ""hi"""\r\n`)).last,
  marked: (await lastOf(`\uFEFF"T"\r\n${names}`)).columns.join(),
}
console.log(seen)
const isSame = seen.plain === '"say ""hi"""' && seen.quoted === 'say "hi"' && seen.marked === '"T"'
process.exit(isSame ? 0 : 1)
JS
node run.mjs
