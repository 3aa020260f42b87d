#!/usr/bin/env bash
# msw 2.15.0, a version for Node.js 20: handlers for addresses of OData entities.
#
# The address of a handler is a pattern, also if it is a complete URL without a parameter. Parentheses are groups of that
# pattern: `http.get('https://host/Products(1)')` handles Products1, and not the request to the address that it states, and
# Products(:id) handles no entity. The request is passed on to the network with a warning that it has no handler. A backslash in
# front of each parenthesis makes the handler match, with parameters too; `$` and quotes need none. Version 3, for Node.js 22
# and newer, takes parentheses literally, with and without backslashes (seen with 3.0.5).
#
# Output seen:
#   Products(1)      handles Products1
#   Products(:id)    handles nothing
#   Products\(1\)    handles Products(1)
#   Products\(:id\)  handles Products(1), Products('A')
#   $metadata        handles $metadata
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts msw@2.15.0

cat >run.mjs <<'SCRIPT'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'

// No server listens at this port, so that requests without a handler fail.
const service = 'http://127.0.0.1:9/'
const addresses = ['Products(1)', "Products('A')", 'Products1', '$metadata']
const lines = []
for (const pattern of ['Products(1)', 'Products(:id)', String.raw`Products\(1\)`, String.raw`Products\(:id\)`, '$metadata']) {
  const server = setupServer(http.get(service + pattern, () => HttpResponse.json({})))
  server.listen({ onUnhandledRequest: 'bypass' })
  const handled = []
  for (const address of addresses) {
    const response = await fetch(service + address).catch(() => undefined)
    if (response?.ok) handled.push(address)
  }
  server.close()
  lines.push(`${pattern.padEnd(16)} handles ${handled.join(', ') || 'nothing'}`)
}
console.log(lines.join('\n'))
const expected = [
  'Products(1)      handles Products1',
  'Products(:id)    handles nothing',
  String.raw`Products\(1\)    handles Products(1)`,
  String.raw`Products\(:id\)  handles Products(1), Products('A')`,
  '$metadata        handles $metadata',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
