#!/usr/bin/env bash
# DuckDB compares decimals of different types in a common type with at most 38 digits and the greater scale. If the
# digits before the point do not fit beside that scale, a comparison of two valid columns fails while it reads rows:
# whether a query works depends on its data. PostgreSQL compares all decimals. Sums of UHUGEINT are no error but a DOUBLE,
# without notice.
# Seen with @duckdb/node-api 1.5.6-r.1:
#   decimal(38,10) > decimal(38,30) of small values: true
#   decimal(38,10) > decimal(38,30) of a large value: Conversion Error, out of range
#   sum of uhugeint: DOUBLE 3.402823669209385e+38
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1 > /dev/null
node -e "
const { DuckDBInstance } = require('@duckdb/node-api')
const run = async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const one = async (text) => {
    const reader = await connection.runAndReadAll(text)
    return [String(reader.columnTypes()[0]), reader.getRowsJS()[0][0]]
  }
  const compare = (value) => one('select a > b from (select ' + value + '::decimal(38,10) as a, 0.01::decimal(38,30) as b)')
  const [, small] = await compare('1.5')
  const large = await compare('1234567890123456789012345678.5').then(String, ({ message }) => message.split('\n')[0])
  const [type, sum] = await one('select sum(x) from (values (340282366920938463463374607431768211455::uhugeint)) t(x)')
  console.log('decimal(38,10) > decimal(38,30) of small values: ' + small)
  console.log('of a large value: ' + large)
  console.log('sum of uhugeint: ' + type + ' ' + String(sum))
  process.exit(small === true && /^Conversion Error.*out of range/.test(large) && type === 'DOUBLE' ? 0 : 1)
}
run()
"
