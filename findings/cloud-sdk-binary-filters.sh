#!/usr/bin/env bash
# SAP Cloud SDK 4.5.1 (@sap-cloud-sdk/odata-v2): values of Edm.Binary in filters and keys.
#
# JSON of OData V2 has binary values in base64, literals in URLs have hexadecimal digits. The SDK has base64 in both, between
# X' and a quote: a filter by a value that was read is not a literal of V2, and services reject it. Base64 that has only
# hexadecimal digits, such as ABCD, is one, but of other bytes: the filter finds other entities, without an error.
# Convert the value for a filter: Buffer.from(value, 'base64').toString('hex').
#
# Output seen:
#   AQL/ read as AQL/, filtered by X'AQL/', the literal of these bytes is X'0102FF'
#   ABCD read as ABCD, filtered by X'ABCD', the literal of these bytes is X'001083'
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @sap-cloud-sdk/odata-v2@4.5.1 @sap-cloud-sdk/odata-common@4.5.1 @sap-cloud-sdk/http-client@4.5.1 @sap-cloud-sdk/connectivity@4.5.1 @sap-cloud-sdk/resilience@4.5.1 @sap-cloud-sdk/util@4.5.1

cat >run.mjs <<'SCRIPT'
import { defaultDeSerializers } from '@sap-cloud-sdk/odata-v2'

const binary = defaultDeSerializers['Edm.Binary']
let isAsStated = true
for (const value of ['AQL/', 'ABCD']) {
  const read = binary.deserialize(value)
  const filtered = binary.serializeToUri(read, binary.serialize)
  const literal = `X'${Buffer.from(value, 'base64').toString('hex').toUpperCase()}'`
  console.log(`${value} read as ${read}, filtered by ${filtered}, the literal of these bytes is ${literal}`)
  isAsStated &&= read === value && filtered === `X'${value}'`
}
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
