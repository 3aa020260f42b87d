#!/usr/bin/env bash
# angular-odata 0.158.0 with Angular 21.2.24 and `version: '2.0'` in the configuration of the service.
#
# Next links and counts of feeds are not read, because the library searches them in `__metadata`: `fetchAll` returns the first
# page as if it were all entities, and `withCount` no count. The count of `$count` is undefined too: the library takes the
# member `d` of every body, also of plain text. Values of Edm.Int64 become numbers, so that those above 2^53 change.
# Apostrophes of strings are neither doubled in filters nor in keys, and dates have no prefix: services reject both.
#
# Output seen:
#   fetchAll: 1 of 2 entities, requests: /Meters
#   Counter 9007199254740993 read as 9007199254740992
#   count: undefined, request: /Meters/$count
#   withCount: undefined, request: /Meters?$inlinecount=allpages
#   filter by O'Neil: Name eq 'O'Neil'
#   filter by a date: At ge 2026-01-01T00:00:00.000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund angular-odata@0.158.0 @angular/core@21.2.24 @angular/common@21.2.24 \
  @angular/compiler@21.2.24 rxjs@7.8.2

cat >run.mjs <<'SCRIPT'
import '@angular/compiler'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { DOCUMENT } from '@angular/common'
import { provideHttpClient, withFetch } from '@angular/common/http'
import {
  createEnvironmentInjector,
  ErrorHandler,
  PLATFORM_ID,
  platformCore,
  provideZonelessChangeDetection,
  ɵINJECTOR_SCOPE,
} from '@angular/core'
import { ODataClient, provideODataClient } from 'angular-odata'
import { firstValueFrom } from 'rxjs'

let requests = []
const meter = (ID) => ({ __metadata: { uri: `http://h/Meters(${ID})`, type: 'N.Meter' }, ID, Counter: '9007199254740993' })
const server = createServer(({ url }, response) => {
  requests.push(decodeURIComponent(url))
  const { pathname, searchParams } = new URL(url, 'http://h')
  const isCount = pathname.endsWith('/$count')
  const next = { __count: '2', __next: 'http://h/Meters?$skiptoken=1' }
  const page = searchParams.has('$skiptoken') ? { results: [meter(2)] } : { results: [meter(1)], ...next }
  response.setHeader('DataServiceVersion', '2.0')
  response.setHeader('Content-Type', isCount ? 'text/plain' : 'application/json')
  response.end(isCount ? '2' : JSON.stringify({ d: page }))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const fields = {
  ID: { type: 'Edm.Int32', nullable: false },
  Counter: { type: 'Edm.Int64' },
  Name: { type: 'Edm.String' },
  At: { type: 'Edm.DateTime' },
}
const config = {
  name: 'service',
  serviceRootUrl: `http://127.0.0.1:${server.address().port}/`,
  version: '2.0',
  default: true,
  schemas: [
    {
      namespace: 'N',
      entities: [{ name: 'Meter', keys: [{ name: 'ID', ref: 'ID' }], fields }],
      containers: [{ entitySets: [{ name: 'Meters', entityType: 'N.Meter' }] }],
    },
  ],
}
const providers = [
  { provide: ɵINJECTOR_SCOPE, useValue: 'root' },
  { provide: DOCUMENT, useValue: { cookie: '' } },
  { provide: PLATFORM_ID, useValue: 'server' },
  { provide: ErrorHandler, useValue: new ErrorHandler() },
  provideZonelessChangeDetection(),
  provideHttpClient(withFetch()),
  provideODataClient({ config }),
]
const client = createEnvironmentInjector(providers, platformCore().injector).get(ODataClient)
await client.initialize()

const run = async (read) => {
  requests = []
  const result = await firstValueFrom(read(client.entitySet('Meters', 'N.Meter')))
  return { result, requests: requests.map((url) => url.replace(/^\/(?:Meters\?\$filter=)?/, (start) => (start === '/' ? '/' : ''))) }
}
const filtered = (filter) => (meters) => (meters.query((query) => query.filter(filter)), meters.fetch())

const all = await run((meters) => meters.fetchAll())
const count = await run((meters) => meters.count().fetch())
const withCount = await run((meters) => meters.fetch({ withCount: true }))
const byName = await run(filtered({ Name: "O'Neil" }))
const byDate = await run(filtered({ At: { ge: new Date('2026-01-01T00:00:00Z') } }))
server.close()
server.closeAllConnections()

const seen = `fetchAll: ${all.result.entities.length} of 2 entities, requests: ${all.requests.join(' ')}
Counter 9007199254740993 read as ${all.result.entities[0].Counter}
count: ${count.result}, request: ${count.requests}
withCount: ${withCount.result.annots.count}, request: ${withCount.requests}
filter by O'Neil: ${byName.requests}
filter by a date: ${byDate.requests}`
console.log(seen)
const expected = `fetchAll: 1 of 2 entities, requests: /Meters
Counter 9007199254740993 read as 9007199254740992
count: undefined, request: /Meters/$count
withCount: undefined, request: /Meters?$inlinecount=allpages
filter by O'Neil: Name eq 'O'Neil'
filter by a date: At ge 2026-01-01T00:00:00.000Z`
process.exit(seen === expected ? 0 : 1)
SCRIPT
node run.mjs
