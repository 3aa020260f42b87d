import express from 'express'
import type { ODataV2Options } from '../lib/index.js'
import { odataV2 } from '../lib/index.js'
import { TestServer } from './support/http-exchange.js'
import {
  exampleData,
  exampleModel,
  exampleProvider,
  exampleService,
  exampleServiceWith,
} from './support/services/example-service.js'

/** Accepts options of the wrong types, as JavaScript callers can pass them. */
function starting(options: unknown): () => unknown {
  return () => odataV2(exampleModel, exampleProvider(), options as ODataV2Options)
}

async function withService<T>(options: ODataV2Options, use: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await TestServer.start(express().use('/n', exampleService(options)))
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

async function jsonOf(
  server: TestServer,
  target: string,
): Promise<{ results: Record<string, unknown>[]; __next?: string }> {
  const { text } = await server.send(target, { headers: { Accept: 'application/json' } })
  return (JSON.parse(text) as { d: { results: Record<string, unknown>[]; __next?: string } }).d
}

describe('Options that are wrong', () => {
  it.each([
    [{ pagesize: 5 }, "'pagesize' is not an option. Did you mean 'pageSize'?"],
    [{ serviceroot: 'http://h/' }, "Did you mean 'serviceRoot'?"],
    [{ authorise: () => undefined }, "Did you mean 'authorize'?"],
    [{ onerror: () => undefined }, "Did you mean 'onError'?"],
    [{ disabledQueryOption: ['$filter'] }, "Did you mean 'disabledQueryOptions'?"],
    [{ limit: {} }, "Did you mean 'limits'?"],
    [{ pageCache: { maxbytes: 1 } }, "'pageCache.maxbytes' is not an option. Did you mean 'maxBytes'?"],
    [{ color: 'red' }, "'color' is not an option. Accepted: pageSize, computed"],
    [{ limits: { URL: 100 } }, "'limits.URL' is not a limit. Did you mean 'url'?"],
    [{ limits: { expandDept: 1 } }, "'limits.expandDept' is not a limit. Did you mean 'expandDepth'?"],
    [{ pageSize: { Product: 5 } }, "'pageSize.Product' is not an entity set. Did you mean 'Products'?"],
    [{ disabledQueryOptions: ['$filer'] }, "'$filer' is not a system query option. Did you mean '$filter'?"],
    [{ disabledQueryOptions: ['filter'] }, "Did you mean '$filter'?"],
  ])('MUST be reported at start-up, with a suggestion: %j', (options, message) => {
    expect(starting(options)).toThrow(TypeError)
    expect(starting(options)).toThrow(message)
  })

  it.each([
    [{ pageSize: -1 }, 'pageSize must be a whole number'],
    [{ pageCache: 1000 }, 'pageCache must be an object such as { maxBytes: 16_777_216 }'],
    [{ pageCache: null }, 'pageCache must be an object'],
    [{ pageCache: { maxBytes: -1 } }, 'pageCache.maxBytes must be a whole number of bytes'],
    [{ pageCache: { maxBytes: 1.5 } }, 'pageCache.maxBytes must be a whole number of bytes'],
    [{ pageCache: { maxBytes: '1 MB' } }, 'pageCache.maxBytes must be a whole number of bytes'],
    [{ pageSize: 1.5 }, 'pageSize must be a whole number'],
    [{ pageSize: '50' }, 'pageSize must be a whole number'],
    [{ pageSize: Number.NaN }, 'pageSize must be a whole number'],
    [{ pageSize: { Products: -1 } }, 'pageSize.Products must be a whole number'],
    [{ pageSize: { Products: '5' } }, 'pageSize.Products must be a whole number'],
    [{ context: 'admin' }, 'context must be a function'],
    [{ authorize: true }, 'authorize must be a function'],
    [{ onError: console }, 'onError must be a function'],
    [{ disabledQueryOptions: '$filter' }, "disabledQueryOptions must be an array such as ['$filter']"],
    [{ serviceRoot: '/odata/' }, 'serviceRoot must be an absolute URL'],
    [{ serviceRoot: 'example.org/odata' }, 'serviceRoot must be an absolute URL'],
    [{ serviceRoot: 'ftp://example.org/' }, 'serviceRoot must be an absolute URL'],
    [{ serviceRoot: 'https://example.org/?a=1' }, 'serviceRoot must not have a query'],
    [{ serviceRoot: 'https://example.org/#a' }, 'serviceRoot must not have a query or fragment'],
    [{ serviceRoot: 5 }, 'serviceRoot must be an absolute URL'],
    [{ limits: { url: -1 } }, 'limits.url must be a number that is not negative'],
    [{ limits: { url: '100' } }, 'limits.url must be a number'],
    [{ limits: { top: Number.NaN } }, 'limits.top must be a number'],
    [{ nextTop: 'rest' }, 'nextTop must be "remaining" or "same"'],
    [{ nullNavigation: 200 }, 'nullNavigation must be 204 or 404'],
    [{ mediaDisposition: 'download' }, 'mediaDisposition must be "inline" or "attachment"'],
    [{ doubleAsNumber: 'yes' }, 'doubleAsNumber must be true or false'],
    [{ nestChangeSetErrors: 1 }, 'nestChangeSetErrors must be true or false'],
    [{ sapRestrictions: 'no' }, 'sapRestrictions must be true or false or "relaxed"'],
    [null, 'options must be an object'],
    ['pageSize=5', 'options must be an object'],
  ])('MUST be rejected at start-up: %j', (options, message) => {
    expect(starting(options)).toThrow(TypeError)
    expect(starting(options)).toThrow(message)
  })

  it.each([
    undefined,
    {},
    { pageSize: undefined, limits: undefined, onError: undefined },
    { limits: { url: undefined } },
  ])('MUST accept undefined options: %j', (options) => {
    expect(starting(options)).not.toThrow()
  })
})

describe('pageSize', () => {
  it('MUST be 1000 by default, no limit if it is 0, and a number for each set', async () => {
    const read = (): unknown => Array.from({ length: 1001 }, (_, index) => ({ ID: index + 1, No: 1 }))
    const server = await TestServer.start(
      express().use('/n', exampleServiceWith('Products', { read } as never)),
    )
    const { results, __next } = await jsonOf(server, '/n/Products')
    await server.stop()
    expect(results).toHaveLength(1000)
    expect(__next).toMatch(/\$skiptoken=1000$/)
    await withService({ pageSize: 0 }, async (server) => {
      expect((await jsonOf(server, '/n/Products')).results).toHaveLength(5)
    })
    await withService({ pageSize: { Products: 1, Lines: 0 } }, async (server) => {
      const sizes = []
      for (const set of ['Products', 'Lines', 'Categories'])
        sizes.push((await jsonOf(server, `/n/${set}`)).results.length)
      expect(sizes).toEqual([1, 3, 4])
    })
  })

  it('MUST be that of the set a path leads to', async () => {
    await withService({ pageSize: { Products: 2 } }, async (server) => {
      expect((await jsonOf(server, '/n/Categories(1)/Products')).results).toHaveLength(2)
      expect((await jsonOf(server, '/n/Categories(1)/$links/Products')).results).toHaveLength(2)
      expect((await jsonOf(server, '/n/ByRating')).results).toHaveLength(2)
      expect((await jsonOf(server, '/n/Categories?$expand=Products')).results[0]).toMatchObject({
        Products: { results: [{ ID: 1 }, { ID: 2 }], __next: expect.stringMatching(/\$skiptoken=2$/) },
      })
    })
  })
})

describe('limits', () => {
  const long = 'x'.repeat(300)

  it.each<[ODataV2Options['limits'], string, number, string]>([
    [{ url: 100 }, `/n/Categories?a=${long}`, 414, 'UriTooLong'],
    [{ expressionDepth: 3 }, '/n/Products?$filter=((((true))))', 400, 'LimitExceeded'],
    [
      { expressionNodes: 5 },
      '/n/Products?$filter=ID%20eq%201%20or%20ID%20eq%202%20or%20ID%20eq%203',
      400,
      'LimitExceeded',
    ],
    [{ orderByTerms: 1 }, '/n/Products?$orderby=Name,Price', 400, 'LimitExceeded'],
    [{ expandDepth: 1 }, '/n/Products?$expand=Category/Products', 400, 'LimitExceeded'],
    [{ expandPaths: 1 }, '/n/Products?$expand=Category,Category', 400, 'LimitExceeded'],
    [{ expandPaths: 0 }, '/n/Products?$expand=Category', 400, 'LimitExceeded'],
    [{ expandedRows: 1 }, '/n/Products?$expand=Category', 400, 'LimitExceeded'],
    [{ expandedRows: 0 }, '/n/Categories(1)?$expand=Products', 400, 'LimitExceeded'],
    [{ top: 10 }, '/n/Products?$top=11', 400, 'LimitExceeded'],
    [{ pathSegments: 3 }, '/n/Products(1)/Category/Products/$count', 400, 'LimitExceeded'],
  ])('%j MUST reject %s with %i %s', async (limits, target, status, code) => {
    await withService({ limits }, async (server) => {
      const response = await server.send(target)
      expect(response.status).toBe(status)
      expect(response.text).toContain(`<code>${code}</code>`)
      expect(response.text).toMatch(/\d/)
    })
    await withService({}, async (server) => {
      expect((await server.send(target)).status).toBe(200)
    })
  })

  it.each<[ODataV2Options['limits'], string]>([
    [{ url: 13 }, '/n/Categories()'],
    [{ orderByTerms: 2 }, '/n/Products?$orderby=Name,Price'],
    [{ expandDepth: 2 }, '/n/Products?$expand=Category/Products'],
    [{ expandPaths: 2 }, '/n/Products?$expand=Category,Category'],
    [{ top: 10 }, '/n/Products?$top=10'],
    [{ pathSegments: 4 }, '/n/Products(1)/Category/Products/$count'],
    [{ url: Number.POSITIVE_INFINITY }, `/n/Categories?a=${long}`],
  ])('%j MUST let %s pass', async (limits, target) => {
    await withService({ limits }, async (server) => {
      expect((await server.send(target)).status).toBe(200)
    })
  })

  it.each<[ODataV2Options['limits'], string, number]>([
    [{ scannedRows: 2 }, '/n/Lines?$filter=No%20eq%201', 400],
    [{ scannedRows: 2 }, '/n/Lines?$orderby=Text', 400],
    [{ scannedRows: 2 }, '/n/Lines/$count?$filter=No%20eq%201', 400],
    [{ scannedRows: 3 }, '/n/Lines?$filter=No%20eq%201', 200],
    [{ sortedRows: 2 }, '/n/Lines?$orderby=Text', 400],
    [{ sortedRows: 2 }, '/n/Lines?$orderby=Text&$top=1', 200],
    [{ sortedRows: 3 }, '/n/Lines?$orderby=Text', 200],
  ])('%j MUST also apply if the provider pushes nothing down: %s', async (limits, target, status) => {
    const service = exampleServiceWith('Lines', { read: () => exampleData.Lines }, { limits })
    const server = await TestServer.start(express().use('/n', service))
    const response = await server.send(target)
    await server.stop()
    expect(response.status).toBe(status)
    if (status === 400) expect(response.text).toContain('<code>LimitExceeded</code>')
  })

  it('MUST be 8192 characters for URIs by default', async () => {
    await withService({}, async (server) => {
      const fill = (length: number): string =>
        `/n/Categories?a=${'x'.repeat(length - '/Categories?a='.length)}`
      expect((await server.send(fill(8192))).status).toBe(200)
      expect((await server.send(fill(8193))).status).toBe(414)
    })
  })
})

describe('disabledQueryOptions', () => {
  it('MUST reject exactly the named options, anywhere in a request', async () => {
    await withService({ disabledQueryOptions: ['$filter', '$orderby'] }, async (server) => {
      for (const target of [
        '/n/Products?$filter=true',
        '/n/Products?$orderby=ID',
        '/n/Products(1)?$filter=true',
        '/n/Products/$count?$filter=true',
        '/n/Categories(1)/$links/Products?$orderby=ID',
      ]) {
        const { status, text } = await server.send(target)
        expect([status, text]).toEqual([400, expect.stringContaining('<code>QueryOptionNotAllowed</code>')])
        expect(text).toMatch(/This service does not allow \$(?:filter|orderby)\./)
      }
      expect((await server.send('/n/Products?$top=1&$select=ID')).status).toBe(200)
    })
  })
})

describe('nextTop', () => {
  it('MUST repeat the number of the client where it is `same`', async () => {
    await withService({ pageSize: 1, nextTop: 'same' }, async (server) => {
      const { __next } = await jsonOf(server, '/n/Products?$top=3&$skip=1')
      expect(__next).toMatch(/\/n\/Products\?\$top=3&\$skiptoken=2$/)
    })
  })

  it('MUST be the remaining number of entities with `remaining`', async () => {
    await withService({ pageSize: 1, nextTop: 'remaining' }, async (server) => {
      const { __next } = await jsonOf(server, '/n/Products?$top=3&$skip=1')
      expect(__next).toMatch(/\/n\/Products\?\$top=2&\$skiptoken=2$/)
    })
  })
})

describe('nullNavigation', () => {
  it('MUST be 204 without a body if it is set to 204', async () => {
    await withService({ nullNavigation: 204 }, async (server) => {
      const { status, headers, bytes } = await server.send('/n/Products(5)/Category')
      expect([status, headers['content-type'], bytes.length]).toEqual([204, undefined, 0])
      expect(headers).toMatchObject({ dataserviceversion: '2.0', vary: 'Accept' })
      expect((await server.send('/n/Products(99)/Category')).status).toBe(404)
      expect((await server.send('/n/Products(99)')).status).toBe(404)
      expect((await server.send('/n/Products(5)/Category/Name')).status).toBe(404)
      expect((await server.send('/n/Products(1)/Category')).status).toBe(200)
    })
  })

  it('MUST be 404 where nothing is said', async () => {
    await withService({}, async (server) => {
      expect((await server.send('/n/Products(5)/Category')).status).toBe(404)
    })
  })
})

describe('doubleAsNumber', () => {
  it('MUST serialize numbers of JSON as numbers, and infinity and NaN as strings', async () => {
    await withService({ doubleAsNumber: true }, async (server) => {
      const { results } = await jsonOf(server, '/n/Products?$select=Weight,Discount,Dims,Price')
      expect(results).toMatchObject([
        { Weight: 1.5, Discount: 0.1, Dims: { W: 10 }, Price: '12.50' },
        { Weight: null, Discount: null, Dims: { W: null } },
        { Weight: 1e21, Discount: '-INF', Dims: { W: 'NaN' } },
        {},
        {},
      ])
      const { text } = await server.send('/n/Products(1)/Weight?$format=json')
      expect(text).toBe('{"d":{"Weight":1.5}}')
    })
  })

  it('MUST not touch Atom', async () => {
    await withService({ doubleAsNumber: true }, async (server) => {
      expect((await server.send('/n/Products(3)/Weight')).text).toContain('>1E+21<')
    })
  })
})

describe('serviceRoot', () => {
  it.each([
    ['https://example.org/odata/', 'https://example.org/odata/'],
    ['https://example.org/odata', 'https://example.org/odata/'],
    ['https://example.org', 'https://example.org/'],
    ['https://EXAMPLE.org:443/a b//', 'https://example.org/a%20b/'],
    ['http://example.org:8080/x', 'http://example.org:8080/x/'],
    [`https://example.org/a&b"<'`, `https://example.org/a%26b%22%3C'/`],
  ])('%s MUST appear in all links as %s', async (serviceRoot, root) => {
    await withService({ serviceRoot, pageSize: 1 }, async (server) => {
      const headers = { Host: 'elsewhere.example' }
      const { text } = await server.send('/n/Categories', { headers })
      expect(text).toContain(`xml:base="${root}"`)
      expect(text).toContain(`<id>${root}Categories(1)</id>`)
      expect(text).toContain(`<link rel="next" href="${root}Categories?$skiptoken=1"/>`)
      expect(text).not.toContain('elsewhere')
      const json = await jsonOf(server, '/n/Categories')
      expect(json).toMatchObject({
        results: [{ __metadata: { uri: `${root}Categories(1)` } }],
        __next: `${root}Categories?$skiptoken=1`,
      })
    })
  })
})
