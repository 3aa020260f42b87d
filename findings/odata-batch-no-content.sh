#!/usr/bin/env bash
# odata-batch 2.0.0, a client for batches of OData V2: responses without a body.
#
# Updates and deletions get 204 without a body. The default `individualResponseType: 'json'` passes the empty string to
# `JSON.parse`: the promise of the whole batch is rejected, although the service has made all changes. The status and the
# responses to the other changes are lost, and a program that repeats the batch makes its insertions twice. With
# `individualResponseType: 'xml'` the promise is resolved, with a status for each change; the bodies of changes are sent in JSON
# in both cases. Reads are sent as part of a change set, where OData V2 does not allow them.
#
# Output seen:
#   json, insert: resolved with 201
#   json, insert and update: rejected with Unexpected end of JSON input, after the service made 2 changes
#   xml, insert and update: resolved with 201 204
#   read, sent in: multipart/mixed
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund odata-batch@2.0.0

cat >run.mjs <<'SCRIPT'
import { once } from 'node:events'
import { createServer } from 'node:http'
import odataBatch from 'odata-batch'

let changes = 0
let typeOfFirstPart
const created = 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n{"d":{"ID":1}}'
const updated = 'HTTP/1.1 204 No Content\r\nDataServiceVersion: 2.0\r\n\r\n'

/** Responds to each change of the only change set as a service does that has made it. */
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  typeOfFirstPart = /Content-Type: ([^;\r\n]+)/i.exec(body)?.[1]
  const methods = body.match(/^(?:POST|MERGE)(?= )/gm) ?? []
  changes = methods.length
  const parts = methods.map(
    (method) =>
      '--C\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
      `${method === 'POST' ? created : updated}\r\n`,
  )
  response.writeHead(202, { 'Content-Type': 'multipart/mixed; boundary=B' })
  response.end(`--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n${parts.join('')}--C--\r\n\r\n--B--\r\n`)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const root = `http://127.0.0.1:${server.address().port}`

const send = async (calls, individualResponseType) => {
  const batch = new odataBatch.ODataBatch({ url: `${root}/$batch`, auth: 'user:password', calls, individualResponseType })
  try {
    const responses = await batch.send()
    return `resolved with ${responses.map(({ code }) => code).join(' ')}`
  } catch (error) {
    return `rejected with ${error.message}, after the service made ${changes} changes`
  }
}
const insert = { method: 'POST', url: `${root}/Products`, data: { ID: 1 } }
const update = { method: 'MERGE', url: `${root}/Products(2)`, data: { Name: 'Gouda' } }

const seen = [
  `json, insert: ${await send([insert], 'json')}`,
  `json, insert and update: ${await send([insert, update], 'json')}`,
  `xml, insert and update: ${await send([insert, update], 'xml')}`,
]
await send([{ method: 'GET', url: `${root}/Products(1)` }], 'json')
seen.push(`read, sent in: ${typeOfFirstPart}`)
server.close()
console.log(seen.join('\n'))
const expected = `json, insert: resolved with 201
json, insert and update: rejected with Unexpected end of JSON input, after the service made 2 changes
xml, insert and update: resolved with 201 204
read, sent in: multipart/mixed`
process.exit(seen.join('\n') === expected ? 0 : 1)
SCRIPT
node run.mjs
