#!/usr/bin/env bash
# lokijs 1.5.12, a database in memory for browsers: strings in indexed properties.
#
# An index compares two strings as numbers if both can be read as numbers, and the values that it finds for `$in` are not compared
# again: a query for the article number '1000' also returns those of '01000', '1e3' and '0x3E8', which are equal as numbers. Without the
# index the result is right, and so is equality (`{ Code: '1000' }`), so that a small test does not show it. Orders and `$gt` compare
# strings in this way with and without an index. Do not index properties that contain digits in strings, such as Edm.String and
# Edm.Decimal in JSON of OData V2, or compare the results of `$in` again.
#
# Output seen, for a query by $in of '1000', by equality with '1000', and by $in of '9007199254740993':
#   indexed: 1000 1e3 01000 0x3E8 1000.0; 1000; 9007199254740993 9007199254740992
#   without: 1000; 1000; 9007199254740993
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts lokijs@1.5.12

cat >run.cjs <<'SCRIPT'
const Loki = require('lokijs')

const database = new Loki('shop')
const codes = ['1000', '1e3', '01000', '0x3E8', '1000.0', '9007199254740993', '9007199254740992', 'abc', '']
const rowsOf = (options) => {
  const products = database.addCollection(`products ${JSON.stringify(options)}`, options)
  products.insert(codes.map((Code) => ({ Code })))
  const find = (query) => {
    const found = products.find(query).map(({ Code }) => Code)
    return codes.filter((code) => found.includes(code)).join(' ')
  }
  return [{ Code: { $in: ['1000'] } }, { Code: '1000' }, { Code: { $in: ['9007199254740993'] } }].map(find).join('; ')
}
const lines = [`indexed: ${rowsOf({ indices: ['Code'] })}`, `without: ${rowsOf({})}`]
console.log(lines.join('\n'))
const expected = [
  'indexed: 1000 1e3 01000 0x3E8 1000.0; 1000; 9007199254740993 9007199254740992',
  'without: 1000; 1000; 9007199254740993',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.cjs
