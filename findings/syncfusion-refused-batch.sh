#!/usr/bin/env bash
# Syncfusion Data 34.2.8 (@syncfusion/ej2-data): changes that a service refuses in a batch.
#
# `DataManager.saveChanges` with `ODataAdaptor` (V2) sends all changes of a grid in one change set. It looks for the boundary
# of the response in the headers of its own request, and so reads no response at all: the promise is resolved with an empty
# object, whether the service made the changes or refused every one of them. Values that the service generated are lost, too.
#
# Output seen:
#   change set refused with 400: resolved with {}
#   change set with 201 and a generated name: resolved with {}
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @syncfusion/ej2-data@34.2.8 jsdom@26.1.0

cat >run.mjs <<'SCRIPT'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { JSDOM } from 'jsdom'

const lines = (...text) => text.join('\r\n')
const http = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary']
const json = 'Content-Type: application/json'
const error = { error: { code: 'Refused', message: { lang: 'en', value: 'The name is missing.' } } }
const created = { d: { __metadata: { uri: 'Notes(1)' }, ID: 1, Name: 'generated' } }
const boundary = '--batchresponse_1'
const responses = {
  Refused: lines(boundary, ...http, '', 'HTTP/1.1 400 Bad Request', 'Content-ID: 0', json, '', JSON.stringify(error)),
  Notes: lines(
    ...[boundary, 'Content-Type: multipart/mixed; boundary=changesetresponse_1', '', '--changesetresponse_1', ...http, ''],
    ...['HTTP/1.1 201 Created', 'Content-ID: 0', json, '', JSON.stringify(created), '--changesetresponse_1--', ''],
  ),
}
/** Responds to a batch with changes of one of the two sets. */
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const set = /POST (\w+)/.exec(body)[1]
  response.writeHead(202, { 'Content-Type': 'multipart/mixed; boundary=batchresponse_1' })
  response.end(lines(responses[set], `${boundary}--`, ''))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}/`

const { window } = new JSDOM('', { url })
const { document, localStorage, location, sessionStorage } = window
Object.assign(globalThis, { window, document, localStorage, location, sessionStorage })
const { DataManager, ODataAdaptor } = createRequire(import.meta.url)('@syncfusion/ej2-data')
const service = new DataManager({ url, adaptor: new ODataAdaptor() })
const save = (set) =>
  service.saveChanges({ addedRecords: [{ ID: 1 }], changedRecords: [], deletedRecords: [] }, 'ID', set).then(
    (result) => `resolved with ${JSON.stringify(result)}`,
    () => 'rejected',
  )
const results = [await save('Refused'), await save('Notes')]
console.log(`change set refused with 400: ${results[0]}`)
console.log(`change set with 201 and a generated name: ${results[1]}`)
process.exit(results.every((result) => result === 'resolved with {}') ? 0 : 1)
SCRIPT
node run.mjs
