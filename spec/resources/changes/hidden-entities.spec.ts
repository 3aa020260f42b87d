import express from 'express'
import type { Authorize } from '../../../lib/index.js'
import { filter, memoryProvider, ODataError, odataV2, readEdmx } from '../../../lib/index.js'
import { edmxOf } from '../../support/edmx-document.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'

/** Depots need their region; each has one gate at most, which needs its depot. */
const edmx = edmxOf(`<Schema Namespace="M" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
  <EntityType Name="Region"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
    <Property Name="Owner" Type="Edm.String"/>
    <Property Name="Open" Type="Edm.Boolean"/>
    <NavigationProperty Name="Depots" Relationship="M.RegionDepots" FromRole="Region" ToRole="Depots"
      sap:creatable-path="Open"/>
  </EntityType>
  <EntityType Name="Depot"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
    <Property Name="Owner" Type="Edm.String"/>
    <Property Name="Secret" Type="Edm.String"/>
    <Property Name="RegionID" Type="Edm.Int32" Nullable="false"/>
  </EntityType>
  <EntityType Name="Gate"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
    <Property Name="Owner" Type="Edm.String"/>
    <Property Name="RegionID" Type="Edm.Int32"/>
  </EntityType>
  <Association Name="RegionDepots">
    <End Role="Region" Type="M.Region" Multiplicity="1"/><End Role="Depots" Type="M.Depot" Multiplicity="*"/>
    <ReferentialConstraint>
      <Principal Role="Region"><PropertyRef Name="ID"/></Principal>
      <Dependent Role="Depots"><PropertyRef Name="RegionID"/></Dependent>
    </ReferentialConstraint>
  </Association>
  <Association Name="RegionGate">
    <End Role="Region" Type="M.Region" Multiplicity="0..1"/><End Role="Gate" Type="M.Gate" Multiplicity="0..1"/>
    <ReferentialConstraint>
      <Principal Role="Region"><PropertyRef Name="ID"/></Principal>
      <Dependent Role="Gate"><PropertyRef Name="RegionID"/></Dependent>
    </ReferentialConstraint>
  </Association>
  <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
    <EntitySet Name="Regions" EntityType="M.Region"/><EntitySet Name="Depots" EntityType="M.Depot"/>
    <EntitySet Name="Gates" EntityType="M.Gate"/>
    <AssociationSet Name="RegionDepots" Association="M.RegionDepots">
      <End Role="Region" EntitySet="Regions"/><End Role="Depots" EntitySet="Depots"/>
    </AssociationSet>
    <AssociationSet Name="RegionGate" Association="M.RegionGate">
      <End Role="Region" EntitySet="Regions"/><End Role="Gate" EntitySet="Gates"/>
    </AssociationSet>
  </EntityContainer></Schema>`)

const data = {
  Regions: [
    { ID: 1, Owner: 'ada' },
    { ID: 2, Owner: 'ben', Open: false },
  ],
  Depots: [{ ID: 4711, Owner: 'ben', Secret: 'gold', RegionID: 1 }],
  Gates: [{ ID: 4712, Owner: 'ben', RegionID: 1 }],
}

let server: TestServer
afterEach(() => server.stop())

async function start(authorize: Authorize): Promise<void> {
  const model = readEdmx(edmx)
  server = await TestServer.start(
    express().use('/m', odataV2(model, memoryProvider(model, data), { authorize })),
  )
}

function send(method: string, target: string, body?: unknown, headers = {}): Promise<HttpResponse> {
  const all = { Accept: 'application/json', 'Content-Type': 'application/json', ...headers }
  return server.send(`/m/${target}`, {
    method,
    headers: all,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const own = filter`Owner eq ${'ada'}`
const readsOwn: Authorize = ({ kind }) => (kind === 'read' ? own : undefined)

describe('Changes of entities that the caller cannot see', () => {
  it.each(['return-content', 'return=representation'])(
    'MUST NOT return the entity for %s',
    async (prefer) => {
      await start(readsOwn)
      const response = await send('MERGE', 'Depots(4711)', { Owner: 'eve' }, { Prefer: prefer })
      expect([response.status, response.text]).toEqual([204, ''])
      expect(response.headers['preference-applied']).toBeUndefined()
    },
  )

  it('MUST return the entity when the change makes it visible to the caller', async () => {
    await start(readsOwn)
    const response = await send('MERGE', 'Depots(4711)', { Owner: 'ada' }, { Prefer: 'return-content' })
    expect([response.status, response.headers['preference-applied']]).toEqual([200, 'return-content'])
    expect(response.text).toContain('gold')
  })

  it('MUST be rejected when the caller has no read access', async () => {
    await start(({ kind }) => {
      if (kind === 'read') throw new ODataError('Forbidden')
      return undefined
    })
    const refused = await send('MERGE', 'Depots(4711)', { Owner: 'eve' }, { Prefer: 'return-content' })
    expect([refused.status, refused.text.includes('gold')]).toEqual([403, false])
    expect((await send('MERGE', 'Depots(4711)', { Owner: 'eve' })).status).toBe(204)
  })

  it('MUST get 404 before any condition on their state is checked', async () => {
    await start(readsOwn)
    const hidden = await send('POST', 'Regions(2)/Depots', { ID: 9 })
    const missing = await send('POST', 'Regions(3)/Depots', { ID: 9 })
    expect([hidden.status, hidden.text]).toEqual([missing.status, missing.text])
    expect(hidden.status).toBe(404)
  })

  it('MUST NOT reveal the keys of conflicting entities', async () => {
    await start(() => own)
    const needed = await send('DELETE', 'Regions(1)')
    expect([needed.status, needed.text.includes('4711'), needed.text.includes('Depots')]).toEqual([
      409,
      false,
      true,
    ])
    const taken = await send('POST', 'Gates', { ID: 1, Owner: 'ada', RegionID: 1 })
    expect([taken.status, taken.text.includes('4712'), taken.text.includes('Gates')]).toEqual([
      409,
      false,
      true,
    ])
  })
})

describe('An insert of an entity that the caller may not read', () => {
  const depot = { ID: 1, Owner: 'eve', Secret: 'gold', RegionID: 1 }

  it('MUST respond with 204 and the address of the entity, without its values', async () => {
    await start(readsOwn)
    const response = await send('POST', 'Depots', depot, { Prefer: 'return=representation' })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.location).toMatch(/\/m\/Depots\(1\)$/)
  })

  it('MUST respond with 204 where the caller may read no entity of the set', async () => {
    await start(({ kind }) => {
      if (kind === 'read') throw new ODataError('Forbidden')
      return undefined
    })
    const response = await send('POST', 'Gates', { ID: 2, Owner: 'ada' })
    expect([response.status, response.text]).toEqual([204, ''])
  })

  it('MUST still respond with an entity that the caller may read', async () => {
    await start(readsOwn)
    const response = await send('POST', 'Depots', { ...depot, Owner: 'ada' })
    expect([response.status, response.text.includes('gold')]).toEqual([201, true])
  })
})
