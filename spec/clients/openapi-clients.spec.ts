import * as heyApi from '@northwind/openapi/hey-api'
import * as oazapfts from '@northwind/openapi/oazapfts'
import { createNorthwind } from '@northwind/openapi/openapi-fetch'
import * as orval from '@northwind/openapi/orval'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

/** Calls that each client makes. Their types must follow from the document: nothing here is cast. */
interface Calls {
  /** Reads a page of products. */
  list(options: typeof listOptions): Promise<{ names: unknown[]; count: string | undefined }>
  companyOf(customer: string): Promise<string | null | undefined>
  create(name: string): Promise<{ id: number | undefined; etag: string | undefined }>
  rename(id: number, etag: string, name: string): Promise<number>
  lowOnStock(min: number): Promise<number>
  countOf(filter: string): Promise<unknown>
}

const listOptions = {
  filter: "UnitPrice gt 30M and substringof('a',ProductName) and Discontinued eq false",
  orderby: 'UnitPrice desc,ProductName',
  select: 'ProductName,UnitPrice',
  top: 3,
  skip: 1,
}

/** The names of the system query options in {@link listOptions}. */
const query = Object.fromEntries(Object.entries(listOptions).map(([name, value]) => [`$${name}`, value]))

function fetchCalls(root: string): Calls {
  const client = createNorthwind(root)
  return {
    async list() {
      const { data } = await client.GET('/Products', {
        params: { query: { ...query, $inlinecount: 'allpages' } },
      })
      if (typeof data !== 'object') throw new TypeError('Not JSON.')
      return { names: data.d.results.map(({ ProductName }) => ProductName), count: data.d.__count }
    },
    async companyOf(CustomerID) {
      const { data } = await client.GET('/Customers({CustomerID})', { params: { path: { CustomerID } } })
      if (typeof data !== 'object') throw new TypeError('Not JSON.')
      return data.d.CompanyName
    },
    async create(ProductName) {
      const { data } = await client.POST('/Products', { body: { ProductName } })
      if (typeof data !== 'object') throw new TypeError('Not JSON.')
      return { id: data.d.ProductID, etag: data.d.__metadata?.etag }
    },
    async rename(ProductID, etag, ProductName) {
      const { response } = await client.PATCH('/Products({ProductID})', {
        params: { path: { ProductID }, header: { 'If-Match': etag } },
        body: { ProductName },
      })
      return response.status
    },
    async lowOnStock(min) {
      const { data } = await client.GET('/ProductsBelowStock', { params: { query: { min } } })
      if (typeof data !== 'object') throw new TypeError('Not JSON.')
      return data.d.results.length
    },
    async countOf($filter) {
      const { data } = await client.GET('/Products/$count', {
        params: { query: { $filter } },
        parseAs: 'text',
      })
      return data
    },
  }
}

function heyApiCalls(root: string): Calls {
  heyApi.client.setConfig({ baseUrl: root, throwOnError: true })
  return {
    async list() {
      const { data } = await heyApi.productsList({ query: { ...query, $inlinecount: 'allpages' } })
      return { names: data?.d.results.map(({ ProductName }) => ProductName) ?? [], count: data?.d.__count }
    },
    async companyOf(CustomerID) {
      const { data } = await heyApi.customersEntityRead({ path: { CustomerID } })
      return data?.d.CompanyName
    },
    async create(ProductName) {
      const { data } = await heyApi.productsCreate({ body: { ProductName } })
      return { id: data?.d.ProductID, etag: data?.d.__metadata?.etag }
    },
    async rename(ProductID, etag, ProductName) {
      const { response } = await heyApi.productsEntityUpdate({
        path: { ProductID },
        headers: { 'If-Match': etag },
        body: { ProductName },
      })
      return response.status
    },
    async lowOnStock(min) {
      const { data } = await heyApi.productsBelowStockCall({ query: { min } })
      return data?.d.results.length ?? 0
    },
    async countOf($filter) {
      const { data } = await heyApi.productsCount({ query: { $filter } })
      return data
    },
  }
}

