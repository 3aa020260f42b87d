import express from 'express'
import type { EdmModel } from '../../../lib/index.js'
import { defineModel, edm, generateData, memoryProvider, odataV2, readEdmx } from '../../../lib/index.js'
import { TestServer } from '../../support/http-exchange.js'
import { salesModel } from '../../support/services/sales-service.js'

type Rows = readonly Readonly<Record<string, unknown>>[]

/** An analytical set whose dimension has a text and an attribute. */
const ordersModel = defineModel({
  namespace: 'A',
  entityTypes: {
    Order: {
      key: ['ID'],
      sap: { semantics: 'aggregate' },
      properties: {
        ID: edm.String({ nullable: false }),
        CustomerID: edm.Int32({ sap: { aggregationRole: 'dimension', text: 'CustomerName' } }),
        CustomerName: edm.String(),
        City: edm.String({ sap: { attributeFor: 'CustomerID' } }),
        Product: edm.String({ sap: { aggregationRole: 'dimension' } }),
        Currency: edm.String({ sap: { semantics: 'currency-code' } }),
        Amount: edm.Decimal({
          precision: 9,
          scale: 2,
          nullable: false,
          sap: { aggregationRole: 'measure', unit: 'Currency' },
        }),
      },
    },
  },
  entityContainer: { entitySets: { Orders: { entityType: 'Order' } } },
})

const ordersOf = (seed: number): Rows =>
  generateData(ordersModel as EdmModel, { rows: 200, seed }).Orders ?? []

const distinct = (rows: Rows, ...names: readonly string[]): number =>
  new Set(rows.map((row) => JSON.stringify(names.map((name) => row[name] ?? null)))).size

/** A service with generated rows. */
async function mockOf(model: EdmModel, rows: number): Promise<TestServer> {
  const app = express()
  app.use('/mock', odataV2(model, memoryProvider(model, generateData(model, { rows }))))
  return TestServer.start(app)
}

async function resultsOf(server: TestServer, path: string): Promise<Rows> {
  const { status, text } = await server.send(`/mock/${path}`, { headers: { Accept: 'application/json' } })
  expect(status).toBe(200)
  return (JSON.parse(text) as { d: { results: Rows } }).d.results
}

describe('Generated rows of an analytical set', () => {
  it.each([1, 2, 3])('MUST repeat few values in each dimension, with seed %s', (seed) => {
    const rows = ordersOf(seed)
    expect(rows).toHaveLength(200)
    for (const dimension of ['CustomerID', 'Product']) {
      expect(distinct(rows, dimension)).toBeGreaterThan(1)
      expect(distinct(rows, dimension)).toBeLessThanOrEqual(4)
    }
  })

  it('MUST have one text, one attribute and one unit for each value of a dimension', () => {
    const rows = ordersOf(1)
    const dimension = distinct(rows, 'CustomerID')
    expect(distinct(rows, 'CustomerID', 'CustomerName', 'City', 'Currency')).toBe(dimension)
  })

  it('MUST have measures that differ', () => {
    expect(distinct(ordersOf(1), 'Amount')).toBeGreaterThan(150)
  })

  it('MUST become few groups with totals', async () => {
    const server = await mockOf(salesModel, 40)
    try {
      const countries = await resultsOf(server, 'Sales?$select=Country,Currency,Amount')
      expect(countries.length).toBeGreaterThan(1)
      expect(countries.length).toBeLessThanOrEqual(16)
      for (const { Amount } of countries) expect(Number(Amount)).toBeGreaterThan(0)
      const members = await resultsOf(server, 'Sales?$select=Country,Customer,Quantity&$top=5')
      expect(members).toHaveLength(5)
      const [total] = await resultsOf(server, 'Sales?$select=Quantity')
      const quantities = await resultsOf(server, 'Sales?$select=Country,Quantity')
      const sum = quantities.reduce((before, { Quantity }) => before + Number(Quantity), 0)
      expect(total?.Quantity).toBe(sum)
    } finally {
      await server.stop()
    }
  })
})

describe('Computed properties of a model with generated rows', () => {
  const annotation = 'xmlns:a="http://schemas.microsoft.com/ado/2009/02/edm/annotation"'
  const ofDocument =
    readEdmx(`<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
    <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
      <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" ${annotation}>
        <EntityType Name="Product">
          <Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Title" Type="Edm.String" Nullable="false" a:StoreGeneratedPattern="Computed"/>
        </EntityType>
        <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
          <EntitySet Name="Products" EntityType="Shop.Product"/>
        </EntityContainer>
      </Schema>
    </edmx:DataServices>
  </edmx:Edmx>`)
  const withExpression = defineModel({
    namespace: 'Shop',
    entityTypes: {
      Product: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Name: edm.String({ nullable: false }),
          Title: edm.String({ computed: { expression: "concat('No. ',Name)" } }),
        },
      },
    },
    entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
  })

  it('MUST have values if the service of the document computes them', async () => {
    const server = await mockOf(ofDocument, 3)
    const products = await resultsOf(server, 'Products?$select=Title')
    await server.stop()
    expect(products.map(({ Title }) => Title)).toEqual(Array(3).fill(expect.stringMatching(/./)))
  })

  it('MUST be computed from generated values if the model has an expression', async () => {
    expect(generateData(withExpression).Products[0]).not.toHaveProperty('Title')
    const server = await mockOf(withExpression, 3)
    const products = await resultsOf(server, 'Products?$orderby=Title')
    await server.stop()
    expect(products).toHaveLength(3)
    for (const { Name, Title } of products) expect(Title).toBe(`No. ${String(Name)}`)
  })
})
