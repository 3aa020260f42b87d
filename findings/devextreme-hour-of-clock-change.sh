#!/usr/bin/env bash
# DevExtreme 26.1.5 (devextreme) with OData V2: dates in the hours around a change of the clocks.
#
# ODataStore keeps dates of V2 as strings such as /Date(0)/ unless processDatesAsUtc is true. With the option, an
# Edm.DateTime becomes a Date with the same wall-clock time, for which the offset of the browser's time zone is added. The
# offset is that of the value taken as UTC, not that of the wall-clock time: in Europe/Berlin, values within the hours before
# a change become one hour less in spring, and one hour more in autumn. An entity that is read and saved without an edit is
# stored with another value.
#
# Output seen (TZ=Europe/Berlin):
#   by default: "/Date(1774747800000)/"
#   stored 2026-03-28T01:30:00, shown 01:30, saved as 2026-03-28T01:30:00
#   stored 2026-03-29T01:30:00, shown 00:30, saved as 2026-03-29T00:30:00
#   stored 2026-10-25T01:30:00, shown 02:30, saved as 2026-10-25T02:30:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts devextreme@26.1.5 jsdom@26.1.0

cat >run.cjs <<'SCRIPT'
const { once } = require('node:events')
const { createServer } = require('node:http')
const { JSDOM } = require('jsdom')

const stored = ['2026-03-28T01:30:00', '2026-03-29T01:30:00', '2026-10-25T01:30:00']
const saved = []
const entity = (value, ID) => ({ __metadata: { uri: `Visits(${ID})`, type: 'N.Visit' }, ID, At: `/Date(${Date.parse(`${value}Z`)})/` })
/** Serves the entities, and notes the values of changes. */
const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ d: { results: stored.map(entity) } }))
    return
  }
  let body = ''
  for await (const chunk of request) body += chunk
  saved.push(JSON.parse(body).At)
  response.writeHead(204).end()
})

async function main() {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${server.address().port}/`
  const { window } = new JSDOM('', { url: root })
  Object.assign(globalThis, { window, document: window.document, XMLHttpRequest: window.XMLHttpRequest, Node: window.Node })
  const { default: ODataStore } = require('devextreme/cjs/data/odata/store.js')
  const store = (options) => new ODataStore({ url: `${root}Visits`, key: 'ID', keyType: 'Int32', version: 2, ...options })
  console.log(`by default: ${JSON.stringify((await store({}).load())[1].At)}`)
  const visits = store({ processDatesAsUtc: true })
  for (const { ID, At } of await visits.load()) {
    await visits.update(ID, { At })
    const shown = At.toTimeString().slice(0, 5)
    console.log(`stored ${stored[ID]}, shown ${shown}, saved as ${saved[ID]}`)
  }
  const expected = ['2026-03-28T01:30:00', '2026-03-29T00:30:00', '2026-10-25T02:30:00']
  process.exit(String(saved) === String(expected) ? 0 : 1)
}
void main()
SCRIPT
TZ=Europe/Berlin node run.cjs
