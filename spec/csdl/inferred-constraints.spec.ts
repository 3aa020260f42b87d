import express from 'express'
import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { withInferredConstraints } from '../../lib/csdl/inferred-constraints.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { generateData, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

/** Associations without constraints, as in documents of SAP systems. */
const document = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
<EntityType Name="Order"><Key><PropertyRef Name="SalesOrder"/></Key>
  <Property Name="SalesOrder" Type="Edm.String" Nullable="false" MaxLength="10"/>
  <Property Name="Currency" Type="Edm.String" MaxLength="5"/>
  <NavigationProperty Name="to_Item" Relationship="S.OrderItem" FromRole="Order" ToRole="Item"/>
  <NavigationProperty Name="to_Currency" Relationship="S.OrderCurrency" FromRole="Order" ToRole="Currency"/></EntityType>
<EntityType Name="Item"><Key><PropertyRef Name="SalesOrder"/><PropertyRef Name="ItemNo"/></Key>
  <Property Name="SalesOrder" Type="Edm.String" Nullable="false" MaxLength="10"/>
  <Property Name="ItemNo" Type="Edm.Int32" Nullable="false"/>
  <Property Name="Plant" Type="Edm.Int32"/>
  <NavigationProperty Name="to_Order" Relationship="S.OrderItem" FromRole="Item" ToRole="Order"/>
  <NavigationProperty Name="to_Plant" Relationship="S.ItemPlant" FromRole="Item" ToRole="Plant"/></EntityType>
<EntityType Name="Currency"><Key><PropertyRef Name="Currency"/></Key>
  <Property Name="Currency" Type="Edm.String" Nullable="false" MaxLength="5"/></EntityType>
<EntityType Name="Plant"><Key><PropertyRef Name="Plant"/></Key>
  <Property Name="Plant" Type="Edm.String" Nullable="false" MaxLength="4"/></EntityType>
<Association Name="OrderItem"><End Role="Order" Type="S.Order" Multiplicity="1"/><End Role="Item" Type="S.Item" Multiplicity="*"/></Association>
<Association Name="OrderCurrency"><End Role="Order" Type="S.Order" Multiplicity="*"/><End Role="Currency" Type="S.Currency" Multiplicity="0..1"/></Association>
<Association Name="ItemPlant"><End Role="Item" Type="S.Item" Multiplicity="*"/><End Role="Plant" Type="S.Plant" Multiplicity="0..1"/></Association>
<EntityContainer Name="C" m:IsDefaultEntityContainer="true">
  <EntitySet Name="Orders" EntityType="S.Order"/><EntitySet Name="Items" EntityType="S.Item"/>
  <EntitySet Name="Currencies" EntityType="S.Currency"/><EntitySet Name="Plants" EntityType="S.Plant"/>
  <AssociationSet Name="OI" Association="S.OrderItem"><End Role="Order" EntitySet="Orders"/><End Role="Item" EntitySet="Items"/></AssociationSet>
  <AssociationSet Name="OC" Association="S.OrderCurrency"><End Role="Order" EntitySet="Orders"/><End Role="Currency" EntitySet="Currencies"/></AssociationSet>
  <AssociationSet Name="IP" Association="S.ItemPlant"><End Role="Item" EntitySet="Items"/><End Role="Plant" EntitySet="Plants"/></AssociationSet>
</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`

interface Item {
  readonly SalesOrder: string
  readonly to_Order?: { readonly SalesOrder: string }
}
interface Order {
  readonly SalesOrder: string
  readonly Currency: string | null
  readonly to_Item: { readonly results: readonly Item[] }
  readonly to_Currency: { readonly Currency: string } | null
}

describe('Associations without referential constraint', () => {
  const model = readEdmx(document)
  const inferred = withInferredConstraints(model)
  let server: TestServer | undefined
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })

  async function start(given: EdmModel, data = generateData(given)): Promise<void> {
    const app = express()
    app.use(odataV2(given, memoryProvider(given, data)))
    server = await TestServer.start(app)
  }

  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }

  async function read<T>(path: string): Promise<T> {
    const { text = '' } = (await server?.send(`/${path}`, { headers })) ?? {}
    const { d } = JSON.parse(text) as { d: { results?: T } & T }
    return d.results ?? d
  }

  async function post(path: string, body: unknown): Promise<number | undefined> {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await server?.send(`/${path}`, init))?.status
  }

  it.each([
    ['the model of the document', model],
    ['the model with inferred constraints', inferred],
  ])('MUST expand to entities whose keys the generated rows contain, with %s', async (_, given) => {
    await start(given)
    const orders = await read<Order[]>('Orders?$expand=to_Item,to_Currency')
    expect(orders).toHaveLength(20)
    for (const { SalesOrder, to_Item, Currency, to_Currency } of orders) {
      expect(to_Item.results.filter((item) => item.SalesOrder !== SalesOrder)).toEqual([])
      expect(to_Currency?.Currency ?? null).toBe(Currency)
    }
    const items = await read<Item[]>('Items?$expand=to_Order')
    expect(items.map(({ to_Order }) => to_Order?.SalesOrder)).toEqual(items.map((one) => one.SalesOrder))
    expect(orders.flatMap(({ to_Item }) => to_Item.results)).toHaveLength(items.length)
  })

  it('MUST follow the keys of given and of new rows, which may refer to missing entities', async () => {
    await start(inferred, {
      Orders: [{ SalesOrder: '1', Currency: 'EUR' }],
      Currencies: [{ Currency: 'EUR' }],
    })
    expect(await read<Order>("Orders('1')?$expand=to_Currency")).toMatchObject({
      to_Currency: { Currency: 'EUR' },
    })
    expect(await post('Items', { SalesOrder: '1', ItemNo: 10 })).toBe(201)
    expect(await post("Orders('1')/to_Item", { ItemNo: 20 })).toBe(201)
    expect(await post('Orders', { SalesOrder: '2', Currency: '' })).toBe(201)
    expect(await read("Orders('1')/to_Item?$select=ItemNo")).toMatchObject([{ ItemNo: 10 }, { ItemNo: 20 }])
  })

  it('MUST have constraints only for keys of the same types, and leave $metadata as it is', () => {
    const names = [...inferred.associations.values()].flatMap(({ name, referentialConstraint }) =>
      referentialConstraint?.isInferred === true ? [name] : [],
    )
    expect(names).toEqual(['OrderItem', 'OrderCurrency'])
    expect(writeEdmx(inferred)).toBe(writeEdmx(model))
  })
})
