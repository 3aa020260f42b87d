#!/usr/bin/env bash
# openapi-to-postmanv2 6.3.3, which converts OpenAPI documents to collections of Postman: keys in parentheses.
#
# A path parameter that is a whole segment, /Products/{ID}, becomes a variable of its request. One within a segment, which is
# the form of OData, /Products({ID}), becomes a variable of the whole collection, by its name only: all entity sets with a
# key of this name share one value, although their types differ, so that requests for entities of one set contain a key of
# another. Before the requests are sent, give the sets variables of their own, `Shops({{ShopID}})`.
#
# Output seen:
#   segments:    Products/:ID with 1, Shops/:ID with 'a', variables of the collection: 0
#   parentheses: Products({{ID}}), Shops({{ID}}), variables of the collection: 1
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-to-postmanv2@6.3.3

cat >run.cjs <<'SCRIPT'
const { promisify } = require('node:util')
const converter = require('openapi-to-postmanv2')

const keys = [
  ['Products', { name: 'ID', in: 'path', required: true, schema: { type: 'integer' }, example: 1 }],
  ['Shops', { name: 'ID', in: 'path', required: true, schema: { type: 'string' }, example: "'a'" }],
]
const convert = promisify(converter.convert)

/** Converts a document with a path for each set; returns the URLs and the variables of the collection. */
async function collectionOf(pathOf) {
  const responses = { 200: { description: 'OK' } }
  const paths = Object.fromEntries(keys.map(([set, key]) => [pathOf(set), { get: { parameters: [key], responses } }]))
  const data = { openapi: '3.0.3', info: { title: 'Service', version: '1' }, paths }
  const options = { parametersResolution: 'Example', requestParametersResolution: 'Example' }
  const { result, reason, output } = await convert({ type: 'json', data }, options)
  if (!result) throw new Error(reason)
  const requestsOf = (item) => (item.item ? item.item.flatMap(requestsOf) : [item.request])
  const variables = output[0].data.variable.filter(({ key }) => key === 'ID')
  return { urls: requestsOf(output[0].data).map(({ url }) => url), variables }
}

async function main() {
  const segments = await collectionOf((set) => `/${set}/{ID}`)
  const parentheses = await collectionOf((set) => `/${set}({ID})`)
  const named = segments.urls.map(({ path, variable }) => `${path.join('/')} with ${variable[0].value}`)
  console.log(`segments:    ${named.join(', ')}, variables of the collection: ${segments.variables.length}`)
  const paths = parentheses.urls.map(({ path }) => path.join('/')).join(', ')
  const count = parentheses.variables.length
  console.log(`parentheses: ${paths}, variables of the collection: ${count}`)
  const isAsStated = segments.variables.length === 0 && count === 1 && paths === 'Products({{ID}}), Shops({{ID}})'
  process.exit(isAsStated ? 0 : 1)
}
void main()
SCRIPT
node run.cjs