function oazapftsCalls(root: string): Calls {
  oazapfts.defaults.baseUrl = root
  return {
    async list(options) {
      const page = await oazapfts.productsList({ ...options, inlinecount: 'allpages' })
      if (page.status !== 200 || !('d' in page.data)) throw new TypeError('Not found.')
      return { names: page.data.d.results.map(({ ProductName }) => ProductName), count: page.data.d.__count }
    },
    async companyOf(customer) {
      const { data } = await oazapfts.customersEntityRead(customer)
      if (!('d' in data)) throw new TypeError('Not found.')
      return data.d.CompanyName
    },
    async create(ProductName) {
      const created = await oazapfts.productsCreate({ ProductName })
      if (!('data' in created) || !('d' in created.data)) throw new TypeError('Not created.')
      const { ProductID, __metadata } = created.data.d
      return { id: ProductID, etag: __metadata?.etag }
    },
    async rename(id, etag, ProductName) {
      return (await oazapfts.productsEntityUpdate(id, etag, { ProductName })).status
    },
    async lowOnStock(min) {
      const { data } = await oazapfts.productsBelowStockCall(min)
      return 'd' in data ? data.d.results.length : 0
    },
    async countOf(filter) {
      return (await oazapfts.productsCount({ filter })).data
    },
  }
}

function orvalCalls(root: string): Calls {
  orval.setRoot(root)
  return {
    async list() {
      const { data } = await orval.productsList({ ...query, $inlinecount: 'allpages' })
      if (typeof data === 'string' || !('d' in data)) throw new TypeError('Not JSON.')
      return { names: data.d.results.map(({ ProductName }) => ProductName), count: data.d.__count }
    },
    async companyOf(customer) {
      // The generated code does not encode the values of paths.
      const { data } = await orval.customersEntityRead(encodeURIComponent(customer))
      if (data === undefined || typeof data === 'string' || !('d' in data)) throw new TypeError('Not JSON.')
      return data.d.CompanyName
    },
    async create(ProductName) {
      const { data } = await orval.productsCreate({ ProductName })
      if (data === undefined || typeof data === 'string' || !('d' in data)) throw new TypeError('Not JSON.')
      return { id: data.d.ProductID, etag: data.d.__metadata?.etag }
    },
    async rename(id, etag, ProductName) {
      const { status } = await orval.productsEntityUpdate(
        id,
        { ProductName },
        { headers: { 'If-Match': etag } },
      )
      return status
    },
    async lowOnStock(min) {
      const { data } = await orval.productsBelowStockCall({ min })
      return typeof data === 'string' || !('d' in data) ? 0 : data.d.results.length
    },
    async countOf($filter) {
      return (await orval.productsCount({ $filter })).data
    },
  }
}

describe.each([
  ['openapi-typescript and openapi-fetch', fetchCalls],
  ['@hey-api/openapi-ts', heyApiCalls],
  ['oazapfts', oazapftsCalls],
  ['orval', orvalCalls],
])('The client that %s generates from $openapi', (_name, callsOf) => {
  let served: ServedNorthwind
  let calls: Calls

  beforeAll(async () => {
    const [[, openStore] = []] = stores
    if (openStore === undefined) throw new TypeError('There is no store.')
    served = await serveNorthwind(openStore, { defaultFormat: 'json', openapi: true })
    calls = callsOf(served.root)
  })
  afterAll(() => served.close())

  it('MUST read a page with query options', async () => {
    expect(await calls.list(listOptions)).toEqual({
      names: ['Serra Hard Cheese', 'Jamón, Sliced', 'Balsamic, 25 Years'],
      count: '32',
    })
  })

  it('MUST read an entity by a key with quotes', async () => {
    expect(await calls.companyOf("'O''NEI'")).toBe("O'Neill's Larder")
  })

  it('MUST create an entity and change it with its ETag', async () => {
    const { id, etag } = await calls.create('Comté')
    if (id === undefined || etag === undefined) throw new TypeError('The response has no key or ETag.')
    expect(await calls.rename(id, etag, 'Beaufort')).toBe(204)
    const stale = await Promise.resolve(calls.rename(id, etag, 'Brie')).catch(() => 412)
    expect(stale).toBe(412)
  })

  it('MUST call functions', async () => {
    expect(await calls.lowOnStock(5)).toBeGreaterThan(0)
  })

  it('MUST count', async () => {
    expect(String(await calls.countOf('ProductID le 7'))).toBe('7')
  })
})
