#!/usr/bin/env bash
# node-fetch-cache 5.1.0: changes by MERGE, PUT, POST and DELETE.
#
# The library caches responses to every method, by the method, address, headers and body, for the life of the process, also with
# `Cache-Control: no-store`. The second of two equal changes is not sent, and gets the status 204 of the first one: an entity that was
# deleted, created again, and deleted again, still exists. Reads after a change return the entity from before it. The README states that
# all responses are cached, but not that this includes changes; `shouldCacheResponse` sees the response only. Call node-fetch itself
# for changes.
#
# Output seen:
#   DELETE 204, POST 201, DELETE 204, received: DELETE POST
#   MERGE 1 204, MERGE 2 204, MERGE 1 204, received: MERGE 1, MERGE 2; stored 2
#   GET stored 2, MERGE 3 204, GET stored 2, of the service 3
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-fetch-cache@5.1.0

cat >run.mjs <<'SCRIPT'
import { createServer } from 'node:http'
import fetchCached from 'node-fetch-cache'

let stored = '0'
let received = []
const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk)).on('end', () => {
    const { method } = request
    if (method === 'MERGE') stored = body
    received.push(method === 'MERGE' ? `MERGE ${body}` : method)
    const status = { GET: 200, POST: 201 }[method] ?? 204
    response.writeHead(status, { 'Cache-Control': 'no-store' }).end(method === 'GET' ? `stored ${stored}` : undefined)
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const root = `http://127.0.0.1:${server.address().port}`
const send = async (method, path, body) => {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetchCached(root + path, body === undefined ? { method } : { method, headers, body })
  const text = await response.text()
  if (method === 'GET') return `GET ${text}`
  return `${method}${method === 'MERGE' ? ` ${body}` : ''} ${response.status}`
}
const sendAll = async (requests) => {
  received = []
  const results = []
  for (const one of requests) results.push(await send(...one))
  return results.join(', ')
}
const product = '/Products(1)'
const lines = []
const deleted = await sendAll([['DELETE', product], ['POST', '/Products', '{"ID":1}'], ['DELETE', product]])
lines.push(`${deleted}, received: ${received.join(' ')}`)
const merged = await sendAll(['1', '2', '1'].map((body) => ['MERGE', product, body]))
lines.push(`${merged}, received: ${received.join(', ')}; stored ${stored}`)
const read = await sendAll([['GET', product], ['MERGE', product, '3'], ['GET', product]])
lines.push(`${read}, of the service ${stored}`)
server.close()
console.log(lines.join('\n'))
const expected = [
  'DELETE 204, POST 201, DELETE 204, received: DELETE POST',
  'MERGE 1 204, MERGE 2 204, MERGE 1 204, received: MERGE 1, MERGE 2; stored 2',
  'GET stored 2, MERGE 3 204, GET stored 2, of the service 3',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
