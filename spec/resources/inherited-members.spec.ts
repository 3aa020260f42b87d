import express from 'express'
import { readEdmx } from '../../lib/csdl/read-edmx.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../support/http-exchange.js'
import { describeDatabases } from '../support/sql/databases.js'

const defaults = {
  Flag: ['Edm.Boolean', 'True', true],
  Off: ['Edm.Boolean', '0', false],
  Amount: ['Edm.Decimal', '12.5M', '12.5'],
  Code: ['Edm.Guid', "guid'AAAAAAAA-0000-0000-0000-000000000001'", 'aaaaaaaa-0000-0000-0000-000000000001'],
  Since: ['Edm.DateTime', '1970-01-01 00:00:01.000Z', '/Date(1000)/'],
  Opens: ['Edm.Time', '09:30:00', 'PT09H30M00S'],
  Bytes: ['Edm.Binary', '0x00ff', 'AP8='],
  Count: ['Edm.Int64', '5L', '5'],
  Text: ['Edm.String', "'x'", "'x'"],
} as const

const model = (): EdmModel =>
  readEdmx(`<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices>
    <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
      <EntityType Name="Place">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="At" Type="S.Summit" Nullable="false"/>
      </EntityType>
      <EntityType Name="Given">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        ${Object.entries(defaults)
          .map(([name, [type, text]]) => `<Property Name="${name}" Type="${type}" DefaultValue="${text}"/>`)
          .join('')}
      </EntityType>
      <ComplexType Name="Summit" BaseType="S.Position"><Property Name="Height" Type="Edm.Int32"/></ComplexType>
      <ComplexType Name="Position" BaseType="S.Named"><Property Name="Lat" Type="Edm.Double" Nullable="false"/></ComplexType>
      <ComplexType Name="Named"><Property Name="Name" Type="Edm.String"/></ComplexType>
      <EntityContainer Name="C" m:IsDefaultEntityContainer="true"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <EntitySet Name="Places" EntityType="S.Place"/><EntitySet Name="Givens" EntityType="S.Given"/>
      </EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`)

function describeModel(providerOf: () => Promise<Provider>): void {
  let server: TestServer
  let send: (method: string, path: string, body?: unknown) => Promise<{ status: number; d: unknown }>

  beforeAll(async () => {
    server = await TestServer.start(express().use('/s', odataV2(model(), await providerOf())))
    send = async (method, path, body) => {
      const { status, text } = await server.send(`/s/${encodeURI(path)}`, {
        method,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { d } = (text === '' ? {} : JSON.parse(text)) as { d?: unknown }
      return { status, d: d ?? text }
    }
  })

  afterAll(() => server.stop())

  it('MUST read, write and filter members that a complex type inherits', async () => {
    const At = { Name: 'Eiger', Lat: 46.5, Height: 3967 }
    expect(await send('POST', 'Places', { ID: 1, At })).toMatchObject({
      status: 201,
      d: { At: { Name: 'Eiger', Lat: '46.5', Height: 3967 } },
    })
    expect((await send('POST', 'Places', { ID: 2, At: { Lat: 1 } })).status).toBe(201)
    expect((await send('MERGE', 'Places(2)', { At: { Name: 'Low' } })).status).toBe(204)
    expect(await send('GET', 'Places(2)/At/Name')).toMatchObject({ d: { Name: 'Low' } })
    expect(
      await send('GET', "Places?$filter=At/Name eq 'Eiger' and At/Lat gt 46&$orderby=At/Name"),
    ).toMatchObject({
      d: { results: [{ ID: 1 }] },
    })
    expect(await send('POST', 'Places', { ID: 3, At: { Name: 'x' } })).toMatchObject({
      status: 400,
      d: expect.stringContaining("'At.Lat' needs a value") as string,
    })
  })

  it('MUST give new entities the default values of the model, in every form in which documents write them', async () => {
    const expected = Object.fromEntries(Object.entries(defaults).map(([name, [, , value]]) => [name, value]))
    expect(await send('POST', 'Givens', { ID: 1 })).toMatchObject({ status: 201, d: expected })
  })
}

describe('memory', () => {
  describeModel(() => Promise.resolve(memoryProvider(model())))

  it('MUST describe inherited members of a complex type', () => {
    const names = model()
      .complexTypes.get('S.Summit')
      ?.properties.map(({ name }) => name)
    expect(names).toEqual(['Name', 'Lat', 'Height'])
  })
})

describeDatabases(({ kind, open }) => {
  describeModel(async () => {
    const [bool, real, bytes, guid, date, time] =
      kind === 'sqlite'
        ? ['boolean', 'real', 'blob', 'text', 'text', 'text']
        : ['boolean', 'float8', 'bytea', 'uuid', 'timestamp', 'time']
    const db = await open([
      `create table "Places" ("ID" integer primary key, "At_Name" text, "At_Lat" ${real} not null, "At_Height" integer)`,
      `create table "Givens" ("ID" integer primary key, "Flag" ${bool}, "Off" ${bool}, "Amount" numeric, "Code" ${guid},
        "Since" ${date}, "Opens" ${time}, "Bytes" ${bytes}, "Count" bigint, "Text" text)`,
    ])
    return sqlProvider(model(), db)
  })
})
