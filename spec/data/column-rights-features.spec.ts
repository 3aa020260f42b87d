import express from 'express'
import type { Authorize, ServiceOptions } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import type { Annotations } from '../../lib/edm/annotations.js'
import { TestServer } from '../support/http-exchange.js'

const ID = edm.Int32({ nullable: false })
const model = defineModel({
  namespace: 'Firm',
  entityTypes: {
    Person: {
      key: ['ID'],
      properties: {
        ID,
        Name: edm.String(),
        Salary: edm.Int32(),
        Grade: edm.String(),
        Title: edm.String(),
        Bonus: edm.Int32(),
        Rank: edm.Int32(),
      },
    },
  },
  entityContainer: { entitySets: { Staff: { entityType: 'Person' } } },
})

const provider = memoryProvider(model, {
  Staff: [
    { ID: 1, Name: 'Ada', Salary: 5000, Grade: 'A' },
    { ID: 2, Name: 'Bob', Salary: 100, Grade: 'Xy' },
  ],
})

const options: ServiceOptions<unknown, typeof model> = {
  exports: true,
  search: { Staff: ['Name', 'Grade'] },
  computed: {
    Staff: {
      Title: { expression: "concat(Name,concat(' ',Grade))" },
      Bonus: { needs: ['Salary'], value: ({ Salary }) => (Salary ?? 0) / 10 },
      Rank: { needs: ['Salary'], values: (people) => people.map(({ Salary }) => (Salary ?? 0) + 1) },
    },
  },
  authorize: () => ({ hidden: ['Salary', 'Grade'] }),
}

describe('Hidden columns', () => {
  let server: TestServer

  beforeAll(async () => {
    const app = express()
    app.use('/s', odataV2(model, provider, options))
    server = await TestServer.start(app)
  })

  afterAll(() => server.stop())

  const get = async (query: string): Promise<readonly [number, string]> => {
    const { status, text } = await server.send(`/s/${query}`, {
      headers: { Accept: 'application/json, text/plain' },
    })
    return [status, text]
  }

  it.each(['Title', 'Bonus', 'Rank'])(
    'MUST hide properties that are computed from them: %s',
    async (name) => {
      expect((await get('Staff'))[1]).not.toContain(name)
      for (const path of [
        `Staff?$select=${name}`,
        `Staff?$orderby=${name}`,
        `Staff?$filter=${name}%20ne%20null`,
      ])
        expect(await get(path)).toEqual([400, expect.stringContaining(`'Person' has no property '${name}'`)])
      expect((await get(`Staff(1)/${name}`))[0]).toBe(404)
      const [status, text] = await get(`Staff?$select=${name}s`)
      expect([status, text]).toEqual([400, expect.not.stringContaining('Did you mean')])
    },
  )

  it('MUST be missing in exports', async () => {
    const [status, text] = await get('Staff?$format=csv')
    expect([status, text]).toEqual([200, '\uFEFFID,"Name"\r\n1,Ada\r\n2,Bob\r\n'])
    expect(await get('Staff?$format=csv&$select=Salary')).toEqual([
      400,
      expect.stringContaining("'Person' has no property 'Salary'"),
    ])
  })

  it('MUST not be searched', async () => {
    expect(await get('Staff/$count?search=Bob')).toEqual([200, '1'])
    expect(await get('Staff/$count?search=Xy')).toEqual([200, '0'])
    expect(await get('Staff?search=B&search-focus=Grade')).toEqual([400, expect.stringContaining('Grade')])
  })
})

const sap = (values: Record<string, string>): { annotations: Partial<Annotations> } => ({
  annotations: {
    attributes: Object.entries(values).map(([name, value]) => ({
      namespace: 'http://www.sap.com/Protocols/SAPData',
      prefix: 'sap',
      name,
      value,
    })),
  },
})

