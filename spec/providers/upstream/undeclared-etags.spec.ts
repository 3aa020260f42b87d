import http from 'node:http'
import express from 'express'
import { odataV2 } from '../../../lib/index.js'
import type { OpenedService } from '../../../lib/v2.js'
import { openV2 } from '../../../lib/v2.js'
import { openV4 } from '../../../lib/v4.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { metadataOf } from '../../support/v4/faulty-server.js'

const type = `<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
<Property Name="Name" Type="Edm.String"/></EntityType>`

const v2 = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">${type}
<EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Items" EntityType="S.Item"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`

// RFC 9110, 8.8.3 (ETag); OData JSON Format 4.01, 4.6.8 (odata.etag); MS-ODATA 2.2.6.3.3 (etag in __metadata).
describe.each([
  {
    version: 'V4',
    open: openV4,
    metadata: metadataOf(type),
    entity: (etag: string | undefined) => ({ '@odata.etag': etag, ID: 1, Name: 'a' }),
  },
  {
    version: 'V2',
    open: openV2,
    metadata: v2,
    entity: (etag: string | undefined) => ({ d: { __metadata: { type: 'S.Item', etag }, ID: 1, Name: 'a' } }),
  },
])(
  'ETags of a $version service that its metadata document does not announce',
  ({ open, metadata, entity }) => {
    /** The If-Match header of each change that the upstream service has received. */
    let conditions: (string | undefined)[]
    let etag: string | undefined
    let isRequired = false
    let upstream: TestServer
    let opened: OpenedService
    let server: TestServer

    beforeAll(async () => {
      upstream = await TestServer.start(
        http.createServer(({ url = '', method, headers }, response) => {
          if (url.includes('$metadata')) {
            response.end(metadata)
            return
          }
          if (method === 'GET') {
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(entity(etag)))
            return
          }
          const condition = headers['if-match']
          conditions.push(condition)
          if (isRequired && condition === undefined) response.writeHead(428).end()
          else if (condition !== undefined && condition !== '*' && condition !== etag)
            response.writeHead(412).end()
          else response.writeHead(204, { etag: 'W/"new"' }).end()
        }),
      )
      opened = await open(`http://${upstream.host}/up`)
      server = await TestServer.start(
        express().use('/n', odataV2(opened.model, opened.provider, opened.options)),
      )
    })
    afterAll(async () => {
      await server.stop()
      opened.close()
      await upstream.stop()
    })
    beforeEach(() => {
      conditions = []
      etag = 'W/"old"'
      isRequired = false
    })

    const send = (
      method: string,
      headers: Record<string, string> = {},
      body?: string,
    ): Promise<HttpResponse> =>
      server.send('/n/Items(1)', {
        method,
        headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
      })
    const change = (headers?: Record<string, string>): Promise<HttpResponse> =>
      send('MERGE', headers, '{"Name":"b"}')

    it('MUST be in the header and in the entity', async () => {
      const { headers, text } = await send('GET')
      expect([headers.etag, JSON.parse(text)]).toMatchObject([
        'W/"old"',
        { d: { __metadata: { etag: 'W/"old"' } } },
      ])
    })

    it.each(['MERGE', 'DELETE'])('MUST be compared by the service: %s', async (method) => {
      const body = method === 'MERGE' ? '{"Name":"b"}' : undefined
      expect((await send(method, { 'If-Match': 'W/"other"' }, body)).status).toBe(412)
      expect((await send(method, { 'If-Match': 'W/"old"' }, body)).status).toBe(204)
      expect(conditions.slice(0, 2)).toEqual(['W/"other"', 'W/"old"'])
    })

    it('MUST be the new one after a change', async () => {
      expect((await change({ 'If-Match': 'W/"old"' })).headers.etag).toBe('W/"new"')
    })

    it('MAY be required by the service', async () => {
      expect((await change()).status).toBe(204)
      isRequired = true
      expect((await send('DELETE')).status).toBe(428)
    })

    it.each([
      ['none', undefined],
      ['one with characters that ETags cannot have', '\u20ac'],
    ])('MUST be absent if the service sends %s', async (_kind, sent) => {
      etag = sent
      const { headers, text } = await send('GET')
      expect([headers.etag, text.includes('etag')]).toEqual([undefined, false])
      expect((await change()).status).toBe(204)
    })
  },
)
