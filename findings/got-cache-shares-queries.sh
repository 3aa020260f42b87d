#!/usr/bin/env bash
# got 14.6.6 with the option `cache` (cacheable-request 13.0.19, normalize-url 8.1.1): addresses that share one entry of the cache.
#
# The address is normalized before it becomes the key of the cache, and the normalized form is not equivalent: an encoded plus sign in
# the query becomes a space. A filter for 'a+b' and one for 'a b' are therefore the same request: the second is not sent, and gets the
# rows of the first one. Slashes in keys are merged, so that 'a//b' and 'a/b' are one entity, and parameters of a function whose names
# begin with utm_ are removed. All these requests differ without the cache, and in make-fetch-happen 15.0.6 and
# axios-cache-interceptor 1.12.3. Leave the cache out, or cache by the address as it is sent.
#
# Output seen, each request with the address whose response it got:
#   /P?$filter=N%20eq%20%27a%2Bb%27 <- itself
#   /P?$filter=N%20eq%20%27a%20b%27 <- /P?$filter=N%20eq%20%27a%2Bb%27
#   /P('a//b') <- itself
#   /P('a/b') <- /P('a//b')
#   /F?utm_zone=1&id=1 <- itself
#   /F?utm_zone=2&id=1 <- /F?utm_zone=1&id=1
#   without cache: 6 of 6 <- itself
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts got@14.6.6 cacheable-request@13.0.19 normalize-url@8.1.1

cat >run.mjs <<'SCRIPT'
import got from 'got'
import { createServer } from 'node:http'

const server = createServer(({ url }, response) => {
  response.writeHead(200, { 'Cache-Control': 'max-age=60' }).end(url)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const root = `http://127.0.0.1:${server.address().port}`
const addresses = [
  '/P?$filter=N%20eq%20%27a%2Bb%27',
  '/P?$filter=N%20eq%20%27a%20b%27',
  "/P('a//b')",
  "/P('a/b')",
  '/F?utm_zone=1&id=1',
  '/F?utm_zone=2&id=1',
]
const sourceOf = async (address, options) => {
  const { body } = await got(root + address, options)
  return body === address ? 'itself' : body
}
const cache = new Map()
const lines = []
for (const address of addresses) lines.push(`${address} <- ${await sourceOf(address, { cache })}`)
let right = 0
for (const address of addresses) if ((await sourceOf(address, {})) === 'itself') right += 1
lines.push(`without cache: ${right} of 6 <- itself`)
server.close()
console.log(lines.join('\n'))
const expected = [
  '/P?$filter=N%20eq%20%27a%2Bb%27 <- itself',
  '/P?$filter=N%20eq%20%27a%20b%27 <- /P?$filter=N%20eq%20%27a%2Bb%27',
  "/P('a//b') <- itself",
  "/P('a/b') <- /P('a//b')",
  '/F?utm_zone=1&id=1 <- itself',
  '/F?utm_zone=2&id=1 <- /F?utm_zone=1&id=1',
  'without cache: 6 of 6 <- itself',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