describe('Dimensions that are computed from other entities', () => {
  const aggregate = defineModel({
    namespace: 'A',
    entityTypes: {
      Order: { key: ['ID'], properties: { ID, Country: edm.String() } },
      Sale: {
        ...sap({ semantics: 'aggregate' }),
        key: ['ID'],
        properties: {
          ID: edm.String({ nullable: false }),
          OrderID: edm.Int32(),
          Country: edm.String({
            ...sap({ 'aggregation-role': 'dimension' }),
            computed: { expression: 'Order/Country' },
          }),
          Amount: edm.Int32(sap({ 'aggregation-role': 'measure' })),
        },
        navigationProperties: { Order: { relationship: 'SaleOrder', fromRole: 'Sale', toRole: 'Order' } },
      },
    },
    associations: {
      SaleOrder: {
        ends: { Order: { type: 'Order', multiplicity: '0..1' }, Sale: { type: 'Sale', multiplicity: '*' } },
        referentialConstraint: {
          principal: { role: 'Order', properties: ['ID'] },
          dependent: { role: 'Sale', properties: ['OrderID'] },
        },
      },
    },
    entityContainer: { entitySets: { Sales: { entityType: 'Sale' }, Orders: { entityType: 'Order' } } },
  })
  const data = {
    Orders: [
      { ID: 1, Country: 'DE' },
      { ID: 2, Country: 'FR' },
    ],
    Sales: [1, 1, 2].map((OrderID, index) => ({ ID: String(index), OrderID, Amount: 10 })),
  }

  it('MUST NOT reveal entities that the caller cannot see', async () => {
    const authorize: Authorize<unknown, typeof aggregate> = ({ entitySet }) =>
      entitySet === 'Orders' ? 'ID eq 2' : undefined
    const app = express().use('/s', odataV2(aggregate, memoryProvider(aggregate, data), { authorize }))
    const server = await TestServer.start(app)
    const get = async (target: string): Promise<unknown> => {
      const { text } = await server.send(target, { headers: { Accept: 'application/json, text/plain' } })
      return JSON.parse(text)
    }
    const { d } = (await get('/s/Sales?$select=Country,Amount')) as {
      d: { results: { __metadata: { uri: string }; Country: string | null; Amount: number }[] }
    }
    expect(d.results.map(({ Country, Amount }) => [Country, Amount])).toEqual([
      [null, 20],
      ['FR', 10],
    ])
    expect(await get('/s/Sales/$count?$filter=Country%20ne%20null')).toBe(1)
    const group = new URL(d.results[0]?.__metadata.uri ?? '').pathname
    expect(await get(`${group}?$select=Amount`)).toMatchObject({ d: { Amount: 20 } })
    expect(await get(`${group}/Country`)).toEqual({ d: { Country: null } })
    await server.stop()
  })
})

describe('Hidden columns of an analytical set', () => {
  const sales = defineModel({
    namespace: 'A',
    entityTypes: {
      Sale: {
        ...sap({ semantics: 'aggregate' }),
        key: ['ID'],
        properties: {
          ID: edm.String({ nullable: false }),
          Country: edm.String(sap({ 'aggregation-role': 'dimension' })),
          Customer: edm.String(sap({ 'aggregation-role': 'dimension' })),
          Amount: edm.Int32(sap({ 'aggregation-role': 'measure', unit: 'Currency' })),
          Currency: edm.String(),
        },
      },
    },
    entityContainer: { entitySets: { Sales: { entityType: 'Sale' } } },
  })
  const rows = [
    { ID: '1', Country: 'DE', Customer: 'Anna', Amount: 10, Currency: 'EUR' },
    { ID: '2', Country: 'DE', Customer: 'Ben', Amount: 5, Currency: 'EUR' },
    { ID: '3', Country: 'FR', Customer: 'Ben', Amount: 1, Currency: 'EUR' },
    { ID: '4', Country: 'FR', Customer: 'Ben', Amount: 1, Currency: 'USD' },
  ]

  const groups = async (hidden: 'Customer' | 'Currency', query: string): Promise<unknown> => {
    const app = express()
    app.use(
      '/s',
      odataV2(sales, memoryProvider(sales, { Sales: rows }), { authorize: () => ({ hidden: [hidden] }) }),
    )
    const server = await TestServer.start(app)
    const { status, text } = await server.send(`/s/Sales?${query}`, {
      headers: { Accept: 'application/json' },
    })
    await server.stop()
    if (status !== 200) return status
    const { d } = JSON.parse(text) as { d: { results: Record<string, unknown>[] } }
    return d.results.map(({ __metadata, ID, ...values }) => {
      expect([__metadata, ID]).toEqual([expect.anything(), expect.any(String)])
      return values
    })
  }

  it('MUST not divide groups', async () => {
    expect(await groups('Customer', '')).toEqual([
      { Country: 'DE', Amount: 15, Currency: 'EUR' },
      { Country: 'FR', Amount: 1, Currency: 'EUR' },
      { Country: 'FR', Amount: 1, Currency: 'USD' },
    ])
    expect(await groups('Customer', '$select=Customer')).toBe(400)
    expect(await groups('Customer', "$filter=Customer%20eq%20'Ben'")).toBe(400)
  })

  it('MUST hide measures whose unit they are: whether they have a value depends on it', async () => {
    expect(await groups('Currency', '$select=Country')).toEqual([{ Country: 'DE' }, { Country: 'FR' }])
    expect(await groups('Currency', '$select=Country,Amount')).toBe(400)
  })
})
