import express from 'express'
import type { EntityHooks, ODataV2Options, Provider, ProviderCall, Row } from '../../lib/index.js'
import { memoryProvider, odataV2, ODataError } from '../../lib/index.js'
import { anyModel, categories, productModel, products } from '../support/computed/product-model.js'
import { get, jsonOf, postBatch, single, responsesIn, batchBody } from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'

type Computed = NonNullable<NonNullable<ODataV2Options['computed']>[string]>

let server: TestServer
let failures: Failures
const batches: unknown[] = []

/** Counts its rows. */
const levels = (rows: readonly Row[], call: ProviderCall): Promise<readonly number[]> => {
  batches.push(rows.map(({ ID }) => ID))
  const factor = Number(call.context ?? 1)
  return Promise.resolve(rows.map(({ ID }) => Number(ID) * 10 * factor))
}

const functions: Computed = {
  Title: { needs: ['Name', 'Price'], value: ({ Name, Price }) => `${String(Name)}: ${String(Price)}` },
  Total: { needs: ['ID'], values: levels },
}

async function start(
  computed: ODataV2Options['computed'] = { Products: functions },
  options: ODataV2Options = {},
  rows: readonly Row[] = products,
): Promise<void> {
  const provider = memoryProvider(anyModel, {
    Products: rows,
    Categories: categories,
  })
  failures = new Failures()
  const service = odataV2(anyModel, provider, { onError: failures.onError, ...options, computed })
  server = await TestServer.start(express().use('/n', service))
}

