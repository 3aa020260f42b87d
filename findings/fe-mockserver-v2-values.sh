#!/usr/bin/env bash
# fe-mockserver 1.7.16 (@sap-ux/fe-mockserver-core): values and literals of OData V2.
#
# Edm.DateTime and Edm.DateTimeOffset that are null are returned as /Date(0)/, so that filters for dates before 2000 find
# them and `eq null` does not. Edm.Int64 is a number and loses digits. A filter with a decimal literal of V2 (1.5m), as the
# V2 model of OpenUI5 writes it, gets 500, and so does a literal of Edm.Time; `Price eq 1.5` does not find 1.50.
#
# Output seen:
#   empty entity: At /Date(0)/, Offset /Date(0)/, Time null, Price null
#   entity with values: Count 9007199254740992
#   At eq null: 200 []
#   At lt datetime'2000-01-01T00:00:00': 200 [1]
#   Price eq 1.5m: 500
#   Price eq 1.5: 200 []
#   Price gt 1.2: 200 [2]
#   Time eq time'PT1H': 500
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @sap-ux/fe-mockserver-core@1.7.16 express@5.1.0

cat >run.mjs <<'SCRIPT'
import { mkdirSync, writeFileSync } from 'node:fs'
import MockServer from '@sap-ux/fe-mockserver-core'
import express from 'express'

const property = (name, type) => `<Property Name="${name}" Type="Edm.${type}"/>`
mkdirSync('data')
writeFileSync(
  'data/metadata.xml',
  `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
    <edmx:DataServices m:DataServiceVersion="2.0"
      xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
      <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Order">
          <Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          ${property('At', 'DateTime')}${property('Offset', 'DateTimeOffset')}${property('Time', 'Time')}
          ${property('Count', 'Int64')}<Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
        </EntityType>
        <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
          <EntitySet Name="Orders" EntityType="Shop.Order"/>
        </EntityContainer>
      </Schema>
    </edmx:DataServices>
  </edmx:Edmx>`,
)
const orders = [
  { ID: 1, At: null, Offset: null, Time: null, Count: null, Price: null },
  {
    ID: 2,
    At: '/Date(1577836800000)/',
    Offset: '/Date(1577836800000+0000)/',
    Time: 'PT1H',
    Count: '9007199254740993',
    Price: '1.50',
  },
]
writeFileSync('data/Orders.json', JSON.stringify(orders))
const Server = MockServer.default ?? MockServer
const mock = new Server({
  services: [{ urlPath: '/shop', metadataPath: 'data/metadata.xml', mockdataPath: 'data', watch: false, noETag: true }],
})
await mock.isReady
const server = express().use(mock.getRouter()).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))

async function get(path) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/shop/${path}`, {
    headers: { accept: 'application/json' },
  })
  return { status: response.status, body: await response.text() }
}
async function find(filter) {
  const { status, body } = await get(`Orders?$select=ID&$filter=${encodeURIComponent(filter)}`)
  const found = status === 200 ? ` [${JSON.parse(body).d.results.map(({ ID }) => ID)}]` : ''
  return `${filter}: ${status}${found}`
}

const empty = JSON.parse((await get('Orders(1)')).body).d
const count = /"Count":("?\d+"?)/.exec((await get('Orders(2)')).body)[1]
const seen = [
  `empty entity: At ${empty.At}, Offset ${empty.Offset}, Time ${empty.Time}, Price ${empty.Price}`,
  `entity with values: Count ${count}`,
  await find('At eq null'),
  await find("At lt datetime'2000-01-01T00:00:00'"),
  await find('Price eq 1.5m'),
  await find('Price eq 1.5'),
  await find('Price gt 1.2'),
  await find("Time eq time'PT1H'"),
]
console.log(seen.join('\n'))
const expected = [
  'empty entity: At /Date(0)/, Offset /Date(0)/, Time null, Price null',
  'entity with values: Count 9007199254740992',
  'At eq null: 200 []',
  "At lt datetime'2000-01-01T00:00:00': 200 [1]",
  'Price eq 1.5m: 500',
  'Price eq 1.5: 200 []',
  'Price gt 1.2: 200 [2]',
  "Time eq time'PT1H': 500",
]
process.exit(seen.join() === expected.join() ? 0 : 1)
SCRIPT
node run.mjs 2>/dev/null
