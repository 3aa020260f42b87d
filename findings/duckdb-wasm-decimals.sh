#!/usr/bin/env bash
# @duckdb/duckdb-wasm 1.32.0, DuckDB for browsers, with apache-arrow 17.0.0, which it installs: decimals and intervals of results.
#
# A decimal is an object of Arrow whose text and number have all digits but no decimal point: 10.50 of a decimal column, or of
# a cast, is 1050, also in expressions such as `price * 2`. toJSON of a row returns it in two pairs of quotes. The literal 1.5 in a
# statement is a decimal too. An interval of a month, a day and an hour is the numbers 0 and 1. The scale is in the schema.
# `open({ query: { castDecimalToDouble: true } })` returns numbers with a point.
#
# Output seen:
#   10.50::decimal(10,2)   text 1050, times two 2100, toJSON "\"1050\""
#   1.5                    text 15, times two 30, toJSON "\"15\""
#   interval 1 month 1 day 1 hour [ 0, 1 ]
#   with the option        10.5
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @duckdb/duckdb-wasm@1.32.0 apache-arrow@17.0.0

cat >run.cjs <<'SCRIPT'
const { dirname, join } = require('node:path')
const { inspect } = require('node:util')
const main = require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs')
const duckdb = require(main)

const fileOf = (name) => ({ mainModule: join(dirname(main), `duckdb-${name}.wasm`) })
async function connect(config) {
  const bundles = { mvp: fileOf('mvp'), eh: fileOf('eh') }
  const database = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME)
  await database.instantiate(() => undefined)
  database.open(config)
  return database.connect()
}
async function run() {
  const read = (connection, expression) => connection.query(`select ${expression} as value`).toArray()[0]
  const connection = await connect({})
  const lines = ['10.50::decimal(10,2)', '1.5'].map((expression) => {
    const row = read(connection, expression)
    const json = JSON.stringify(row.toJSON().value)
    return `${expression.padEnd(22)} text ${String(row.value)}, times two ${row.value * 2}, toJSON ${json}`
  })
  const { value } = read(connection, "interval '1 month 1 day 1 hour'")
  lines.push(`interval 1 month 1 day 1 hour ${inspect([...value])}`)
  const converting = await connect({ query: { castDecimalToDouble: true } })
  lines.push(`with the option        ${read(converting, '10.50::decimal(10,2)').value}`)
  console.log(lines.join('\n'))
  const expected = [
    '10.50::decimal(10,2)   text 1050, times two 2100, toJSON "\\"1050\\""',
    '1.5                    text 15, times two 30, toJSON "\\"15\\""',
    'interval 1 month 1 day 1 hour [ 0, 1 ]',
    'with the option        10.5',
  ]
  process.exit(String(lines) === String(expected) ? 0 : 1)
}
void run()
SCRIPT
node run.cjs
