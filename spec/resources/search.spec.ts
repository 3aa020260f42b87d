import express from 'express'
import type { EntitySetProvider, Row } from '../../lib/index.js'
import { memoryProvider, odataV2, readEdmx } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = readEdmx(`<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="2.0">
    <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
      <EntityType Name="Item">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/>
      </EntityType>
      <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Items" EntityType="S.Item" sap:searchable="true"/>
        <EntitySet Name="Plain" EntityType="S.Item"/>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`)

const rows: Row[] = [
  { ID: 1, Name: 'a' },
  { ID: 2, Name: 'b' },
]

let server: TestServer
beforeAll(async () => {
  const memory = memoryProvider(model, { Items: rows, Plain: rows })
  const Items: EntitySetProvider = {
    read: (_query, { customOptions }) => {
      const wanted = customOptions.find(([name]) => name === 'search')?.[1]
      return rows.filter(({ Name }) => wanted === undefined || Name === wanted)
    },
  }
  const app = express()
  app.use('/memory', odataV2(model, memory))
  app.use('/disabled', odataV2(model, memory, { search: false }))
  app.use('/unrestricted', odataV2(model, memory, { sapRestrictions: false }))
  app.use('/own', odataV2(model, { entitySets: { ...memory.entitySets, Items } }))
  const searching: EntitySetProvider = {
    read: ({ search }) =>
      rows.filter(({ Name }) => search?.terms.every((term) => term.toLowerCase() === Name) !== false),
    pushdown: { search: () => true },
  }
  app.use('/searching', odataV2(model, { entitySets: { ...memory.entitySets, Items: searching } }))
  const { Items: inner } = memory.entitySets as Record<string, EntitySetProvider>
  const wrapped = { ...inner, ...Items, pushdown: { ...inner?.pushdown, filter: () => false, search: true } }
  app.use('/wrapped', odataV2(model, { entitySets: { ...memory.entitySets, Items: wrapped } }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

describe('The option search on a set with sap:searchable', () => {
  it.each<[path: string, keys: readonly number[]]>([
    ['Items?search=A', [1]],
    ['Items?%73earch=b', [2]],
    ['Items?search=a b', []],
    ['Items?search=', [1, 2]],
    ['Items?search=%20*%20', [1, 2]],
    ['Plain?search=a', [1, 2]],
    ['Items?searched=a', [1, 2]],
  ])('MUST find the entities that contain each term: %s', async (path, keys) => {
    for (const service of ['/memory', '/unrestricted', '/searching']) {
      const separator = path.includes('?') ? '&' : '?'
      const { text } = await server.send(`${service}/${path.replace(' ', '%20')}${separator}$format=json`)
      const { d } = JSON.parse(text) as { d: { results: { ID: number }[] } }
      expect(d.results.map(({ ID }) => ID)).toEqual(keys)
    }
  })

  it('MUST restrict $count, and be ignored for an entity', async () => {
    expect((await server.send('/memory/Items/$count?search=A')).text).toBe('1')
    expect((await server.send('/memory/Items(2)?search=A')).status).toBe(200)
  })

  it.each(['/own', '/wrapped'])('MUST reach a provider of the application: %s', async (service) => {
    const { text } = await server.send(`${service}/Items?search=b&$format=json`)
    expect(JSON.parse(text)).toMatchObject({ d: { results: [{ ID: 2 }] } })
    expect(text).not.toContain('"ID":1')
  })

  it('MUST be left to the provider if the application has disabled it', async () => {
    expect((await server.send('/disabled/Items/$count?search=A')).text).toBe('2')
  })

  it('MUST be evaluated in each part of a batch', async () => {
    const part = (word: string): string[] => [
      '--b',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      `GET Items/$count?search=${word} HTTP/1.1`,
      '',
      '',
    ]
    const { text } = await server.send('/memory/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: [...part('A'), ...part('x'), '--b--', ''].join('\r\n'),
    })
    expect(text.match(/^\d$/gm)).toEqual(['1', '0'])
  })
})
