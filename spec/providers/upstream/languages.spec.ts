import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { odataV2 } from '../../../lib/index.js'
import type { OpenedService } from '../../../lib/v2.js'
import { openV2 } from '../../../lib/v2.js'
import { openV4 } from '../../../lib/v4.js'
import { TestServer } from '../../support/http-exchange.js'
import { metadataOf } from '../../support/v4/faulty-server.js'

const labels: Readonly<Record<string, string>> = { en: 'Price', de: 'Preis' }

const v4 = (language: string): string =>
  metadataOf(`<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
<Property Name="Price" Type="Edm.Decimal"><Annotation Term="com.sap.vocabularies.Common.v1.Label" String="${labels[language] ?? ''}"/></Property></EntityType>`)

const v2 = (
  language: string,
): string => `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
<Property Name="Price" Type="Edm.Decimal" sap:label="${labels[language] ?? ''}"/></EntityType>
<EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Items" EntityType="S.Item"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`

describe.each([
  { version: 'V4', open: openV4, metadata: v4, items: '{"value":[]}' },
  { version: 'V2', open: openV2, metadata: v2, items: '{"d":{"results":[]}}' },
])('The languages of a $version service', ({ open, metadata, items }) => {
  let isChanged = false
  let received: string[] = []
  const upstream = http.createServer(({ url = '', headers }, response) => {
    const language = headers['accept-language'] ?? ''
    received.push(`${url.split('?')[0] ?? ''} ${language}`)
    const document = metadata(language) + (isChanged && language === 'de' ? '\n' : '')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(url.includes('$metadata') ? document : items)
  })
  let root: string
  let opened: OpenedService
  let server: TestServer

  beforeAll(async () => {
    upstream.listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    root = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/up/`
    opened = await open(root, { languages: ['en', 'de'] })
    server = await TestServer.start(
      express().use('/n', odataV2(opened.model, opened.provider, opened.options)),
    )
  })
  afterAll(async () => {
    await server.stop()
    opened.close()
    upstream.closeAllConnections()
    upstream.close()
    await once(upstream, 'close')
  })

  // Services translate the labels of their metadata document by Accept-Language.
  it.each([
    ['de-AT', 'Preis'],
    ['en', 'Price'],
    ['fr', 'Price'],
  ])('MUST have its labels: %s', async (language, label) => {
    const { text } = await server.send('/n/$metadata', { headers: { 'Accept-Language': language } })
    expect(text).toContain(`sap:label="${label}"`)
  })

  it('MUST be passed on with requests', async () => {
    received = []
    await server.send('/n/Items', { headers: { 'Accept-Language': 'de' } })
    expect(received).toEqual(['/up/Items de'])
  })

  it('MUST be read again if the document of any of them has changed', async () => {
    expect(await opened.reload()).toBeUndefined()
    isChanged = true
    const changed = await opened.reload()
    expect(changed?.options.languages?.texts.de?.labels['S.Item/Price']).toEqual({ label: 'Preis' })
  })

  it('MUST be those of the service only if they are requested', async () => {
    received = []
    const plain = await open(root)
    plain.close()
    expect([plain.options, received]).toEqual([{}, ['/up/$metadata en']])
  })

  it.each([[[]], [['en', 'en']], [['english language']], ['de'], [[1]]])(
    'MUST be different tags: %j',
    async (languages) => {
      await expect(open(root, { languages } as object)).rejects.toThrow(/languages must be different tags/)
    },
  )
})
