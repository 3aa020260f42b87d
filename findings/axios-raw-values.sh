#!/usr/bin/env bash
# axios 1.21.1: raw values of OData V2, whose media type is text/plain.
#
# By default, axios parses every body as JSON, whatever its media type, and returns the text if that fails. A raw value
# (`Products(1)/Price/$value`) is therefore a number, a string, a Boolean or null, depending on the value: digits of
# Edm.Decimal and of Edm.Int64 above 2^53 are changed, the article number 1e3 becomes 1000, and 007 stays a string. With
# `responseType: 'text'`, all of them are the strings that the service sent.
#
# Output seen:
#   Price 12345678901234567.89 -> number 12345678901234568, as text string 12345678901234567.89
#   Counter 9007199254740993 -> number 9007199254740992, as text string 9007199254740993
#   Code 1e3 -> number 1000, as text string 1e3
#   Code 007 -> string 007, as text string 007
#   Name null -> object null, as text string null
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts axios@1.21.1

cat >run.mjs <<'SCRIPT'
import axios from 'axios'
import { once } from 'node:events'
import { createServer } from 'node:http'

const values = [
  ['Price', '12345678901234567.89'],
  ['Counter', '9007199254740993'],
  ['Code', '1e3'],
  ['Code', '007'],
  ['Name', 'null'],
]
const server = createServer((request, response) => {
  const [, index] = /\((\d+)\)/.exec(request.url)
  response.writeHead(200, { 'Content-Type': 'text/plain;charset=utf-8', DataServiceVersion: '2.0' }).end(values[index][1])
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const root = `http://127.0.0.1:${server.address().port}`
const seen = []
let isTextUnchanged = true
for (const [index, [name, value]] of values.entries()) {
  const url = `${root}/Products(${index})/${name}/$value`
  const { data } = await axios.get(url)
  const { data: text } = await axios.get(url, { responseType: 'text' })
  console.log(`${name} ${value} -> ${typeof data} ${data}, as text ${typeof text} ${text}`)
  seen.push(data)
  isTextUnchanged &&= text === value
}
const expected = [12345678901234568, 9007199254740992, 1000, '007', null]
process.exit(isTextUnchanged && seen.every((value, index) => value === expected[index]) ? 0 : 1)
SCRIPT
node run.mjs
