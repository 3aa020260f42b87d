#!/usr/bin/env bash
# h3 1.15.11, the server library of Nitro 2 and Nuxt, whose route rules `proxy` use it: changes by MERGE through `proxyRequest`.
#
# The library knows which methods have a body: PATCH, POST, PUT and DELETE. A MERGE, the method of OData V2 for updates, is
# passed on with its Content-Type, If-Match and all other headers, but without the body. A service that accepts an empty change
# responds with 204: the client takes the entity for saved. PATCH, and POST with X-HTTP-Method: MERGE, have their body.
# h3 2.0.8 passes on the body of every method.
#
# Output seen:
#   h3 1  MERGE 204, body "", if-match W/"1"
#   h3 1  PATCH 204, body {"Price":"9.10"}, if-match W/"1"
#   h3 2  MERGE 204, body {"Price":"9.10"}, if-match W/"1"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts h3@1.15.11 h3-2@npm:h3@2.0.8

cat >run.mjs <<'SCRIPT'
import { createServer } from 'node:http'
import { createApp, eventHandler, proxyRequest, toNodeListener } from 'h3'
import * as h3of2 from 'h3-2'

let seen = ''
const service = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk)).on('end', () => {
    seen = `body ${body || '""'}, if-match ${request.headers['if-match']}`
    response.writeHead(204).end()
  })
})
const listen = async (server) => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}`
}
const origin = await listen(service)
const app = createApp().use(eventHandler((event) => proxyRequest(event, origin + event.path)))
const appOf2 = new h3of2.H3().use((event) => h3of2.proxyRequest(event, origin + event.url.pathname))
const proxies = {
  'h3 1': await listen(createServer(toNodeListener(app))),
  'h3 2': await listen(createServer(h3of2.toNodeHandler(appOf2))),
}
const send = async (name, method) => {
  const headers = { 'content-type': 'application/json', 'if-match': 'W/"1"' }
  const { status } = await fetch(`${proxies[name]}/Products(1)`, { method, headers, body: '{"Price":"9.10"}' })
  return `${name}  ${method} ${status}, ${seen}`
}
const lines = [await send('h3 1', 'MERGE'), await send('h3 1', 'PATCH'), await send('h3 2', 'MERGE')]
console.log(lines.join('\n'))
const expected = [
  'h3 1  MERGE 204, body "", if-match W/"1"',
  'h3 1  PATCH 204, body {"Price":"9.10"}, if-match W/"1"',
  'h3 2  MERGE 204, body {"Price":"9.10"}, if-match W/"1"',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
