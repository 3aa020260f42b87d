#!/usr/bin/env bash
# Edm.DateTimeOffset in JSON of OData V2: five libraries read the same value as four different moments.
#
# JSON of V2 writes the offset in minutes: /Date(1767225600000+0120)/ is two hours ahead of UTC. The specification leaves
# open whether the number in front of it counts on the local clock or in UTC. datajs 1.0.3 and odata2ts
# (@odata2ts/converter-v2-to-v4 0.5.3) take the local clock, SAP Cloud SDK 4.5.1 (@sap-cloud-sdk/odata-v2) UTC.
# Kendo UI Core 2026.3.812 and DevExtreme 26.1.5 with processDatesAsUtc add the offset, Kendo as hours and minutes, and take
# the sum for the time of the browser, also with +0000. Kendo saves that moment as UTC: an entity that was edited is stored
# one hour earlier in Berlin, at each change. Without an offset, as in Edm.DateTime, Kendo reads and saves UTC.
#
# Output seen (TZ=Europe/Berlin):
#                 +0000             +0120
#   datajs        2026-01-01T00:00Z 2025-12-31T22:00Z
#   odata2ts      2026-01-01T00:00Z 2025-12-31T22:00Z
#   SAP Cloud SDK 2026-01-01T00:00Z 2026-01-01T00:00Z
#   Kendo UI      2025-12-31T23:00Z 2026-01-01T00:20Z
#   DevExtreme    2025-12-31T23:00Z 2026-01-01T01:00Z
#   Kendo UI saves +0000 as "2025-12-31T23:00:00.000Z"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts datajs@1.0.3 kendo-ui-core@2026.3.812 jquery@4.0.0 jsdom@26.1.0 devextreme@26.1.5
npm install --silent --no-audit --no-fund --ignore-scripts @odata2ts/converter-v2-to-v4@0.5.3 tslib@2.8.1 @sap-cloud-sdk/odata-v2@4.5.1 @sap-cloud-sdk/odata-common@4.5.1 @sap-cloud-sdk/http-client@4.5.1 @sap-cloud-sdk/connectivity@4.5.1 @sap-cloud-sdk/resilience@4.5.1 @sap-cloud-sdk/util@4.5.1

cat >run.cjs <<'SCRIPT'
const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { dateTimeToDateTimeOffsetConverter } = require('@odata2ts/converter-v2-to-v4')
const { defaultDeSerializers } = require('@sap-cloud-sdk/odata-v2')
const { JSDOM } = require('jsdom')

const values = ['/Date(1767225600000+0000)/', '/Date(1767225600000+0120)/']
let saved
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.method !== 'GET') {
    saved = JSON.stringify(JSON.parse(body).At)
    return response.writeHead(204).end()
  }
  const results = values.map((At, ID) => ({ __metadata: { uri: `Visits(${ID + 1})`, type: 'N.Visit' }, ID: ID + 1, At }))
  response.writeHead(200, { 'Content-Type': 'application/json', DataServiceVersion: '2.0' })
  response.end(JSON.stringify({ d: { results } }))
})

/** Runs scripts in a window of their own. */
function windowWith(root, ...scripts) {
  const { window } = new JSDOM('', { url: root, runScripts: 'outside-only' })
  window.matchMedia = () => ({ matches: false, addListener() {}, addEventListener() {} })
  for (const script of scripts)
    window.eval(readFileSync(`node_modules/${script}`, 'utf8').replaceAll(/\bglobalThis\b/g, 'window'))
  return window
}

async function byDatajs(root) {
  const { OData } = windowWith(root, 'datajs/lib/datajs.js')
  OData.jsonHandler.recognizeDates = true
  const request = { requestUri: `${root}Visits`, headers: { Accept: 'application/json' } }
  const { results } = await new Promise((resolve, reject) => OData.read(request, resolve, reject))
  return results.map(({ At }) => At)
}

async function byKendo(root) {
  const scripts = ['core', 'data.odata', 'data.xml', 'data'].map((name) => `kendo-ui-core/umd/kendo.${name}.min.js`)
  const { kendo } = windowWith(root, 'jquery/dist/jquery.js', ...scripts)
  const source = new kendo.data.DataSource({
    type: 'odata',
    transport: { read: { url: `${root}Visits`, dataType: 'json' }, update: { url: `${root}Visits(1)` } },
    schema: { model: { id: 'ID', fields: { At: { type: 'date' }, Note: {} } } },
  })
  await source.read()
  const dates = source.data().map(({ At }) => At)
  source.at(0).set('Note', 'edited')
  await source.sync()
  return dates
}

async function byDevExtreme(root) {
  const window = windowWith(root)
  Object.assign(globalThis, { window, document: window.document, XMLHttpRequest: window.XMLHttpRequest, Node: window.Node })
  const { default: ODataStore } = require('devextreme/cjs/data/odata/store.js')
  const store = new ODataStore({ url: `${root}Visits`, key: 'ID', keyType: 'Int32', version: 2, processDatesAsUtc: true })
  return (await store.load()).map(({ At }) => At)
}

async function main() {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${server.address().port}/`
  const moments = {
    datajs: await byDatajs(root),
    odata2ts: values.map((value) => new Date(dateTimeToDateTimeOffsetConverter.convertFrom(value))),
    'SAP Cloud SDK': values.map((value) => defaultDeSerializers['Edm.DateTimeOffset'].deserialize(value).toDate()),
    'Kendo UI': await byKendo(root),
    DevExtreme: await byDevExtreme(root),
  }
  const lines = Object.entries(moments).map(([name, dates]) =>
    [name.padEnd(13), ...dates.map((date) => date.toISOString().replace(':00.000Z', 'Z'))].join(' '),
  )
  console.log(`${' '.repeat(14)}+0000             +0120`)
  for (const line of lines) console.log(line)
  console.log(`Kendo UI saves +0000 as ${saved}`)
  const expected = ['01T00:00Z 2025-12-31T22:00Z', '01T00:00Z 2025-12-31T22:00Z', '01T00:00Z 2026-01-01T00:00Z']
  expected.push('31T23:00Z 2026-01-01T00:20Z', '31T23:00Z 2026-01-01T01:00Z')
  const isAsStated = lines.every((line, index) => line.endsWith(expected[index]))
  process.exit(isAsStated && saved === '"2025-12-31T23:00:00.000Z"' ? 0 : 1)
}
void main()
SCRIPT
TZ=Europe/Berlin node run.cjs
