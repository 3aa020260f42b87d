import express from 'express'
import { memoryProvider, odataV2, readEdmx } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { messageOf } from '../support/services/order-service.js'

const closed = 'sap:sortable="false" sap:filterable="false"'

/** The metadata of drafts as SAP generates it, with everything closed that SAP closes somewhere. */
const metadata = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
  <Schema Namespace="D" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
    <EntityType Name="Product">
      <Key><PropertyRef Name="ProductID"/><PropertyRef Name="IsActiveEntity"/></Key>
      <Property Name="ProductID" Type="Edm.String" Nullable="false"/>
      <Property Name="IsActiveEntity" Type="Edm.Boolean" Nullable="false" ${closed}/>
      <Property Name="HasActiveEntity" Type="Edm.Boolean" ${closed}/>
      <Property Name="HasDraftEntity" Type="Edm.Boolean" ${closed}/>
      <Property Name="Secret" Type="Edm.String" ${closed}/>
      <Property Name="InProcessByUser" Type="Edm.String" ${closed}/>
      <NavigationProperty Name="SiblingEntity" Relationship="D.Siblings" FromRole="One" ToRole="Other" sap:filterable="false"/>
      <NavigationProperty Name="DraftAdministrativeData" Relationship="D.Drafts" FromRole="Entity" ToRole="Draft" sap:filterable="false"/>
    </EntityType>
    <EntityType Name="DraftAdministrativeDataType">
      <Key><PropertyRef Name="DraftUUID"/></Key>
      <Property Name="DraftUUID" Type="Edm.Guid" Nullable="false"/>
      <Property Name="InProcessByUser" Type="Edm.String" ${closed}/>
      <Property Name="CreatedByUser" Type="Edm.String" ${closed}/>
    </EntityType>
    <EntityType Name="Account">
      <Key><PropertyRef Name="ID"/></Key>
      <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
      <Property Name="IsActiveEntity" Type="Edm.String" ${closed}/>
      <Property Name="HasDraftEntity" Type="Edm.Boolean" ${closed}/>
    </EntityType>
    <Association Name="Siblings"><End Role="One" Type="D.Product" Multiplicity="0..1"/><End Role="Other" Type="D.Product" Multiplicity="0..1"/></Association>
    <Association Name="Drafts"><End Role="Entity" Type="D.Product" Multiplicity="*"/><End Role="Draft" Type="D.DraftAdministrativeDataType" Multiplicity="0..1"/></Association>
    <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
      <EntitySet Name="Products" EntityType="D.Product"/>
      <EntitySet Name="Accounts" EntityType="D.Account"/>
      <EntitySet Name="Drafts" EntityType="D.DraftAdministrativeDataType"/>
      <AssociationSet Name="Siblings" Association="D.Siblings"><End Role="One" EntitySet="Products"/><End Role="Other" EntitySet="Products"/></AssociationSet>
      <AssociationSet Name="DraftsOf" Association="D.Drafts"><End Role="Entity" EntitySet="Products"/><End Role="Draft" EntitySet="Drafts"/></AssociationSet>
    </EntityContainer>
  </Schema></edmx:DataServices></edmx:Edmx>`

const draft = '11111111-1111-1111-1111-111111111111'

describe('Filters of Fiori elements on drafts that SAP marks as not filterable', () => {
  let server: TestServer
  beforeAll(async () => {
    const model = readEdmx(metadata)
    const product = (ProductID: string, IsActiveEntity: boolean, HasDraftEntity: boolean) => ({
      ProductID,
      IsActiveEntity,
      HasActiveEntity: !IsActiveEntity,
      HasDraftEntity,
    })
    const provider = memoryProvider(model, {
      Drafts: [{ DraftUUID: draft, InProcessByUser: 'ANN', CreatedByUser: 'ANN' }],
      Products: [
        product('plain', true, false),
        {
          ...product('edited', true, true),
          SiblingEntity: { ProductID: 'edited', IsActiveEntity: false },
          DraftAdministrativeData: draft,
        },
        { ...product('edited', false, false), DraftAdministrativeData: draft },
      ],
    })
    server = await TestServer.start(express().use('/d', odataV2(model, provider)))
  })
  afterAll(() => server.stop())

  const send = (path: string) =>
    server.send(`/d/${path.replaceAll(' ', '%20')}`, { headers: { Accept: 'application/json' } })

  it.each([
    ['IsActiveEntity eq false or SiblingEntity/IsActiveEntity eq null', 'edited false, plain true'],
    ['IsActiveEntity eq true and HasDraftEntity eq false', 'plain true'],
    ['IsActiveEntity eq false', 'edited false'],
    ['IsActiveEntity eq false and HasActiveEntity eq true', 'edited false'],
    [
      "IsActiveEntity eq true and SiblingEntity/IsActiveEntity eq null and DraftAdministrativeData/InProcessByUser ne ''",
      'plain true',
    ],
    ["DraftAdministrativeData/InProcessByUser eq 'ANN'", 'edited false, edited true'],
  ])('%s MUST be accepted', async (filter, expected) => {
    const path = `Products?$filter=${filter}`
    const { status, text } = await send(path)
    expect([status, text]).toEqual([200, expect.any(String)])
    const { d } = JSON.parse(text) as {
      d: { results: { ProductID: string; IsActiveEntity: boolean }[] }
    }
    const found = d.results.map((one) => `${one.ProductID} ${String(one.IsActiveEntity)}`)
    expect(found.sort().join(', ')).toBe(expected)
  })

  it.each([
    ["Products?$filter=Secret eq 'x'", "'Secret'"],
    ["Products?$filter=SiblingEntity/Secret eq 'x'", "'SiblingEntity/Secret'"],
    ["Products?$filter=InProcessByUser eq 'x'", "'InProcessByUser'"],
    ["Drafts?$filter=CreatedByUser eq 'x'", "'CreatedByUser'"],
    ['Products?$orderby=IsActiveEntity', "'IsActiveEntity'"],
    // These are no drafts: IsActiveEntity is not Boolean.
    ["Accounts?$filter=IsActiveEntity eq 'x'", "'IsActiveEntity'"],
    ['Accounts?$filter=HasDraftEntity eq true', "'HasDraftEntity'"],
  ])(
    'GET %s MUST be rejected like other properties that are not filterable or sortable',
    async (path, name) => {
      const response = await send(path)
      expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining(name)])
    },
  )
})
