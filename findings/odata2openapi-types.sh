#!/usr/bin/env bash
# odata2openapi 1.3.2, which converts $metadata to OpenAPI: Edm.Byte, Edm.Time and composite keys.
#
# Edm.Byte, an integer from 0 to 255, becomes a string of the format byte, which is base64 in OpenAPI, and Edm.Time an object:
# generated clients send strings and objects for them, which services reject. Composite keys have no names, and no prefix of
# a date: no request fits the path. Edm.Int32 and single keys are right. odata-openapi 0.29.0 describes both types and names
# the keys: use it, or a document that the service generates itself.
#
# Output seen:
#   Level (Edm.Byte) {"type":"string","format":"byte"}, Opens (Edm.Time) {"type":"object"}
#   keys /Readings('{At}',{Meter}), /Shops({ID})
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts odata2openapi@1.3.2

cat >run.cjs <<'SCRIPT'
const { convert, parse } = require('odata2openapi')

const property = (name, type) => `<Property Name="${name}" Type="Edm.${type}" Nullable="false"/>`
const type = (name, keys, properties) =>
  `<EntityType Name="${name}"><Key>${keys.map((key) => `<PropertyRef Name="${key}"/>`).join('')}</Key>${properties}</EntityType>`
const shop = type('Shop', ['ID'], property('ID', 'Int32') + property('Level', 'Byte') + property('Opens', 'Time'))
const reading = type('Reading', ['At', 'Meter'], property('At', 'DateTime') + property('Meter', 'Int32'))
const metadata = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">${shop}${reading}
      <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Shops" EntityType="N.Shop"/><EntitySet Name="Readings" EntityType="N.Reading"/>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`

async function main() {
  const { entitySets, version } = await parse(metadata)
  const { paths, definitions } = convert(entitySets, { host: 'localhost', path: '/shop' }, version)
  const { Level, Opens } = definitions['N.Shop'].properties
  const types = `Level (Edm.Byte) ${JSON.stringify(Level)}, Opens (Edm.Time) ${JSON.stringify(Opens)}`
  const keys = Object.keys(paths).filter((path) => path.includes('(')).sort().join(', ')
  console.log(`${types}\nkeys ${keys}`)
  const isAsStated =
    types === 'Level (Edm.Byte) {"type":"string","format":"byte"}, Opens (Edm.Time) {"type":"object"}' &&
    keys === "/Readings('{At}',{Meter}), /Shops({ID})"
  process.exit(isAsStated ? 0 : 1)
}
void main()
SCRIPT
node run.cjs
