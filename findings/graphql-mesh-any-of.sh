#!/usr/bin/env bash
# @omnigraph/openapi 0.112.4 of GraphQL Mesh, with graphql 16.11.0: anyOf of objects in OpenAPI.
#
# A navigation property is a deferred link or the entity itself, which OpenAPI describes by anyOf. Mesh merges the alternatives
# into one GraphQL type. A member that is required in one of them is non-null in the merged type, although the others lack it:
# a query for the link and the name, which is valid, returns an error and null for expanded entities, in place of their
# name. Query the members of only one alternative, or remove `required` from the document.
#
# Output seen:
#   type Category { deferred: Deferred! Name: String }
#   expanded: {"Category":null} Cannot return null for non-nullable field Category.deferred.
#   deferred: {"Category":{"deferred":{"uri":"Products(1)/Category"},"Name":null}}
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @omnigraph/openapi@0.112.4 graphql@16.11.0

cat >run.mjs <<'SCRIPT'
import { loadGraphQLSchemaFromOpenAPI } from '@omnigraph/openapi'
import { graphql, printType } from 'graphql'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const object = (title, properties, required) => ({ title, type: 'object', properties, required })
const string = { type: 'string' }
const link = object('Link', { deferred: object('Deferred', { uri: string }, ['uri']) }, ['deferred'])
const Category = { title: 'Category', anyOf: [link, object('Entity', { Name: string })] }
const schema = object('Product', { Category })
const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } }
const operation = (operationId) => ({ get: { operationId, responses } })
const paths = { '/expanded': operation('expanded'), '/deferred': operation('deferred') }
await writeFile('api.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'Shop', version: '1' }, paths }))

const bodies = {
  '/expanded': { Category: { Name: 'Cheese' } },
  '/deferred': { Category: { deferred: { uri: 'Products(1)/Category' } } },
}
const server = createServer(({ url }, response) => {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(bodies[url]))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const endpoint = `http://127.0.0.1:${server.address().port}`
const graph = await loadGraphQLSchemaFromOpenAPI('shop', { source: './api.json', cwd: process.cwd(), endpoint, fetch })
const type = printType(graph.getType('Category')).replace(/\s+/g, ' ')
const source = (name) => `{ ${name} { Category { deferred { uri } Name } } }`
const queried = async (name) => {
  const { data, errors = [] } = await graphql({ schema: graph, source: source(name), contextValue: { fetch } })
  return [JSON.stringify(data[name]), ...errors.map(({ message }) => message)].join(' ')
}
const expanded = await queried('expanded')
const deferred = await queried('deferred')
console.log(`${type}\nexpanded: ${expanded}\ndeferred: ${deferred}`)
const isAsStated =
  type === 'type Category { deferred: Deferred! Name: String }' &&
  expanded === '{"Category":null} Cannot return null for non-nullable field Category.deferred.' &&
  deferred === '{"Category":{"deferred":{"uri":"Products(1)/Category"},"Name":null}}'
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
