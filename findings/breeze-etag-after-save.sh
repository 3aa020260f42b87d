#!/usr/bin/env bash
# Breeze, breeze-client 2.2.2 with its OData adapter and datajs 1.0.3: the ETag after an entity was saved.
#
# A service returns the new ETag of a changed entity in the header of the 204 response. The adapter ignores it and keeps
# the ETag of the query: the second change of an entity is sent with the ETag from before the first one. A service that
# compares ETags rejects it with 412, although no other user has changed the entity.
#
# Output seen:
#   If-Match of the first change: W/"1", ETag of its response: W/"2"
#   If-Match of the second change: W/"1"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund breeze-client@2.2.2 datajs@1.0.3

cat >run.mjs <<'SCRIPT'
import { createRequire } from 'node:module'
import * as breeze from 'breeze-client'
import { DataServiceODataAdapter } from 'breeze-client/adapter-data-service-odata'
import { ModelLibraryBackingStoreAdapter } from 'breeze-client/adapter-model-library-backing-store'
import { UriBuilderODataAdapter } from 'breeze-client/adapter-uri-builder-odata'

globalThis.window = globalThis
createRequire(import.meta.url)('datajs')

let version = 1
const sent = []
const product = () => ({
  __metadata: { uri: 'http://host/Products(1)', type: 'Shop.Product', etag: `W/"${version}"` },
  ID: 1,
  Name: 'Gouda',
})
const changed = () =>
  [
    ...['--b', 'Content-Type: multipart/mixed; boundary=c', ''],
    ...['--c', 'Content-Type: application/http', 'Content-Transfer-Encoding: binary', ''],
    ...['HTTP/1.1 204 No Content', 'Content-ID: 1', `ETag: W/"${(version += 1)}"`, '', ''],
    ...['--c--', '--b--', ''],
  ].join('\r\n')
/** Responds instead of a service. */
OData.defaultHttpClient = {
  request({ requestUri, body }, success) {
    const isBatch = requestUri.endsWith('$batch')
    if (isBatch) sent.push(/If-Match: *(.*)/i.exec(body)?.[1].trim())
    setTimeout(() =>
      success({
        requestUri,
        statusCode: isBatch ? 202 : 200,
        headers: { 'Content-Type': isBatch ? 'multipart/mixed; boundary=b' : 'application/json', DataServiceVersion: '2.0' },
        body: isBatch ? changed() : JSON.stringify({ d: { results: [product()] } }),
      }),
    )
    return { abort() {} }
  },
}

ModelLibraryBackingStoreAdapter.register()
UriBuilderODataAdapter.register()
DataServiceODataAdapter.register()
const dataService = new breeze.DataService({ serviceName: 'http://host/', hasServerMetadata: false })
const manager = new breeze.EntityManager({ dataService })
const type = new breeze.EntityType({ shortName: 'Product', namespace: 'Shop', defaultResourceName: 'Products' })
type.addProperty(new breeze.DataProperty({ nameOnServer: 'ID', dataType: breeze.DataType.Int32, isPartOfKey: true }))
type.addProperty(new breeze.DataProperty({ nameOnServer: 'Name', dataType: breeze.DataType.String }))
manager.metadataStore.addEntityType(type)
const { results } = await manager.executeQuery(breeze.EntityQuery.from('Products').toType('Product'))
const [gouda] = results
gouda.Name = 'Gouda, young'
await manager.saveChanges()
console.log(`If-Match of the first change: ${sent[0]}, ETag of its response: W/"${version}"`)
gouda.Name = 'Gouda, old'
await manager.saveChanges()
console.log(`If-Match of the second change: ${sent[1]}`)
if (String(sent) !== 'W/"1",W/"1"') process.exitCode = 1
SCRIPT
node run.mjs
