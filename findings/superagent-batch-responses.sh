#!/usr/bin/env bash
# superagent 10.4.2, the client of supertest 7.3.2: responses to batches.
#
# A response with the media type multipart/mixed is parsed as an upload of a form, although its parts have no names. `text` is
# undefined and `body` is empty: a test that compares them, or a program that searches errors of its change set in them, finds
# nothing. With `buffer(true)`, which the documentation recommends for text, nothing changes. Each part of a read is written
# to a file in the temporary directory, which stays there. A parser of your own returns the text:
# `.buffer(true).parse((response, done) => …)`.
#
# Output seen:
#   by default:     status 202, text undefined, body {}, files 1
#   buffer(true):   status 202, text undefined, body {}, files 1
#   parser of text: status 202, with the response to the read: true
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts supertest@7.3.2 superagent@10.4.2
mkdir parts

cat >run.mjs <<'SCRIPT'
import { readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import request from 'supertest'

const part = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary', '']
const ofRead = ['HTTP/1.1 200 OK', 'Content-Type: application/json', '', '{"d":{"ID":1}}']
const responses = ['--r', ...part, ...ofRead, '--r--', ''].join('\r\n')
const server = createServer((received, response) => {
  received.resume().on('end', () => {
    response.writeHead(202, { 'Content-Type': 'multipart/mixed; boundary=r', DataServiceVersion: '2.0' }).end(responses)
  })
})
const batch = ['--b', ...part, 'GET Products(1) HTTP/1.1', '', '', '--b--', ''].join('\r\n')
const send = () => request(server).post('/$batch').set('Content-Type', 'multipart/mixed; boundary=b').send(batch)

let isAsStated = true
for (const [name, options] of [['by default:', (one) => one], ['buffer(true):', (one) => one.buffer(true)]]) {
  const { status, text, body } = await options(send())
  const files = readdirSync('parts')
  for (const file of files) rmSync(`parts/${file}`)
  console.log(`${name.padEnd(15)} status ${status}, text ${text}, body ${JSON.stringify(body)}, files ${files.length}`)
  isAsStated &&= status === 202 && text === undefined && JSON.stringify(body) === '{}' && files.length === 1
}
const asText = (response, done) => {
  let text = ''
  response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => done(null, text))
}
const { status, body } = await send().buffer(true).parse(asText)
console.log(`parser of text: status ${status}, with the response to the read: ${body === responses}`)
process.exit(isAsStated && body === responses ? 0 : 1)
SCRIPT
TMPDIR="$directory/parts" node run.mjs
