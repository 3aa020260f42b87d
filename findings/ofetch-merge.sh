#!/usr/bin/env bash
# ofetch 1.5.1, the client of `$fetch` and `useFetch` of Nuxt: changes by MERGE, the method of OData V2 for updates.
#
# The library knows which methods have a body: PATCH, POST, PUT and DELETE. With any other one, an object becomes the text
# [object Object] with the media type text/plain instead of JSON, and a failed request is repeated once, as if it were a read:
# after 409 or 503, and also after a connection that was lost when the change was already made. PATCH is sent once, as JSON.
# `retry: 0`, and a body of JSON.stringify with its own Content-Type, make MERGE work. An Atom feed, and the response to a
# batch, is returned as a Blob.
#
# Output seen:
#   MERGE  sent 2 times: text/plain;charset=UTF-8 [object Object]
#   PATCH  sent 1 times: application/json {"Price":1}
#   MERGE, retry 0  sent 1 times: application/json {"Price":1}
#   feed: Blob
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ofetch@1.5.1

cat >run.mjs <<'SCRIPT'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ofetch } from 'ofetch'

const received = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.method === 'GET') return response.setHeader('Content-Type', 'application/atom+xml').end('<feed/>')
  received.push(`${request.headers['content-type']} ${body}`)
  // The connection is lost after the change was made.
  response.destroy()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}/Products(1)`

const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ Price: 1 }) }
const calls = {
  MERGE: { method: 'MERGE', body: { Price: 1 } },
  PATCH: { method: 'PATCH', body: { Price: 1 } },
  'MERGE, retry 0': { method: 'MERGE', retry: 0, ...json },
}
const lines = []
for (const [name, options] of Object.entries(calls)) {
  received.length = 0
  await ofetch(url, options).catch(() => undefined)
  lines.push(`${name}  sent ${received.length} times: ${received.at(-1)}`)
}
lines.push(`feed: ${(await ofetch(url)).constructor.name}`)
console.log(lines.join('\n'))
const expected = [
  'MERGE  sent 2 times: text/plain;charset=UTF-8 [object Object]',
  'PATCH  sent 1 times: application/json {"Price":1}',
  'MERGE, retry 0  sent 1 times: application/json {"Price":1}',
  'feed: Blob',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
