import express from 'express'
import type { ODataV2Options, Operation, Provider } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2, ODataError } from '../../lib/index.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import {
  anyModel,
  categories,
  expressions,
  productModel,
  products,
  statements,
  storedCategories,
  storedProducts,
} from '../support/computed/product-model.js'
import { TestServer } from '../support/http-exchange.js'
import { fc, runs, seed } from '../support/random.js'
import { describeDatabases } from '../support/sql/databases.js'

const computed = expressions as ODataV2Options['computed']
const headers = { Accept: 'application/json' }
const running: TestServer[] = []

async function start(provider: Provider, options: ODataV2Options = {}): Promise<TestServer> {
  const service = odataV2(anyModel, provider, { onError: () => undefined, pageSize: 4, ...options })
  const server = await TestServer.start(express().use('/s', service))
  running.push(server)
  return server
}

afterAll(async () => {
  for (const server of running) await server.stop()
})

/** A provider that reads everything: the service evaluates all queries. */
function scanningProvider(): Provider {
  return {
    entitySets: { Products: { read: () => products }, Categories: { read: () => categories } },
  }
}

function storedProvider(): Provider {
  return memoryProvider(productModel, {
    Products: storedProducts,
    Categories: storedCategories,
  })
}

async function responseOf(server: TestServer, target: string): Promise<unknown> {
  const { status, text } = await server.send(target, { headers })
  // Errors differ in the place of the failure only.
  return status === 200 ? text.replaceAll(server.host, 'host') : status
}

const strings = fc.constantFrom('Title', 'Origin', 'Category/Code', 'Name')
const booleans = fc.constantFrom(
  'IsLarge',
  'Category/IsNamed',
  'IsLarge eq false',
  'Category/IsNamed eq null',
)
const literals = fc.constantFrom("'Gouda L'", "'EDAM M'", "'CHEESE!'", "'Wine'", 'null')
const operators = fc.constantFrom('eq', 'ne', 'lt', 'ge')
const conditions = fc.oneof(
  fc.tuple(strings, operators, literals).map((parts) => parts.join(' ')),
  fc.tuple(fc.constantFrom('E', 'L', '!'), strings).map(([part, name]) => `substringof('${part}',${name})`),
  fc
    .tuple(operators, fc.constantFrom('36', '49L', '12', 'null'))
    .map(([one, value]) => `Total ${one} ${value}`),
  strings.map((name) => `length(${name}) gt 5`),
  booleans,
  booleans.map((one) => `not (${one})`),
)
const filters = fc
  .array(conditions, { minLength: 1, maxLength: 3 })
  .chain((all) =>
    fc.constantFrom(' and ', ' or ').map((operator) => all.map((one) => `(${one})`).join(operator)),
  )
