#!/usr/bin/env bash
# SAP's @sap/edm-converters 1.0.43: metadata of OData V2 as CSDL JSON of V4.
#
# Edm.Time gets no type, and a property without a type is an Edm.String: neither Edm.TimeOfDay nor Edm.Duration. Parameters of
# function imports keep types of V2, such as Edm.DateTime, which V4 does not have, although properties get Edm.DateTimeOffset.
# Function imports with POST become functions, which V4 calls by GET. Default values are missing. The converter reports no
# error for any of them.
#
# Output seen:
#   property Edm.DateTime  Edm.DateTimeOffset
#   property Edm.Time      no type, which means Edm.String
#   default value of Stock none
#   parameter Edm.DateTime Edm.DateTime
#   function by POST       Function
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @sap/edm-converters@1.0.43

cat >run.cjs <<'SCRIPT'
const { MetadataConverterFactory } = require('@sap/edm-converters')

const metadata = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
      <EntityType Name="Shop">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Since" Type="Edm.DateTime"/>
        <Property Name="Opens" Type="Edm.Time"/>
        <Property Name="Stock" Type="Edm.Int32" DefaultValue="1"/>
      </EntityType>
      <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Shops" EntityType="N.Shop"/>
        <FunctionImport Name="Close" ReturnType="N.Shop" EntitySet="Shops" m:HttpMethod="POST">
          <Parameter Name="at" Type="Edm.DateTime" Mode="In"/>
        </FunctionImport>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`
const converter = MetadataConverterFactory.createEdmxV20XmlToV40Json({ xmlProvider: (_namespace, done) => done(null, '') })
converter.execute(Buffer.from(metadata), (error, result) => {
  if (error) throw error
  const { N } = typeof result === 'string' ? JSON.parse(result) : result
  const [close] = N.CloseForFunctionImport
  const seen = {
    'property Edm.DateTime': N.Shop.Since.$Type,
    'property Edm.Time': N.Shop.Opens.$Type ?? 'no type, which means Edm.String',
    'default value of Stock': N.Shop.Stock.$DefaultValue ?? 'none',
    'parameter Edm.DateTime': close.$Parameter[0].$Type,
    'function by POST': close.$Kind,
  }
  for (const [name, value] of Object.entries(seen)) console.log(`${name.padEnd(22)} ${value}`)
  const expected = ['Edm.DateTimeOffset', 'no type, which means Edm.String', 'none', 'Edm.DateTime', 'Function']
  process.exit(String(Object.values(seen)) === String(expected) ? 0 : 1)
})
SCRIPT
node run.cjs
