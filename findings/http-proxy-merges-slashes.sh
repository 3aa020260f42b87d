#!/usr/bin/env bash
# http-proxy 1.18.1, also in http-proxy-middleware 3.0.11: slashes in keys.
#
# The path of the target is joined with that of the request, and repeated slashes of the result are merged, also within a key. A key such
# as 'a//b', or one that is an address, is passed on as another key, with the method of the client: the request deletes or changes the
# entity 'a/b', if there is one. Keys with %2F and the query are unchanged. http-proxy-3 1.23.3 and httpxy 0.5.6, which replace
# the package in newer tools, pass on the path as it is. Encode slashes in keys.
#
# Output seen, the request that arrived at the service:
#   http-proxy: DELETE /Pages('a/b'), GET /Pages('http://host/p/q'), GET /Pages('a%2F%2Fb')
#   http-proxy-middleware: DELETE /Pages('a/b'), GET /Pages('http://host/p/q'), GET /Pages('a%2F%2Fb')
#   http-proxy-3: DELETE /Pages('a//b'), GET /Pages('http://host//p/q'), GET /Pages('a%2F%2Fb')
#   httpxy: DELETE /Pages('a//b'), GET /Pages('http://host//p/q'), GET /Pages('a%2F%2Fb')
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  http-proxy@1.18.1 http-proxy-middleware@3.0.11 http-proxy-3@1.23.3 httpxy@0.5.6

cat >run.mjs <<'SCRIPT'
import httpProxy from 'http-proxy'
import { createProxyServer as createProxy3 } from 'http-proxy-3'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { createProxyServer as createHttpxy } from 'httpxy'
import { once } from 'node:events'
import { createServer, request } from 'node:http'

const listen = async (listener) => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}
const service = await listen(({ method, url }, response) => response.end(`${method} ${url}`))
const target = `http://127.0.0.1:${service}`
const webOf = (proxy) => (incoming, outgoing) => proxy.web(incoming, outgoing)
const proxies = {
  'http-proxy': webOf(httpProxy.createProxyServer({ target })),
  'http-proxy-middleware': createProxyMiddleware({ target }),
  'http-proxy-3': webOf(createProxy3({ target })),
  httpxy: webOf(createHttpxy({ target })),
}
// fetch normalizes addresses; this request is sent as it is.
const send = async (port, method, path) => {
  const [response] = await once(request({ host: '127.0.0.1', port, method, path, agent: false }).end(), 'response')
  return (await response.setEncoding('utf8').toArray()).join('')
}
const lines = []
for (const [name, listener] of Object.entries(proxies)) {
  const port = await listen(listener)
  const requests = [['DELETE', "/Pages('a//b')"], ['GET', "/Pages('http://host//p/q')"], ['GET', "/Pages('a%2F%2Fb')"]]
  const arrived = []
  for (const [method, path] of requests) arrived.push(await send(port, method, path))
  lines.push(`${name}: ${arrived.join(', ')}`)
}
console.log(lines.join('\n'))
const merged = "DELETE /Pages('a/b'), GET /Pages('http://host/p/q'), GET /Pages('a%2F%2Fb')"
const unchanged = "DELETE /Pages('a//b'), GET /Pages('http://host//p/q'), GET /Pages('a%2F%2Fb')"
const expected = [
  `http-proxy: ${merged}`,
  `http-proxy-middleware: ${merged}`,
  `http-proxy-3: ${unchanged}`,
  `httpxy: ${unchanged}`,
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