async function send(
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<{ status: number; json: never; text: string }> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text } = await server.send(`/n/${encodeURI(path)}`, { method, headers, ...sent })
  return { status, text, json: (/^[{[]/.test(text) ? JSON.parse(text) : undefined) as never }
}

const valuesOf = ({ json }: { json: { d: { results: readonly Row[] } } }, ...names: string[]): unknown =>
  json.d.results.map((row) => names.map((name) => row[name]))

beforeEach(() => {
  batches.length = 0
})
afterEach(() => server.stop())

describe('Properties that are computed by a function', () => {
  it('MUST be computed for the rows of the page only, once for all of them', async () => {
    await start()
    const page = await send('Products?$orderby=Price desc&$top=2&$skip=1&$select=Title,Total')
    expect(valuesOf(page, 'Title', 'Total')).toEqual([
      ['Gouda: 12', '10'],
      ['Edam: 12', '60'],
    ])
    expect(batches).toEqual([[1, 6]])
  })

  it.each([
    ['a page: 200', 'Products?$select=ID,Total', [200, 200, 50]],
    ['an export: 200', 'Products?$select=ID,Total&$format=csv', [200, 200, 50]],
    ['an expanded navigation property: all', 'Categories?$filter=ID eq 1&$expand=Products', [450]],
  ])(
    'MUST be computed once for each batch of rows, never for each row, of %s',
    async (_what, path, sizes) => {
      const rows = Array.from({ length: 450 }, (_, index) => ({ ID: index + 1, CategoryID: 1 }))
      await start({ Products: functions }, { exports: true }, rows)
      expect((await send(path)).status).toBe(200)
      const all = batches as unknown[][]
      expect(all.map((batch) => batch.length)).toEqual(sizes)
      expect(new Set(all.flat()).size).toBe(450)
    },
  )

  it('MUST NOT be computed when they are not selected', async () => {
    await start()
    await send('Products?$select=ID,Title')
    expect(batches).toEqual([])
  })

  it('MUST receive exactly the needed properties, selected or not', async () => {
    const rows: unknown[] = []
    await start({ Products: { Title: { needs: ['Name', 'ID'], value: (row) => rows.push(row) && '' } } })
    await send('Products?$select=Title&$top=1')
    expect(rows).toEqual([{ Name: 'Gouda', ID: 1 }])
  })

  it('MUST be computed once for all entities of an expanded navigation property', async () => {
    await start()
    const { json } = await send('Categories?$expand=Products&$select=Products/Total')
    expect(JSON.stringify(json)).toContain('"Total":"70"')
    expect(batches).toEqual([[1, 2, 6, 3, 7, 4]])
  })

  it('MUST compute an entity once that several others lead to', async () => {
    await start({
      Categories: {
        Code: {
          needs: ['ID'],
          values: async (rows) => (await levels(rows, { context: 1 } as ProviderCall)).map(String),
        },
      },
    })
    await send('Products?$expand=Category&$filter=CategoryID le 2')
    expect(batches).toEqual([[1, 2]])
  })

  it.each([
    ['Products(2)?$select=Total', '"Total":"20"'],
    ['Products(2)/Total', '"Total":"20"'],
    ['Products(2)/Total/$value', '20'],
    ['Categories(1)/Products(2)', '"Total":"20"'],
    ['Categories(1)/Products', '"Total":"60"'],
  ])('MUST be part of the response to %s', async (path, expected) => {
    await start()
    const { status, text } = await send(path)
    expect([status, text]).toEqual([200, expect.stringContaining(expected)])
    expect(batches).toHaveLength(1)
  })

  it('MUST be part of the responses to changes, and be ignored in their bodies', async () => {
    await start()
    const inserted = await send('Products', 'POST', {
      ID: 9,
      Name: 'Tea',
      Price: 3,
      Title: 'ignored',
      Total: '1',
    })
    expect([inserted.status, inserted.json]).toMatchObject([201, { d: { Title: 'Tea: 3', Total: '90' } }])
    expect((await send('Products(9)', 'PUT', { Name: 'Chai', Price: 4, Title: 'ignored' })).status).toBe(204)
    expect((await send('Products(9)/Title', 'PUT', { Title: 'ignored' })).status).toBe(204)
    expect((await send('Products(9)')).json).toMatchObject({ d: { Title: 'Chai: 4' } })
  })

  it('MUST be part of the responses in a batch', async () => {
    await start()
    const exchange = await postBatch(server.port, batchBody(get('Products(1)?$select=Total')))
    expect(jsonOf(single(responsesIn(exchange)[0]))).toMatchObject({ Total: '10' })
  })

  it('MUST be part of Atom documents', async () => {
    await start()
    const { text } = await server.send('/n/Products(1)')
    expect(text).toContain('<d:Total m:type="Edm.Int64">10</d:Total>')
  })

  it.each([
    [
      'an exception',
      {
        needs: [],
        value: () => {
          throw new ODataError('Conflict', { message: 'x' })
        },
      },
    ],
    ['a missing value', { needs: [], value: () => undefined }],
    ['too few values', { needs: [], values: () => [] }],
    ['an invalid value', { needs: [], value: () => 5 }],
  ])('MUST fail with 500 for %s', async (_what, title) => {
    await start({ Products: { Title: title } })
    expect((await send('Products(1)')).status).toBe(500)
    expect(failures.causes.map(String).join()).toContain('Title')
  })

  it.each([
    'Products?$filter=Total gt 1',
    'Products?$orderby=Title',
    "Categories?$filter=ID gt 0 and Code eq 'x'",
  ])('MUST NOT be part of a filter or an order: %s', async (path) => {
    await start({ Products: functions, Categories: { Code: {} } })
    const { status, text } = await send(path)
    expect([status, text]).toEqual([400, expect.stringContaining('QueryOptionNotAllowed')])
  })

  it('MUST NOT share a page between callers', async () => {
    let caller = 1
    await start(undefined, { context: () => caller++ })
    const totals: unknown[] = []
    for (let count = 0; count < 3; count++)
      totals.push(valuesOf(await send('Products?$top=1&$select=Total'), 'Total'))
    expect(totals).toEqual([[['10']], [['20']], [['30']]])
  })
})

describe('Properties that are computed for filters', () => {
  const scanned: Computed = {
    Title: {
      needs: ['Name', 'Price'],
      value: ({ Name, Price }) => `${String(Name)}${String(Price)}`,
      scan: true,
    },
  }

  it('MUST be computed for all entities, before paging', async () => {
    await start({ Products: scanned })
    const filtered = await send(
      "Products?$filter=startswith(Title,'Edam') and Quantity lt 50&$orderby=Title desc&$inlinecount=allpages&$select=ID&$top=1",
    )
    expect(filtered.json).toMatchObject({ d: { __count: '2', results: [{ ID: 5 }] } })
    expect((await send('Products/$count?$filter=length(Title) eq 5')).text).toBe('3')
  })

  it('MUST be limited', async () => {
    await start({ Products: scanned }, { limits: { scannedRows: 3 } })
    expect((await send("Products?$filter=Title eq 'x'")).text).toContain('LimitExceeded')
  })
})

describe('Virtual properties', () => {
  it('MUST be null, given to hooks, and not be stored', async () => {
    const seen: unknown[] = []
    const hooks: EntityHooks = {
      beforeInsert: ({ Title }) => void seen.push(Title),
      afterInsert: () => ({ Title: 'from the hook', Name: 'ignored' }),
    }
    await start({ Products: { Title: {} } }, { hooks: { Products: hooks } })
    const { json } = await send('Products', 'POST', { ID: 9, Name: 'Tea', Title: 'from the client' })
    expect(seen).toEqual(['from the client'])
    expect(json).toMatchObject({ d: { Name: 'Tea', Title: 'from the hook' } })
    expect((await send('Products(9)')).json).toMatchObject({ d: { Title: null } })
  })
})

describe('A search', () => {
  it.each([
    ['of named properties', { search: { Products: ['Title', 'Category/Code'] } }, 'cheese gouda'],
    ['with a focus', { search: { Products: ['Name', 'Title'] } }, '"gouda l"&search-focus=Title'],
  ])('MUST find values of expressions: %s', async (_what, options, search) => {
    const computed = {
      Products: { Title: { expression: "concat(Name,concat(' ',Size))" } },
      Categories: { Code: { expression: "concat(Name,'!')" } },
    }
    await start(computed, options)
    expect(valuesOf(await send(`Products?search=${search}`), 'ID')).toEqual([[1]])
  })
})

describe('The metadata of computed properties', () => {
  it('MUST declare whether clients can filter, sort and change them', async () => {
    await start({ Products: { ...functions, Origin: { expression: 'Name' }, IsLarge: {} } })
    const { text } = await server.send('/n/$metadata')
    const facetsOf = (name: string): unknown => {
      const element = new RegExp(`<Property Name="${name}"[^>]*>`).exec(text)?.[0] ?? ''
      return [...element.matchAll(/sap:(\w+)="false"/g)].map(([, annotation]) => annotation).join(' ')
    }
    expect(['Title', 'Origin', 'IsLarge', 'Name'].map(facetsOf)).toEqual([
      'creatable updatable filterable sortable',
      'creatable updatable',
      'filterable sortable',
      '',
    ])
  })
})

const wrongOptions: readonly (readonly [object, string])[] = [
  [{ Product: {} }, "'computed.Product' is not an entity set. Did you mean 'Products'?"],
  [{ Products: { Titel: {} } }, "'computed.Products.Titel' is not a property. Did you mean 'Title'?"],
  [{ Products: { Title: { expressions: 'Name' } } }, "Did you mean 'expression'?"],
  [{ Products: { Title: { expression: 'Nam' } } }, "'Product' has no property 'Nam'. Did you mean 'Name'?"],
  [{ Products: { Title: { expression: 'Name eq' } } }, 'computed.Products.Title'],
  [{ Products: { Title: { expression: 'ID' } } }, 'the property is Edm.String, but this is Edm.Int32'],
  [{ Products: { Title: { expression: 'Origin' }, Origin: { expression: 'Title' } } }, 'depends on itself'],
  [{ Products: { ID: { expression: '1' } } }, "'ID' of 'Product' cannot be computed: it is part of the key"],
  [{ Products: { CategoryID: { expression: '1' } } }, 'it is the key of an association'],
  [{ Products: { Title: { needs: ['Nam'], value: () => '' } } }, "Did you mean 'Name'?"],
  [{ Products: { Title: { value: () => '' } } }, 'needs must be an array of property names'],
  [{ Products: { Title: { needs: [], value: () => '', values: () => [] } } }, 'must have one of'],
  [{ Products: { Title: { expression: 'Name', scan: true } } }, "scan requires 'value'"],
  [
    { Products: { Title: { needs: ['Origin'], value: () => '' }, Origin: { needs: [], value: () => '' } } },
    "cannot need 'Origin'",
  ],
]

describe('The OpenAPI document of computed properties', () => {
  it('MUST mark those that clients cannot set as read-only', async () => {
    await start({ Products: { ...functions, IsLarge: {} } }, { openapi: true })
    const { text } = await server.send('/n/$openapi')
    const { components } = JSON.parse(text) as {
      components: { schemas: Record<string, { properties: Record<string, Row> }> }
    }
    const schemas = Object.values(components.schemas).filter(
      ({ properties }) => properties?.Title !== undefined,
    )
    const readOnly = schemas.map(({ properties }) =>
      ['Title', 'Total', 'IsLarge'].map((name) => properties[name]?.readOnly),
    )
    expect(readOnly).toContainEqual([true, true, undefined])
  })
})

describe('Options of computed properties', () => {
  beforeAll(() => start())

  it.each(wrongOptions)('MUST be checked when the service starts: %j', (computed, message) => {
    const provider = memoryProvider(productModel, {}) as Provider
    expect(() => odataV2(anyModel, provider, { computed: computed })).toThrow(message)
  })
})
