import express from 'express'
import { odataV2, readEdmx } from '../../../lib/index.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import type { ServedUpstream } from '../../support/upstream-v2.js'
import { serveUpstream } from '../../support/upstream-v2.js'
import { TestServer } from '../../support/http-exchange.js'

const model = readEdmx(`<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
<EntityType Name="Shelf"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
<Property Name="Name" Type="Edm.String"/><NavigationProperty Name="Cheeses" Relationship="S.Holds" FromRole="Shelf" ToRole="Cheese"/></EntityType>
<EntityType Name="Cheese"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
<Property Name="Name" Type="Edm.String"/><Property Name="Kind" Type="Edm.String"/><Property Name="ShelfID" Type="Edm.Int32"/></EntityType>
<Association Name="Holds"><End Role="Shelf" Type="S.Shelf" Multiplicity="0..1"/><End Role="Cheese" Type="S.Cheese" Multiplicity="*"/>
<ReferentialConstraint><Principal Role="Shelf"><PropertyRef Name="ID"/></Principal><Dependent Role="Cheese"><PropertyRef Name="ShelfID"/></Dependent></ReferentialConstraint></Association>
<EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Shelves" EntityType="S.Shelf" sap:searchable="true"/>
<EntitySet Name="Cheeses" EntityType="S.Cheese" sap:searchable="true"/>
<AssociationSet Name="Holds" Association="S.Holds"><End Role="Shelf" EntitySet="Shelves"/><End Role="Cheese" EntitySet="Cheeses"/></AssociationSet>
</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`)

const rows = {
  Shelves: [{ ID: 1, Name: 'Dutch gouda' }],
  Cheeses: [
    { ID: 1, Name: 'Gouda gouda', Kind: 'hard', ShelfID: 1 },
    { ID: 2, Name: 'Brie', Kind: 'not gouda', ShelfID: 1 },
    { ID: 3, Name: 'Feta', Kind: 'salty', ShelfID: 1 },
  ],
}

describe('The search of a V2 service', () => {
  let upstream: ServedUpstream
  let server: TestServer

  beforeAll(async () => {
    upstream = await serveUpstream(model, memoryProvider(model, rows))
    const { model: own, provider } = upstream
    const authorize = ({ entitySet }: { entitySet?: string | undefined }) =>
      entitySet === 'Cheeses' ? 'ID gt 2' : undefined
    server = await TestServer.start(
      express()
        .use('/n', odataV2(own, provider))
        .use('/restricted', odataV2(own, provider, { authorize })),
    )
  })
  afterAll(async () => {
    await server.stop()
    await upstream.dispose()
  })

  const textOf = async (path: string): Promise<string> =>
    (await server.send(`/${path}`, { headers: { Accept: 'application/json' } })).text

  it.each([
    ['Cheeses?search=gouda&$select=ID', [1, 2]],
    ['Cheeses?search=%22gouda%20gouda%22', [1]],
    ['Cheeses?search=gouda&search-focus=Kind', [2]],
    ['Cheeses?search=%20', [1, 2, 3]],
    ['Cheeses?search=gouda&$filter=length(Name)%20eq%204', [2]],
    ['Shelves(1)/Cheeses?search=salty', [3]],
  ])('MUST be sent to it: %s', async (path, ids) => {
    const { d } = JSON.parse(await textOf(`n/${path}`)) as { d: { results: { ID: number }[] } }
    expect(d.results.map(({ ID }) => ID)).toEqual(ids)
  })

  it.each([
    ['Cheeses/$count?search=gouda', '2'],
    ['Shelves(1)/Cheeses/$count?search=salty', '1'],
    ['Cheeses?search=gouda&$inlinecount=allpages&$top=1', '"__count":"2"'],
  ])('MUST restrict counts: %s', async (path, expected) => {
    expect(await textOf(`n/${path}`)).toContain(expected)
  })

  it('MUST NOT restrict related entities, read together or alone', async () => {
    expect(await textOf('n/Shelves?search=Dutch&$expand=Cheeses')).toContain('Feta')
    const alone = await textOf('restricted/Shelves?search=Dutch&$expand=Cheeses')
    expect([alone.includes('Feta'), alone.includes('Brie')]).toEqual([true, false])
  })
})
