#!/usr/bin/env bash
# @readme/oas-to-snippet 29.3.8 (@readme/httpsnippet 11.1.0) and @scalar/snippetz 0.10.2, with PHP 8.2 (Debian packages php-cli and
# php-curl): options of a query in the PHP examples of API pages.
#
# ReadMe and Scalar show each request of an OpenAPI document as code. If the client is `php` with `curl`, the address is between double
# quotes, where PHP replaces $filter and $top by variables that do not exist: the request has values without names. Services that
# ignore unknown options respond with 200 and all entities, and PHP only writes a warning. Single quotes repair the example. In those for
# the shell, and for PHP with Guzzle, the names are complete.
#
# Output seen, the address that the service received:
#   ReadMe, curl of the shell: /Products?$filter=Price%20gt%2010&$top=5
#   ReadMe, curl of PHP: /Products?=Price%20gt%2010&=5
#   Scalar, curl of PHP: /Products?=5&=Category
set -euo pipefail
if ! php -m 2>/dev/null | grep -q '^curl$'; then
  apt-get update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends php-cli php-curl >/dev/null
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  oas@38.6.0 @readme/oas-to-snippet@29.3.8 @readme/httpsnippet@11.1.0 @scalar/snippetz@0.10.2

cat >run.mjs <<'SCRIPT'
import oasToSnippet from '@readme/oas-to-snippet'
import { snippetz } from '@scalar/snippetz'
import Oas from 'oas'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'

let received = ''
const server = createServer(({ url }, response) => {
  received = url
  response.end('{}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const parameter = (name) => ({ name, in: 'query', schema: { type: 'string' } })
const get = { parameters: [parameter('$filter'), parameter('$top')], responses: { 200: { description: 'OK' } } }
const url = `http://127.0.0.1:${server.address().port}`
const paths = { '/Products': { get } }
const oas = new Oas({ openapi: '3.0.3', info: { title: 'Shop', version: '1' }, servers: [{ url }], paths })
const run = async (code, program) => {
  writeFileSync('snippet', code)
  await promisify(execFile)(program, ['snippet'])
  return received
}
const readme = async (language, program) => {
  const query = { $filter: 'Price gt 10', $top: '5' }
  const { code } = await oasToSnippet(oas, oas.operation('/Products', 'get'), { query }, {}, language)
  return run(code, program)
}
const queryString = [{ name: '$top', value: '5' }, { name: '$expand', value: 'Category' }]
const scalar = snippetz().print('php', 'curl', { method: 'GET', url: `${url}/Products`, queryString })
const lines = [
  `ReadMe, curl of the shell: ${await readme(['shell', 'curl'], 'bash')}`,
  `ReadMe, curl of PHP: ${await readme(['php', 'curl'], 'php')}`,
  `Scalar, curl of PHP: ${await run(`<?php\n${scalar}`, 'php')}`,
]
server.close()
console.log(lines.join('\n'))
const expected = [
  'ReadMe, curl of the shell: /Products?$filter=Price%20gt%2010&$top=5',
  'ReadMe, curl of PHP: /Products?=Price%20gt%2010&=5',
  'Scalar, curl of PHP: /Products?=5&=Category',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
