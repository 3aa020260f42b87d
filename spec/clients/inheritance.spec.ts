import { parse } from '@sap-ux/edmx-parser'
import { memoryProvider, odataV2, readEdmx, writeEdmx } from 'express-odata-v2'
import type { Entity } from './support/openui5-toolkit.js'
import { OpenUI5, startTime } from './support/openui5.js'

const edmx = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
  <EntityType Name="Party"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false" sap:label="Number"/></EntityType>
  <EntityType Name="Person" BaseType="N.Party"><Property Name="Name" Type="Edm.String"/></EntityType>
  <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
    <EntitySet Name="People" EntityType="N.Person"/>
  </EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`
const model = readEdmx(edmx)

describe('A metadata document with flattened inheritance', () => {
  let ui5: OpenUI5

  beforeAll(async () => {
    ui5 = await OpenUI5.start()
  }, startTime)
  afterAll(() => ui5.close())

  it.each([
    [false, 'Error', ''],
    [true, 'People(7)', 'Number'],
  ])('MUST let OpenUI5 create keys and find labels: %s', async (flattenInheritance, key, label) => {
    const rows = { People: [{ ID: 7, Name: 'Ada' }] }
    const root = ui5.mount(
      `people-${String(flattenInheritance)}`,
      odataV2(model, memoryProvider(model, rows), { flattenInheritance }),
    )
    const seen = await ui5.run(async ({ open, metaOf }, root) => {
      const odata = await open(root)
      const meta = await metaOf(odata)
      const property = meta.getODataProperty(meta.getODataEntityType('N.Person'), 'ID') as Entity | null
      const label = property?.['sap:label'] ?? ''
      try {
        return [odata.createKey('People', { ID: '7' }), label]
      } catch {
        return ['Error', label]
      }
    }, root)
    expect(seen).toEqual([key, label])
  })

  it('MUST let the parser of SAP find keys', () => {
    const keysIn = (document: string): string[] =>
      parse(document).schema.entityTypes.map(
        ({ name, keys }) => `${name}: ${keys.map((one) => one.name).join()}`,
      )
    expect(keysIn(writeEdmx(model))).toEqual(['Party: ID', 'Person: '])
    expect(keysIn(writeEdmx(model, { flattenInheritance: true }))).toEqual(['Party: ID', 'Person: ID'])
  })
})