const options = fc.record(
  {
    $filter: filters,
    $orderby: fc
      .array(
        fc.constantFrom('Title', 'Total desc', 'IsLarge desc', 'Origin', 'Category/Code', 'length(Title)'),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((terms) => terms.join(',')),
    $select: fc.constantFrom('Title', 'ID,Total', 'Name,IsLarge', 'Origin,Category', '*'),
    $expand: fc.constantFrom('Category', 'Category/Products'),
    $skip: fc.constantFrom('1', '3'),
    $top: fc.constantFrom('0', '2', '5'),
    $inlinecount: fc.constant('allpages'),
  },
  { requiredKeys: [] },
)
const targets = fc.oneof(
  { weight: 8, arbitrary: options.map((given) => `/s/Products?${new URLSearchParams(given).toString()}`) },
  filters.map((filter) => `/s/Products/$count?$filter=${encodeURIComponent(filter)}`),
  fc.constantFrom(
    '/s/Products(1)',
    '/s/Products(3)?$select=Origin,Title',
    '/s/Products(1)/Title',
    '/s/Products(1)/Total/$value',
    '/s/Products(5)/Origin/$value',
    '/s/Categories(1)/Products?$orderby=Title&$filter=IsLarge',
    '/s/Categories?$expand=Products&$orderby=Code%20desc',
    '/s/Products(2)/Category',
    '/s/Products(2)/Category/Code/$value',
    "/s/Products?$skiptoken='Gouda%20L',1&$orderby=Title",
  ),
)

function withoutCheese({ entitySet }: Operation): string | undefined {
  return entitySet === 'Categories' ? 'ID ne 1' : undefined
}

/** States that a service which hides a category responds like one without it. */
async function expectHiddenCategory(server: TestServer): Promise<void> {
  const visible = storedProducts.map((row: Record<string, unknown>) =>
    row.CategoryID === 1 ? { ...row, Origin: null } : row,
  )
  const provider = memoryProvider(productModel, {
    Products: visible,
    Categories: storedCategories.filter(({ ID }: Record<string, unknown>) => ID !== 1),
  })
  await expectEqualResponses(server, provider)
}

/** States that a service responds like one that stores the same values. */
async function expectEqualResponses(server: TestServer, provider = storedProvider()): Promise<void> {
  const stored = await start(provider)
  let successes = 0
  await fc.assert(
    fc.asyncProperty(targets, async (target) => {
      const expected = await responseOf(stored, target)
      if (typeof expected === 'string') successes++
      expect([target, await responseOf(server, target)]).toEqual([target, expected])
    }),
    { seed, numRuns: runs(1500) },
  )
  expect(successes).toBeGreaterThan(runs(1500) * 0.8)
}

describe('Properties that are computed by an expression', () => {
  it('MUST be read, filtered and sorted like stored properties: memory', async () => {
    const provider = memoryProvider(productModel, { Products: products, Categories: categories })
    await expectEqualResponses(await start(provider, { computed }))
  })

  it('MUST be read, filtered and sorted like stored properties: evaluated by the service', async () => {
    await expectEqualResponses(await start(scanningProvider(), { computed }))
  })

  it('MUST lead only to entities that the caller may see: memory', async () => {
    const provider = memoryProvider(productModel, { Products: products, Categories: categories })
    await expectHiddenCategory(await start(provider, { computed, authorize: withoutCheese }))
  })

  it('MUST lead only to entities that the caller may see: evaluated by the service', async () => {
    await expectHiddenCategory(await start(scanningProvider(), { computed, authorize: withoutCheese }))
  })

  it('MUST be null where they lead to a set that the caller cannot read', async () => {
    const authorize = ({ entitySet }: Operation): undefined => {
      if (entitySet === 'Categories') throw new ODataError('Forbidden')
    }
    const server = await start(scanningProvider(), { computed, authorize })
    const statusAndText = async (query: string): Promise<readonly [number, string]> => {
      const { status, text } = await server.send(`/s/Products${query}`, { headers })
      return [status, text]
    }
    expect(await statusAndText('(1)/Origin')).toEqual([200, '{"d":{"Origin":null}}'])
    expect(await statusAndText('?$filter=Origin%20eq%20null&$select=ID&$top=1')).toEqual([
      200,
      expect.stringContaining('"ID":1'),
    ])
    expect(await statusAndText('?$filter=Category/Code%20eq%20null')).toEqual([403, expect.anything()])
  })

  it('MUST NOT share cached pages between callers who see other entities', async () => {
    const authorize = ({ entitySet }: Operation, { user }: { user?: string }): string | undefined =>
      entitySet === 'Categories' && user === 'clerk' ? 'ID ne 1' : undefined
    const service = odataV2(
      anyModel,
      memoryProvider(productModel, { Products: products, Categories: categories }),
      {
        computed,
        authorize,
        context: (req) => ({ user: req.get('x-user') ?? '' }),
      },
    )
    const server = await TestServer.start(express().use('/s', service))
    running.push(server)
    const originFor = async (user: string): Promise<unknown> => {
      const { text } = await server.send('/s/Products?$top=1&$select=Origin', {
        headers: { ...headers, 'x-user': user },
      })
      return (JSON.parse(text) as { d: { results: { Origin: unknown }[] } }).d.results[0]?.Origin
    }
    for (let round = 0; round < 3; round++) {
      expect(await originFor('boss')).toBe('CHEESE!')
      expect(await originFor('clerk')).toBeNull()
    }
  })

  it('MUST be restricted in the response to a change', async () => {
    const provider = memoryProvider(productModel, {
      Products: products,
      Categories: categories,
    })
    const server = await start(provider, { computed, authorize: withoutCheese, readOnly: false })
    const sent = { ...headers, 'Content-Type': 'application/json', Prefer: 'return=representation' }
    const inserted = await server.send('/s/Products', {
      method: 'POST',
      headers: sent,
      body: '{"ID":50,"CategoryID":1}',
    })
    expect([inserted.status, JSON.parse(inserted.text)]).toMatchObject([201, { d: { Origin: null } }])
    const updated = await server.send('/s/Products(50)', {
      method: 'MERGE',
      headers: sent,
      body: '{"Size":"L"}',
    })
    expect([updated.status, JSON.parse(updated.text)]).toMatchObject([
      200,
      { d: { Origin: null, Size: 'L' } },
    ])
  })
})

describeDatabases(({ kind, open }) => {
  it(`MUST compute expressions without columns like stored properties: ${kind}`, async () => {
    const provider = sqlProvider(anyModel, await open(statements))
    const server = await start(provider, { computed })
    await provider.ready()
    await expectEqualResponses(server)
    await expectHiddenCategory(await start(provider, { computed, authorize: withoutCheese }))
  })

  it(`MUST NOT need a column for a property that the model declares as computed: ${kind}`, async () => {
    const named = defineModel({
      namespace: 'Shop',
      entityTypes: {
        Category: {
          key: ['ID'],
          properties: {
            ID: edm.Int32({ nullable: false }),
            Name: edm.String(),
            Code: edm.String({ computed: { expression: "concat(Name,'!')" } }),
          },
        },
      },
      entityContainer: { entitySets: { Categories: { entityType: 'Category' } } },
    })
    const provider = sqlProvider(named, await open(statements))
    await provider.ready()
    const server = await TestServer.start(express().use('/s', odataV2(named, provider)))
    running.push(server)
    const { text } = await server.send("/s/Categories?$filter=Code%20eq%20'Wine!'&$select=Code", { headers })
    expect(JSON.parse(text)).toMatchObject({ d: { results: [{ Code: 'Wine!' }] } })
    const sent = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }
    const inserted = await server.send('/s/Categories', {
      ...sent,
      body: '{"ID":9,"Name":"Tea","Code":"ignored"}',
    })
    expect([inserted.status, JSON.parse(inserted.text)]).toMatchObject([201, { d: { Code: 'Tea!' } }])
  })

  it(`MUST NOT need a column after a service that computes the property has started: ${kind}`, async () => {
    const provider = sqlProvider(anyModel, await open(statements))
    await expect(provider.ready()).rejects.toThrow("'Title'")
    await start(provider, { computed })
    await provider.ready()
  })
})
