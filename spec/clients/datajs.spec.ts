import { join } from 'node:path'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

interface Request {
  readonly requestUri: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly data?: unknown
}

interface Response {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

type Entity = Record<string, unknown> & {
  readonly __metadata: { readonly uri: string; readonly etag?: string; readonly type: string }
}

interface Feed {
  readonly results: readonly Entity[]
  readonly __count?: string | number
  readonly __next?: string
}

type Send = <Data>(request: Request) => Promise<{ readonly data: Data; readonly response: Response }>

/** The functions of datajs that a page can use. */
interface Toolkit {
  readonly send: Send
  /** Reads with the model of the service, by which Atom becomes numbers and dates. */
  readonly sendTyped: Send
  readonly batch: (parts: readonly object[]) => Promise<readonly BatchResponse[]>
}

interface BatchResponse {
  readonly statusCode?: string
  readonly data?: Entity & Feed
  readonly message?: string
  readonly response?: { readonly statusCode: string; readonly body: string }
  readonly __changeResponses?: readonly BatchResponse[]
}

const html = `<!doctype html><title>datajs</title><script src="/datajs.js"></script><script>
  const failure = ({ message, response }) =>
    Object.assign(new Error(message + ' ' + (response ? response.statusCode + ' ' + response.body : '')))
  const send = (request, handler, metadata) => new Promise((resolve, reject) =>
    OData.request(request, (data, response) =>
      resolve({ data, response: { statusCode: response.statusCode, headers: response.headers } }),
      (error) => reject(failure(error)), handler, undefined, metadata))
  let metadata
  window.toolkit = {
    send,
    sendTyped: async (request) => {
      metadata ??= (await send({ requestUri: '/northwind/$metadata' }, OData.metadataHandler)).data
      return send(request, undefined, metadata)
    },
    batch: async (parts) => (await send(
      { requestUri: '/northwind/$batch', method: 'POST', data: { __batchRequests: parts } },
      OData.batchHandler)).data.__batchResponses,
  }
</script>`

const pages = express.Router()
pages.use('/datajs.js', express.static(join(__dirname, 'node_modules/datajs/lib/datajs.js')))
pages.get('/page', (_req, res) => {
  res.type('html').send(html)
})

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

describe.each(stores)('datajs with a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind
  let page: Page

  beforeAll(async () => {
    served = await serveNorthwind(openStore, {}, [pages])
    page = await browser.newPage()
    await page.goto(`${served.origin}/page`)
  })
  afterAll(async () => {
    await page.close()
    await served.close()
  })
  beforeEach(() => void served.takeRequests())

  const run = <Given, Returned>(
    inPage: (toolkit: Toolkit, given: Given) => Promise<Returned>,
    given: Given,
  ): Promise<Returned> =>
    page.evaluate(
      ([source, value]) => {
        const { toolkit, run } = { toolkit: Reflect.get(window, 'toolkit'), run: (0, eval)(`(${source})`) }
        return run(toolkit, value)
      },
      [inPage.toString(), given] as const,
    )

  it('MUST parse the metadata document', async () => {
    const keys = await run(async ({ sendTyped }) => {
      const { data } = await sendTyped<Feed>({ requestUri: '/northwind/Products?$top=1' })
      return Object.keys(data)
    }, undefined)
    expect(keys).toContain('results')
  })

  it.each([
    ['JSON', 'application/json'],
    ['Atom', 'application/atom+xml'],
    ['whatever comes first', 'application/atom+xml;q=0.8, application/json;q=0.7, */*;q=0.1'],
  ])('MUST read feeds with all values as %s', async (_format, accept) => {
    const { data, response } = await run(
      ({ sendTyped }, accept) =>
        sendTyped<Feed>({
          requestUri:
            "/northwind/Products?$filter=Category/CategoryName eq 'Drinks'&$orderby=ProductID&$top=3" +
            '&$expand=Category,Supplier&$inlinecount=allpages',
          headers: { Accept: accept },
        }),
      accept,
    )
    expect(response.statusCode).toBe(200)
    expect(Number(data.__count)).toBeGreaterThan(3)
    expect(data.results).toHaveLength(3)
    expect(data.results[0]).toMatchObject({
      __metadata: {
        uri: `${served.root}/Products(1)`,
        etag: expect.stringMatching(/^W\/"\d+"$/),
        type: 'NorthwindModel.Product',
      },
      ProductID: 1,
      UnitPrice: '46.0000',
      Discontinued: false,
      Category: { CategoryName: 'Drinks' },
      Supplier: { Address: { Location: { Latitude: expect.anything() } } },
    })
  })

  it('MUST preserve dates, media and feed customizations in Atom', async () => {
    const read = (accept: string): Promise<unknown> =>
      run(async ({ sendTyped }, accept) => {
        const requestUri = '/northwind/Employees(1)'
        const { data } = await sendTyped<Entity>({ requestUri, headers: { Accept: accept } })
        const { FullName, BirthDate, HireDate, ShiftStart, Notes, Address } = data
        const { media_src, content_type } = data.__metadata as unknown as Record<string, string>
        return { FullName, BirthDate, HireDate, ShiftStart, Notes, Address, media_src, content_type }
      }, accept)
    const [json, atom] = [await read('application/json'), await read('application/atom+xml')]
    expect(atom).toMatchObject({
      FullName: expect.any(String),
      BirthDate: expect.any(Date),
      media_src: `${served.root}/Employees(1)/$value`,
    })
    expect(json).toMatchObject({ media_src: `${served.root}/Employees(1)/$value` })
  })

  it.each([
    ['JSON', 'application/json'],
    ['Atom', 'application/atom+xml'],
  ])('MUST insert, update, merge and delete in %s', async (_format, type) => {
    const seen = await run(async ({ sendTyped }, type) => {
      const headers = { Accept: type, 'Content-Type': type }
      const created = await sendTyped<Entity>({
        requestUri: '/northwind/Products',
        method: 'POST',
        headers,
        data: {
          __metadata: { type: 'NorthwindModel.Product' },
          ProductName: 'Gouda & <Edam>',
          UnitPrice: '12.34',
          Discontinued: false,
          // As the client writes links in both formats.
          Category: { __deferred: { uri: '/northwind/Categories(1)' } },
        },
      })
      const { uri, etag = '' } = created.data.__metadata
      const merged = await sendTyped<unknown>({
        requestUri: uri,
        method: 'MERGE',
        headers: { ...headers, 'If-Match': etag },
        data: { __metadata: { type: 'NorthwindModel.Product' }, UnitsInStock: 7 },
      })
      const read = await sendTyped<Entity>({ requestUri: uri, headers: { Accept: type } })
      const replaced = await sendTyped<unknown>({
        requestUri: uri,
        method: 'PUT',
        headers: { ...headers, 'If-Match': read.data.__metadata.etag ?? '' },
        data: { ...read.data, ProductName: 'Edam' },
      })
      const again = await sendTyped<Entity>({ requestUri: uri, headers: { Accept: type } })
      const gone = await sendTyped<unknown>({
        requestUri: uri,
        method: 'DELETE',
        headers: { 'If-Match': again.data.__metadata.etag ?? '' },
      })
      const refusal = await sendTyped<unknown>({ requestUri: uri, headers: { Accept: type } }).then(
        () => 'answered',
        (error: Error) => error.message,
      )
      return {
        statuses: [created, merged, replaced, gone].map(({ response }) => response.statusCode),
        names: [created.data.ProductName, again.data.ProductName],
        values: [
          read.data.UnitsInStock,
          Number(read.data.UnitPrice),
          again.data.CategoryID,
          again.data.UnitsInStock,
        ],
        refusal,
      }
    }, type)
    expect(seen).toEqual({
      statuses: [201, 204, 204, 204],
      names: ['Gouda & <Edam>', 'Edam'],
      values: [7, 12.34, 1, 7],
      refusal: expect.stringMatching(/404 .*There is no entity with this key/s),
    })
  })

  it('MUST send batches of reads and change sets, with references between requests', async () => {
    const responses = await run(
      ({ batch }) =>
        batch([
          { requestUri: 'Categories(1)', method: 'GET' },
          {
            __changeRequests: [
              {
                requestUri: 'Categories',
                method: 'POST',
                headers: { 'Content-ID': '1' },
                data: { CategoryName: 'Cheese' },
              },
              {
                requestUri: '$1/Products',
                method: 'POST',
                headers: { 'Content-ID': '2' },
                data: { ProductName: 'Brie', Discontinued: false },
              },
            ],
          },
          { requestUri: "Products?$filter=ProductName eq 'Brie'&$expand=Category", method: 'GET' },
          { requestUri: 'Products(4711)', method: 'GET' },
        ]),
      undefined,
    )
    const [category, changes, read, missing] = responses
    expect(category).toMatchObject({ statusCode: '200', data: { CategoryName: 'Drinks' } })
    expect(changes?.__changeResponses?.map(({ statusCode }) => statusCode)).toEqual(['201', '201'])
    expect(read?.data?.results).toMatchObject([{ ProductName: 'Brie', Category: { CategoryName: 'Cheese' } }])
    expect(missing?.response?.statusCode).toBe('404')
  })
})
