#!/usr/bin/env bash
# SAP's odata-library 2.6.0 (@sap_oss/odata-library): large values of Edm.Int64 in changes.
#
# In JSON of V2, Edm.Int64 is a string, since numbers of JavaScript are exact only up to 2^53. The library
# converts the string into a number and sends that: an entity that is read and sent back unchanged has another value.
# Edm.Decimal is sent as a string with all digits.
#
# Output seen:
#   read {"ID":1,"Counter":"9007199254740993","Amount":"12345678901234567.89"}
#   sent {"ID":1,"Counter":9007199254740992,"Amount":"12345678901234567.89"}
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @sap_oss/odata-library@2.6.0

cat >run.mjs <<'SCRIPT'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const metadata = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
      <EntityType Name="Meter">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Counter" Type="Edm.Int64"/>
        <Property Name="Amount" Type="Edm.Decimal" Precision="20" Scale="2"/>
      </EntityType>
      <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Meters" EntityType="N.Meter"/>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`
const meter = { ID: 1, Counter: '9007199254740993', Amount: '12345678901234567.89' }
let sent
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.url.includes('$metadata')) return response.setHeader('Content-Type', 'application/xml').end(metadata)
  if (request.method === 'POST') sent = body
  response.writeHead(request.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json', 'X-CSRF-Token': 'token' })
  response.end(JSON.stringify({ d: meter }))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const { Service } = createRequire(import.meta.url)('@sap_oss/odata-library')
const auth = { username: 'user', password: 'password', type: 'basic' }
const service = new Service({ url: `http://127.0.0.1:${server.address().port}/`, auth, strict: false })
await service.init
const read = await service.entitySets.Meters.get({ ID: 1 })
await service.entitySets.Meters.post(read)
console.log(`read ${JSON.stringify(read)}`)
console.log(`sent ${sent}`)
process.exit(sent === JSON.stringify({ ...meter, Counter: 9_007_199_254_740_992 }) ? 0 : 1)
SCRIPT
node run.mjs
