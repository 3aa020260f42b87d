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
  app.use('/unrestricted', odataV2(model, memory, { sapRestrictions: false }))
  app.use('/own', odataV2(model, { entitySets: { ...memory.entitySets, Items } }))
  const { Items: inner } = memory.entitySets as Record<string, EntitySetProvider>
  const wrapped = { ...inner, ...Items, pushdown: { ...inner?.pushdown, filter: () => false, search: true } }
  app.use('/wrapped', odataV2(model, { entitySets: { ...memory.entitySets, Items: wrapped } }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

describe('The option search', () => {
  it.each(['Items?search=a', 'Items/$count?search=a', 'Items?search=a&$top=1', 'Items?%73earch=a'])(
    'MUST be refused with 400 where the provider would ignore it: %s',
    async (path) => {
      for (const service of ['/memory', '/unrestricted']) {
        const { status, text } = await server.ask(`${service}/${path}`)
        expect([status, text]).toEqual([400, expect.stringContaining("search is not supported on 'Items'")])
      }
    },
  )

  it.each(['Items?search=', 'Items(1)?search=a', 'Plain?search=a', 'Items?searched=a'])(
    'MUST be ignored where nothing is searched: %s',
    async (path) => {
      expect((await server.ask(`/memory/${path}`)).status).toBe(200)
    },
  )

  it.each(['/own', '/wrapped'])('MUST reach a provider of the application: %s', async (service) => {
    const { text } = await server.ask(`${service}/Items?search=b&$format=json`)
    expect(JSON.parse(text)).toMatchObject({ d: { results: [{ ID: 2 }] } })
    expect(text).not.toContain('"ID":1')
  })
})
