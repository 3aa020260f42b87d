#!/usr/bin/env bash
# Kendo UI Core 2026.3.812 (kendo-ui-core) with jQuery 4.0.0: filters by the date that a grid shows.
#
# The data source with type 'odata' (V2) reads Edm.DateTime as a point in time in UTC, and saves it so. Its filters, however,
# have the local time of the browser without a zone and without milliseconds: outside of UTC, the filter for a date that was
# read from an entity does not find this entity.
#
# Output seen (TZ=Europe/Berlin):
#   read /Date(1767225600250)/ as 2026-01-01T00:00:00.250Z
#   saved as 2026-01-01T00:00:00.250Z
#   filter for the same date: At eq datetime'2026-01-01T01:00:00'
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts kendo-ui-core@2026.3.812 jquery@4.0.0 jsdom@26.1.0

cat >run.mjs <<'SCRIPT'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { JSDOM } from 'jsdom'

const entity = { __metadata: { uri: 'Visits(1)', type: 'N.Visit' }, ID: 1, Note: 'a', At: '/Date(1767225600250)/' }
const filters = []
const saved = []
/** Serves the entity, and notes filters and changes. */
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.method === 'GET') filters.push(new URL(request.url, 'http://host').searchParams.get('$filter'))
  else saved.push(JSON.parse(body).At)
  if (request.method !== 'GET') return response.writeHead(204).end()
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ d: { results: [entity], __count: '1' } }))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const root = `http://127.0.0.1:${server.address().port}/`

const { window } = new JSDOM('', { url: root, runScripts: 'outside-only' })
window.matchMedia = () => ({ matches: false, addListener() {}, addEventListener() {} })
const scripts = ['core', 'data.odata', 'data.xml', 'data'].map((name) => `kendo-ui-core/umd/kendo.${name}.min.js`)
for (const script of ['jquery/dist/jquery.js', ...scripts])
  window.eval(readFileSync(`node_modules/${script}`, 'utf8').replaceAll(/\bglobalThis\b/g, 'window'))
const { DataSource } = window.kendo.data
const source = (options) =>
  new DataSource({
    type: 'odata',
    transport: { read: { url: `${root}Visits`, dataType: 'json' }, update: { url: `${root}Visits(1)` } },
    schema: { model: { id: 'ID', fields: { At: { type: 'date' } } } },
    serverFiltering: true,
    ...options,
  })
const visits = source()
await visits.read()
const visit = visits.at(0)
console.log(`read ${entity.At} as ${visit.At.toISOString()}`)
visit.set('Note', 'b')
await visits.sync()
console.log(`saved as ${saved[0]}`)
await source({ filter: { field: 'At', operator: 'eq', value: visit.At } }).read()
console.log(`filter for the same date: ${filters.at(-1)}`)
const isAsStated =
  saved[0] === '2026-01-01T00:00:00.250Z' && filters.at(-1) === "At eq datetime'2026-01-01T01:00:00'"
process.exit(isAsStated ? 0 : 1)
SCRIPT
TZ=Europe/Berlin node run.mjs
