#!/usr/bin/env bash
# CAP for Node.js, @sap/cds 9.9.3 with @sap-cloud-sdk/http-client 4.5.1: counting entities of a remote OData V2 service.
#
# A query for `count(*)` is sent without the column and without $count or $inlinecount. Its result is not the count but
# the entities of the first page, without an error: code that reads the alias gets undefined. The path `/$count` works.
# An entity that has a link which is not expanded contains an empty object instead of it, like an expanded entity
# without properties.
#
# Output seen:
#   SELECT count(*) as n: GET /Products -> [{"ID":1,"Category":{}},{"ID":2,"Category":{}}]
#   get /Products/$count: GET /Products/$count -> 3
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @sap/cds@9.9.3 @sap-cloud-sdk/http-client@4.5.1 \
  @sap-cloud-sdk/connectivity@4.5.1 @sap-cloud-sdk/resilience@4.5.1 @sap-cloud-sdk/util@4.5.1

cat >run.mjs <<'SCRIPT'
import { createServer } from 'node:http'
import cds from '@sap/cds'

let seen = []
const server = createServer((req, res) => {
  seen.push(`${req.method} ${req.url}`)
  const isCount = req.url.endsWith('$count')
  const entity = (ID) => ({ ID, Category: { __deferred: { uri: `http://host/Products(${ID})/Category` } } })
  const page = { d: { results: [entity(1), entity(2)], __next: 'http://host/Products?$skiptoken=2' } }
  res.writeHead(200, { 'content-type': isCount ? 'text/plain' : 'application/json' })
  res.end(isCount ? '3' : JSON.stringify(page))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}`
const shop = await cds.connect.to('shop', { kind: 'odata-v2', credentials: { url } })
const queries = {
  'SELECT count(*) as n': [
    () => shop.run(cds.ql.SELECT.from('Products').columns('count(*) as n')),
    'GET /Products -> [{"ID":1,"Category":{}},{"ID":2,"Category":{}}]',
  ],
  'get /Products/$count': [() => shop.get('/Products/$count'), 'GET /Products/$count -> 3'],
}
for (const [name, [run, expected]] of Object.entries(queries)) {
  seen = []
  const result = await run()
  const output = `${seen} -> ${JSON.stringify(result)}`
  console.log(`${name}: ${output}`)
  if (output !== expected) process.exitCode = 1
}
server.close()
process.exit()
SCRIPT
node run.mjs
