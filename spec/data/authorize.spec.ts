import request from 'supertest'
import { ODataError } from '../../lib/errors/odata-error.js'
import type { Operation } from '../../lib/provider/authorize.js'
import { depot } from '../support/contract-memory.js'

/** Returns the operations with which `authorize` is called for a request, in order. */
async function operationsOf(path: string): Promise<Operation[]> {
  const operations: Operation[] = []
  const app = depot({ authorize: (operation) => void operations.push(operation) })
  const response = await request(app).get(`/depot${path}`)
  expect(response.status).toBeLessThan(400)
  return operations
}

const read = (entitySet: string, more: Partial<Operation> = {}): unknown => ({
  kind: 'read',
  entitySet,
  expandDepth: 0,
  ...more,
})

describe('authorize', () => {
  it.each<[path: string, operations: readonly unknown[]]>([
    ['/Products', [read('Products')]],
    ['/Products(1L)', [read('Products', { key: { ID: 1n } })]],
    ['/Lines(Order=1,No=2)', [read('Lines', { key: { Order: 1, No: 2 } })]],
    ['/Products(1L)/Name', [read('Products', { key: { ID: 1n } })]],
    ['/Products(1L)/Name/$value', [read('Products', { key: { ID: 1n } })]],
    ['/Products/$count', [{ ...(read('Products') as object), kind: 'count' }]],
    [
      '/Products(1L)/Category',
      [read('Categories', { navigation: 'Category' }), read('Products', { key: { ID: 1n } })],
    ],
    [
      '/Categories(1)/Products',
      [read('Products', { navigation: 'Products' }), read('Categories', { key: { ID: 1 } })],
    ],
    [
      '/Categories(1)/Products(2L)',
      [read('Products', { key: { ID: 2n }, navigation: 'Products' }), read('Categories', { key: { ID: 1 } })],
    ],
    [
      '/Categories(1)/$links/Products',
      [read('Products', { navigation: 'Products' }), read('Categories', { key: { ID: 1 } })],
    ],
    [
      '/Categories(1)/Products/$count',
      [
        { kind: 'count', entitySet: 'Products', navigation: 'Products', expandDepth: 0 },
        read('Categories', { key: { ID: 1 } }),
      ],
    ],
    ['/Photos(1)/$value', [{ kind: 'media', entitySet: 'Photos', key: { ID: 1 }, expandDepth: 0 }]],
    [
      '/Lines?$expand=Product/Category',
      [
        read('Lines'),
        { kind: 'read', entitySet: 'Products', navigation: 'Product', expandDepth: 1 },
        { kind: 'read', entitySet: 'Categories', navigation: 'Category', expandDepth: 2 },
      ],
    ],
    [
      "/Products?$filter=Category/Name%20eq%20'Cheese'",
      [read('Products'), read('Categories', { navigation: 'Category' })],
    ],
    [
      '/Products?$orderby=Category/Parent/Name,Supplier/City',
      [
        read('Products'),
        read('Categories', { navigation: 'Category' }),
        read('Categories', { navigation: 'Parent' }),
        read('Suppliers', { navigation: 'Supplier' }),
      ],
    ],
    [
      '/Rated?min=3',
      [
        read('Products'),
        { kind: 'function', functionImport: 'Rated', parameters: { min: 3 }, entitySet: 'Products' },
      ],
    ],
    [
      '/Best/Name',
      [read('Products'), { kind: 'function', functionImport: 'Best', parameters: {}, entitySet: 'Products' }],
    ],
    ['/Total', [{ kind: 'function', functionImport: 'Total', parameters: {}, entitySet: undefined }]],
  ])('MUST be called with the operations of a request: %s', async (path, expected) => {
    expect(await operationsOf(path)).toEqual(expected)
  })

  it.each(['/', '/$metadata'])('MUST not be called for resources without data: %s', async (path) => {
    expect(await operationsOf(path)).toEqual([])
  })

  it('MUST respond with 401 and the challenge of the application', async () => {
    const app = depot({
      authorize() {
        throw new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Basic realm="depot"' } })
      },
    })
    const response = await request(app).get('/depot/Products?$format=json')
    expect(response.status).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Basic realm="depot"')
    expect(response.body).toEqual({
      error: { code: 'Unauthorized', message: { lang: 'en', value: 'Authorization is required.' } },
    })
  })

  it.each([
    '/Products',
    '/Products(1L)',
    '/Products(99L)',
    '/Products/$count',
    '/Photos(1)/$value',
    '/Total',
  ])(
    'MUST respond with 403 when the application denies access, whether or not the entity exists: %s',
    async (path) => {
      const app = depot({
        authorize: () => Promise.reject(new ODataError('Forbidden', { message: 'Not you.' })),
      })
      const response = await request(app).get(`/depot${path}`).set('Accept', 'application/json')
      expect(response.status).toBe(403)
      expect(response.body.error).toEqual({ code: 'Forbidden', message: { lang: 'en', value: 'Not you.' } })
    },
  )

  it.each([
    '/Products?$expand=Category',
    '/Lines?$expand=Product/Category',
    '/Products(1L)/Category',
    '/Products(1L)/$links/Category',
    '/Products?$filter=Category/ID%20eq%201',
    '/Products?$orderby=Category/ID',
    '/Products(1L)?$filter=Category%20ne%20null',
    '/Products/$count?$filter=Category/Parent/ID%20eq%201',
    '/Categories(1)/Products',
    '/Categories(1)/Products/$count',
    '/Best/Category',
    '/Best?$expand=Category',
    "/Rated?$filter=Category/Name%20eq%20'x'",
  ])('MUST refuse a set however it is reached: %s', async (path) => {
    const app = depot({
      authorize(operation) {
        if (operation.entitySet === 'Categories') throw new ODataError('Forbidden')
      },
    })
    expect((await request(app).get(`/depot${path}`)).status).toBe(403)
  })

  it('MUST refuse one navigation property where another to the same set is allowed', async () => {
    const app = depot({
      authorize(operation) {
        if (operation.kind === 'read' && operation.navigation === 'Parent') throw new ODataError('Forbidden')
      },
    })
    const status = async (path: string): Promise<number> => (await request(app).get(`/depot${path}`)).status
    expect(await status('/Products?$filter=Category/ID%20eq%201')).toBe(200)
    expect(await status('/Products?$filter=Category/Parent/ID%20eq%201')).toBe(403)
    expect(await status('/Products?$orderby=Category/Name,Category/Parent/Name')).toBe(403)
  })

  it('MUST be called before the provider and before functions', async () => {
    const calls: string[] = []
    const refuse = (): never => {
      calls.push('authorize')
      throw new ODataError('Forbidden')
    }
    const read = (): never => {
      throw new Error('The provider must not be called.')
    }
    const sets = ['Categories', 'Products', 'Suppliers', 'Lines', 'Tags', 'Journal', 'Parties', 'Photos']
    const provider = {
      entitySets: Object.fromEntries(sets.map((set) => [set, { read, readByKey: read, count: read }])),
      functions: { Rated: read, Best: read, Total: read },
    }
    const app = depot({ authorize: refuse }, provider)
    for (const path of ['/Products', '/Products(1L)', '/Products/$count', '/Rated', '/Best', '/Total']) {
      expect((await request(app).get(`/depot${path}`)).status).toBe(403)
    }
    expect(calls).toHaveLength(6)
  })

  it('MUST respond with 500 to any other error, and report it only to the application', async () => {
    const failure = new Error('The directory of users is down: ldap://secret')
    const errors: ODataError[] = []
    const app = depot({
      authorize: () => Promise.reject(failure),
      onError: (error) => void errors.push(error),
    })
    const response = await request(app).get('/depot/Products')
    expect(response.status).toBe(500)
    expect(response.text).not.toContain('secret')
    expect(errors.map(({ cause }) => cause)).toEqual([failure])
  })
})

