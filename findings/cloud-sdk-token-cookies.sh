#!/usr/bin/env bash
# SAP Cloud SDK, @sap-cloud-sdk/http-client 4.5.1 with connectivity and resilience 4.5.1: cookies around CSRF tokens.
#
# Before a change, the client fetches a token with HEAD, and then sends the token together with the cookies which that
# response has set. If the application passes cookies of its own, the spelling of the header decides what happens to
# them: `cookie` in lower case is sent in front of the new cookies, but `Cookie`, which the token request has sent, is
# missing in the change. A server that identifies its users by cookies then sees a change of an unknown user.
#
# Output seen:
#   no cookie      HEAD -                 POST token=T cookie=session=new
#   cookie: a=1    HEAD a=1               POST token=T cookie=a=1;session=new
#   Cookie: a=1    HEAD a=1               POST token=T cookie=session=new
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @sap-cloud-sdk/http-client@4.5.1 @sap-cloud-sdk/connectivity@4.5.1 \
  @sap-cloud-sdk/resilience@4.5.1 @sap-cloud-sdk/util@4.5.1

cat >run.mjs <<'SCRIPT'
import { createServer } from 'node:http'
import client from '@sap-cloud-sdk/http-client'
import { setGlobalLogLevel } from '@sap-cloud-sdk/util'

setGlobalLogLevel('error')
let seen = []
const server = createServer((req, res) => {
  req.resume()
  const { 'x-csrf-token': token, cookie = '-' } = req.headers
  const isFetch = token?.toLowerCase() === 'fetch'
  seen.push(isFetch ? `${req.method} ${cookie}` : `${req.method} token=${token} cookie=${cookie}`)
  res.writeHead(isFetch ? 200 : 204, isFetch ? { 'x-csrf-token': 'T', 'set-cookie': 'session=new; Path=/' } : {})
  res.end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}`
const expected = {
  '': ['HEAD -', 'POST token=T cookie=session=new'],
  cookie: ['HEAD a=1', 'POST token=T cookie=a=1;session=new'],
  Cookie: ['HEAD a=1', 'POST token=T cookie=session=new'],
}
for (const [name, requests] of Object.entries(expected)) {
  seen = []
  const headers = name === '' ? {} : { [name]: 'a=1' }
  await client.executeHttpRequest({ url }, { method: 'post', url: '/items', data: {}, headers })
  console.log(name === '' ? 'no cookie' : `${name}: a=1`, seen.join('  '))
  if (String(seen) !== String(requests)) process.exitCode = 1
}
server.close()
SCRIPT
node run.mjs
