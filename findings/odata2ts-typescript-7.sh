#!/usr/bin/env bash
# odata2ts, @odata2ts/odata2ts 0.34.0, in a project without another dependency on TypeScript.
#
# The generator imports `typescript`, but declares it neither as a dependency nor as a peer. It gets the package because
# ts-node, one of its dependencies, has the peer `typescript >=2.7`: npm installs the newest version. TypeScript 7 no
# longer exports the compiler API that the generator reads, so that the generator ends with a TypeError for every
# metadata document and every tsconfig.json. With TypeScript 5, the same command succeeds.
#
# Output seen:
#   typescript 7.0.2: exit code 99, TypeError: Cannot convert undefined or null to object
#   typescript 5.9.3: exit code 0
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
echo '{ "compilerOptions": { "target": "es2022", "module": "commonjs", "moduleResolution": "node" } }' >tsconfig.json
cat >shop.edmx <<'EDMX'
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="1.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
  <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
  <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
    <EntitySet Name="Products" EntityType="Shop.Product"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>
EDMX

generate() {
  npm install --silent --no-audit --no-fund @odata2ts/odata2ts@0.34.0 @odata2ts/odata-service@0.18.1 \
    @odata2ts/odata-query-objects@0.21.0 "typescript@$1"
  code=0
  npx odata2ts --source shop.edmx --output client --emit-mode js_dts --service-name Shop >log 2>&1 || code=$?
  echo "typescript $1: exit code $code$(sed -n 's/.*\(TypeError.*\)/, \1/p' log)"
  [ "$code" = "$2" ] || status=1
}
status=0
npm view ts-node@10.9.2 peerDependencies.typescript | grep -q '>=2.7' || status=1
generate 7.0.2 99
generate 5.9.3 0
exit "$status"
