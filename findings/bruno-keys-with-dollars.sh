#!/usr/bin/env bash
# @usebruno/cli 4.1.0, the command line of Bruno: values of path parameters in parentheses that contain a dollar sign.
#
# Bruno supports parameters in keys, /Products(:ID), which its import of OpenAPI creates. It inserts them by
# String.replace, where $$, $& and $' in the value have a meaning of their own: the key 'a$$b' addresses the entity 'a$b',
# and from a key that ends in a dollar sign, such as the currency 'US$', the quote disappears. Parameters that are a whole
# segment are sent as entered. Write %24 for the dollar sign.
#
# Output seen, for the values 'a$$b', 'US$', 'A$&B' and 'US%24':
#   segment:     /Products/'a$$b' /Products/'US$' /Products/'A$&B' /Products/'US%24'
#   parentheses: /Products('a$b') /Products('US)) /Products('A:IDB') /Products('US%24')
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @usebruno/cli@4.1.0

cat >run.mjs <<'SCRIPT'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { promisify } from 'node:util'

const values = ["'a$$b'", "'US$'", "'A$&B'", "'US%24'"]
let urls = []
const server = createServer((request, response) => {
  urls.push(request.url)
  response.setHeader('Content-Type', 'application/json').end('{}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

/** Sends a request for each value in a collection of its own; returns the URLs that arrive. */
async function sentFor(name, path) {
  await mkdir(name)
  await writeFile(`${name}/bruno.json`, JSON.stringify({ version: '1', name, type: 'collection' }))
  for (const [index, value] of values.entries()) {
    const url = `http://127.0.0.1:${server.address().port}${path}`
    const meta = `meta {\n  name: r${index}\n  type: http\n  seq: ${index + 1}\n}\n`
    const get = `get {\n  url: ${url}\n  body: none\n  auth: none\n}\n`
    await writeFile(`${name}/r${index}.bru`, `${meta}\n${get}\nparams:path {\n  ID: ${value}\n}\n`)
  }
  urls = []
  await promisify(execFile)(process.execPath, ['../node_modules/@usebruno/cli/bin/bru.js', 'run'], { cwd: name })
  return urls.join(' ')
}

const segment = await sentFor('segment', '/Products/:ID')
const parentheses = await sentFor('parentheses', '/Products(:ID)')
console.log(`segment:     ${segment}`)
console.log(`parentheses: ${parentheses}`)
const isAsStated =
  segment === "/Products/'a$$b' /Products/'US$' /Products/'A$&B' /Products/'US%24'" &&
  parentheses === "/Products('a$b') /Products('US)) /Products('A:IDB') /Products('US%24')"
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