describe('context', () => {
  interface Caller {
    readonly name: string
  }

  it.each([
    ['synchronously', (name: string): Caller => ({ name })],
    ['later', (name: string): Promise<Caller> => Promise.resolve({ name })],
  ])('MUST reach authorize, the provider and functions when it is given %s', async (_when, make) => {
    const seen: unknown[] = []
    const note = (context: unknown): void => void seen.push(context)
    const sets = ['Categories', 'Products', 'Suppliers', 'Lines', 'Tags', 'Journal', 'Parties', 'Photos']
    const provider = {
      entitySets: Object.fromEntries(
        sets.map((set) => [
          set,
          {
            read(_query: unknown, { context }: { context: unknown }) {
              note(context)
              return []
            },
          },
        ]),
      ),
      functions: {
        Total(_parameters: unknown, context: unknown, call: { context: unknown }) {
          note(context)
          note(call.context)
          return 1
        },
      },
    }
    const app = depot<Caller>(
      {
        context: (req) => make(req.get('x-user') ?? 'anonymous'),
        authorize: (_operation, context) => note(context),
      },
      provider,
    )
    await request(app).get('/depot/Products').set('x-user', 'ada')
    expect(seen).toEqual([{ name: 'ada' }, { name: 'ada' }])
    await request(app).get('/depot/Total').set('x-user', 'ben')
    expect(seen.slice(2)).toEqual([{ name: 'ben' }, { name: 'ben' }, { name: 'ben' }])
  })

  it.each([
    [
      'synchronously',
      () => {
        throw new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Bearer' } })
      },
    ],
    [
      'later',
      () => Promise.reject(new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Bearer' } })),
    ],
  ])('MUST be able to refuse a caller %s', async (_when, context) => {
    const response = await request(depot({ context })).get('/depot/Products')
    expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  it('MUST respond with 500 when it fails, and report the error only to the application', async () => {
    const failure = new Error('secret')
    const errors: ODataError[] = []
    const app = depot({
      context: () => {
        throw failure
      },
      onError: (error) => void errors.push(error),
    })
    const response = await request(app).get('/depot/Products')
    expect(response.status).toBe(500)
    expect(response.text).not.toContain('secret')
    expect(errors.map(({ cause }) => cause)).toEqual([failure])
  })

  it('MUST be called once per request', async () => {
    let times = 0
    const app = depot({ context: () => ++times, authorize: () => undefined })
    await request(app).get('/depot/Categories?$expand=Products/Tags&$filter=Parent%20eq%20null')
    expect(times).toBe(1)
  })
})

describe('Custom query options', () => {
  it('MUST reach the provider as they were sent, decoded, and those of the protocol must not', async () => {
    const seen: unknown[] = []
    const sets = ['Categories', 'Products', 'Suppliers', 'Lines', 'Tags', 'Journal', 'Parties', 'Photos']
    const provider = {
      entitySets: Object.fromEntries(
        sets.map((set) => [
          set,
          {
            read(_query: unknown, { customOptions }: { customOptions: unknown }) {
              seen.push(customOptions)
              return []
            },
          },
        ]),
      ),
    }
    await request(depot({}, provider)).get(
      '/depot/Products?sap-language=DE&$top=1&search=a%26b+c&search=second&!deltatoken=x%3D1&empty',
    )
    expect(seen).toEqual([
      [
        ['sap-language', 'DE'],
        ['search', 'a&b c'],
        ['search', 'second'],
        ['!deltatoken', 'x=1'],
        ['empty', ''],
      ],
    ])
  })
})
