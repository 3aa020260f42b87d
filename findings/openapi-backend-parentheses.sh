#!/usr/bin/env bash
# openapi-backend 5.21.2, which routes and validates requests by an OpenAPI document: keys in parentheses.
#
# It finds the operation of /Products({ID}), the form of keys in OData, but reads the parameters by a regular expression of
# the path in which parentheses are not escaped: they capture the value once more, and a value without parameter throws a
# TypeError. So does each request for an entity by its key. The same document with /Products/{ID} works.
#
# Output seen:
#   /Products/{ID}  for /Products/1:    read {"ID":"1"}
#   /Products({ID}) for /Products(1):   TypeError
#   /Products({ID}) for /Products('a'): TypeError
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-backend@5.21.2

cat >run.cjs <<'SCRIPT'
const { OpenAPIBackend } = require('openapi-backend')

async function routed(template, path) {
  const parameters = [{ name: 'ID', in: 'path', required: true, schema: { type: 'string' } }]
  const get = { operationId: 'read', parameters, responses: { 200: { description: 'OK' } } }
  const definition = { openapi: '3.0.3', info: { title: 'Service', version: '1' }, paths: { [template]: { get } } }
  const handlers = { read: ({ request }) => `read ${JSON.stringify(request.params)}`, notFound: () => 'not found' }
  const api = new OpenAPIBackend({ definition, handlers })
  await api.init()
  return api.handleRequest({ method: 'GET', path, headers: {} }).catch(({ name }) => name)
}

async function main() {
  const segment = await routed('/Products/{ID}', '/Products/1')
  const number = await routed('/Products({ID})', '/Products(1)')
  const string = await routed('/Products({ID})', "/Products('a')")
  console.log(`/Products/{ID}  for /Products/1:    ${segment}`)
  console.log(`/Products({ID}) for /Products(1):   ${number}`)
  console.log(`/Products({ID}) for /Products('a'): ${string}`)
  const isAsStated = segment === 'read {"ID":"1"}' && number === 'TypeError' && string === 'TypeError'
  process.exit(isAsStated ? 0 : 1)
}
void main()
SCRIPT
node run.cjs
