#!/usr/bin/env bash
# @odata/client 2.21.10, a client of OData V2 and V4: values in filters of V2.
#
# Strings are not percent-encoded. A plus sign in a query is a space, so that a filter for
# 'C++' finds 'C  ', and for 'a%2Fb' it finds 'a/b', without an error. An ampersand ends the filter. Values of Edm.DateTime lose their
# milliseconds: the filter for a value that was read finds other entities, and one for changes after the last known one finds that one
# again. Values of Edm.DateTimeOffset have them. Pass encodeURIComponent(value), and write
# conditions of Edm.DateTime with RawString.
#
# Output seen, the filter that the service reads:
#   Name eq 'C++': Name eq 'C  '
#   Name eq 'a%2Fb': Name eq 'a/b'
#   Name eq 'B&B': Name eq 'B
#   Changed after 1970-01-01T00:00:00.123: Changed gt datetime'1970-01-01T00:00:00'
#   Name eq encoded 'C++': Name eq 'C++'
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @odata/client@2.21.10

cat >run.mjs <<'SCRIPT'
import client from '@odata/client'
import { createServer } from 'node:http'

let filter = ''
const server = createServer(({ url }, response) => {
  filter = new URL(url, 'http://127.0.0.1').searchParams.get('$filter')
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"d":{"results":[]}}')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const service = client.OData.New({ serviceEndpoint: `http://127.0.0.1:${server.address().port}/` })
const products = service.getEntitySet('Products')
const query = async (condition) => {
  await products.query(service.newParam().filter(condition))
  return filter
}
const named = (name) => query(service.newFilter().property('Name').eq(name))
const lines = []
for (const name of ['C++', 'a%2Fb', 'B&B']) lines.push(`Name eq '${name}': ${await named(name)}`)
const changed = await query(service.newFilter().gtDateTime('Changed', new Date(123)))
lines.push(`Changed after 1970-01-01T00:00:00.123: ${changed}`)
lines.push(`Name eq encoded 'C++': ${await named(encodeURIComponent('C++'))}`)
server.close()
console.log(lines.join('\n'))
const expected = [
  "Name eq 'C++': Name eq 'C  '",
  "Name eq 'a%2Fb': Name eq 'a/b'",
  "Name eq 'B&B': Name eq 'B",
  "Changed after 1970-01-01T00:00:00.123: Changed gt datetime'1970-01-01T00:00:00'",
  "Name eq encoded 'C++': Name eq 'C++'",
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
