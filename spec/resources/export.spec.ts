import express from 'express'
import type { Annotations } from '../../lib/edm/annotations.js'
import type { Provider } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { exportShop, shopModel, shopProvider } from '../support/export-shop.js'
import { Failures } from '../support/failures.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const CSV = 'text/csv;charset=utf-8;header=present'
const failures = new Failures()

/** A provider that cannot count, whose rows fill several chunks of a document. */
function uncounted(): Provider {
  const name = 'x'.repeat(1_000)
  const rows = Array.from({ length: 1_000 }, (_, ID) => ({ ID, Name: name, Size: {} }))
  const { entitySets, functions } = shopProvider()
  return { functions, entitySets: { ...entitySets, Products: { read: () => rows } } }
}

const labeled = (value: string): { annotations: Partial<Annotations> } => ({
  annotations: {
    attributes: [{ namespace: 'http://www.sap.com/Protocols/SAPData', prefix: 'sap', name: 'label', value }],
  },
})

/** Labels that are equal, have line breaks, and are blank. */
const labelsModel = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(labeled('Text')),
        Title: edm.String(labeled('Text')),
        Number: edm.String(labeled('Item\r\nno.\n')),
        Unnamed: edm.String(labeled(' ')),
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/shop', exportShop())
  app.use('/small-pages', exportShop({ pageSize: 1 }))
  app.use('/csv-only', exportShop({ exports: { formats: ['csv'], separator: ';', formulas: 'keep' } }))
  app.use('/off', odataV2(shopModel, shopProvider()))
  app.use('/limited', exportShop({ limits: { exportRows: 2 }, onError: failures.onError }))
  app.use(
    '/uncounted',
    odataV2(shopModel, uncounted(), {
      exports: true,
      limits: { exportRows: 900 },
      onError: failures.onError,
    }),
  )
  app.use(
    '/restricted',
    exportShop({
      authorize: ({ entitySet, kind }) => {
        if (kind === 'count') throw new Error('No entities are counted for the client.')
        return entitySet === 'Products' ? 'ID ne 1' : undefined
      },
    }),
  )
  app.use('/labels', odataV2(labelsModel, memoryProvider(labelsModel, {}), { exports: true }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

const send = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  server.send(path, { headers })

/** The lines of a CSV document, without its byte order mark. */
async function csvLines(path: string, headers?: Record<string, string>): Promise<readonly string[]> {
  const { status, text } = await send(path, headers)
  expect([status, text.charAt(0), text.slice(-2)]).toEqual([200, '\uFEFF', '\r\n'])
  return text.slice(1, -2).split('\r\n')
}

describe('An export', () => {
  it('MUST have the type and name of a file, and neither length nor ETag', async () => {
    const { status, headers } = await send('/shop/Products?$format=csv')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': CSV,
      'content-disposition': 'attachment; filename="Products.csv"',
      'cache-control': 'no-store',
      vary: 'Accept',
    })
    expect(headers).not.toHaveProperty('content-length')
    expect(headers).not.toHaveProperty('etag')
  })

  it('MUST have the headers of GET for HEAD', async () => {
    const { headers: ofGet } = await send('/shop/Products?$format=csv')
    const { headers, bytes } = await server.send('/shop/Products?$format=csv', { method: 'HEAD' })
    expect(bytes).toHaveLength(0)
    const { 'transfer-encoding': _encoding, ...expected } = ofGet
    expect({ ...headers, date: '' }).toEqual({ ...expected, date: '' })
  })

  it.each([
    ['/shop/Products?$format=csv', 'Products.csv'],
    ['/shop/Categories(7)/Products?$format=csv', 'Products.csv'],
    ['/shop/Cheapest?$format=csv', 'Cheapest.csv'],
  ])('MUST be available for every collection of entities: %s', async (path, name) => {
    const { status, headers } = await send(path)
    expect([status, headers['content-disposition']]).toEqual([200, `attachment; filename="${name}"`])
  })

  it.each([
    '/shop/Products(1)?$format=csv',
    '/shop/Products(1)/Category?$format=csv',
    '/shop/Products(1)/Name?$format=csv',
    '/shop/Products(1)/Size?$format=csv',
    '/shop/Categories(7)/$links/Products?$format=csv',
    '/shop/Names?$format=csv',
    '/shop/$metadata?$format=csv',
    '/shop?$format=csv',
    '/off/Products?$format=csv',
    '/csv-only/Products?$format=xlsx',
    '/shop/Products?$format=text/csv;charset=utf-16',
  ])('MUST be refused with 406 elsewhere, and if it is not enabled: %s', async (path) => {
    expect((await send(path)).status).toBe(406)
  })

  it('MUST be refused with 406 within a batch', async () => {
    const body =
      '--b\r\nContent-Type: application/http\r\n\r\nGET Products?$format=csv HTTP/1.1\r\n\r\n\r\n--b--'
    const headers = { 'Content-Type': 'multipart/mixed;boundary=b' }
    const { text } = await server.send('/shop/$batch', { method: 'POST', headers, body })
    expect(text).toContain('HTTP/1.1 406')
  })

  it.each([
    ['text/csv', true],
    ['text/csv, */*', true],
    ['text/csv;q=0.9, application/json;q=0.8', true],
    ['text/csv;header=present', true],
    ['text/csv;q=0.5, application/json', false],
    ['text/csv, application/json', false],
    ['text/csv;q=0, */*', false],
    ['text/*', false],
    ['*/*', false],
    ['application/json', false],
  ])('MUST be chosen only where Accept names and prefers it: %s', async (accept, isCsv) => {
    const { status, headers } = await send('/shop/Products', { Accept: accept })
    expect([status, headers['content-type'] === CSV]).toEqual([200, isCsv])
  })

  it('MUST be announced in $metadata', async () => {
    const formats = async (service: string): Promise<string | undefined> =>
      /sap:supported-formats="([^"]*)"/.exec((await send(`/${service}/$metadata`)).text)?.[1]
    expect(await formats('shop')).toBe('atom json csv xlsx')
    expect(await formats('csv-only')).toBe('atom json csv')
    expect(await formats('off')).toBeUndefined()
  })

  it('MUST contain all entities, whatever the page size of the server', async () => {
    expect(await csvLines('/small-pages/Products?$format=csv&$select=ID')).toEqual(['ID', '1', '2', '3'])
    expect((await send('/small-pages/Products?$format=csv')).text).not.toContain('skiptoken')
  })

  it.each([
    ['$top=1', ['1']],
    ['$top=0', []],
    ['$skip=1', ['2', '3']],
    ['$filter=ID gt 1', ['2', '3']],
    ['$orderby=ID desc', ['3', '2', '1']],
    ['$skiptoken=1', ['2', '3']],
    ['$inlinecount=allpages', ['1', '2', '3']],
  ])('MUST contain the entities that the other options select: %s', async (options, ids) => {
    const path = `/shop/Products?$format=csv&$select=ID&${options.replaceAll(' ', '%20')}`
    expect(await csvLines(path)).toEqual(['ID', ...ids])
  })

  it('MUST contain only entities that the caller may read', async () => {
    const path = '/restricted/Products?$format=csv&$select=ID&$inlinecount=allpages'
    expect(await csvLines(path)).toEqual(['ID', '2', '3'])
  })
})

describe('The columns of an export', () => {
  const header = async (options: string, service = 'shop'): Promise<string | undefined> =>
    (await csvLines(`/${service}/Products?$format=csv&${options}`))[0]?.replaceAll('"', '')

  it.each([
    ['', 'ID,Product,Price,Dimensions/Width in cm,Dimensions/Unit,CategoryID,Number of pages'],
    ['$select=Price,Name', 'Price,Product'],
    ['$select=Price,Price', 'Price'],
    ['$select=Size,Name', 'Dimensions/Width in cm,Dimensions/Unit,Product'],
    ['$select=Name,*', 'Product,ID,Price,Dimensions/Width in cm,Dimensions/Unit,CategoryID,Number of pages'],
    ['$select=Name,Category/Name,Price&$expand=Category', 'Product,Category/Name,Price'],
    ['$select=Category,Name&$expand=Category', 'Category/ID,Category/Name,Product'],
    ['$select=Category/Name,Category&$expand=Category', 'Category/Name,Category/ID'],
    ['$select=Category/*&$expand=Category', 'Category/ID,Category/Name'],
    [
      '$expand=Category',
      'ID,Product,Price,Dimensions/Width in cm,Dimensions/Unit,CategoryID,Number of pages,Category/ID,Category/Name',
    ],
  ])('MUST be those of $select, in its order, with labels as headings: %s', async (options, columns) => {
    expect(await header(options)).toBe(columns)
  })

  it.each([
    ['', 'ID,Text (Name),Text (Title),Item no.,Unnamed'],
    ['$select=Title,Name', 'Text (Title),Text (Name)'],
    ['$select=Title', 'Text'],
  ])('MUST have different headings, each on one line: %s', async (options, columns) => {
    expect(await header(options, 'labels')).toBe(columns)
  })

  it('MUST have values of expanded, complex and derived types, and be empty without a value', async () => {
    const options = '$select=ID,Category/Name,Size,Pages&$expand=Category'
    expect(await csvLines(`/shop/Products?$format=csv&${options}`)).toEqual([
      'ID,"Category/Name","Dimensions/Width in cm","Dimensions/Unit","Number of pages"',
      '1,Cheese,1.5,cm,',
      '2,,1.5,cm,',
      '3,Cheese,1.5,cm,120',
    ])
  })

  it.each([
    ['Categories?$format=csv&$expand=Products', "'Products' is a collection"],
    ['Products?$format=csv&$expand=Category/Products&$select=ID', "'Products' is a collection"],
    ['Products?$format=csv&$select=Category/Name', '$expand=Category'],
    ['Products?$format=csv&$select=ID,Category', '$expand=Category'],
    ['Products?$format=csv&$select=Nothing', "no property 'Nothing'"],
    ['Products?$format=csv&$filter=Nothing', 'Nothing'],
  ])('MUST be refused with 400 where they cannot be columns: %s', async (path, message) => {
    const { status, text } = await send(`/shop/${path}`)
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('The limit of an export', () => {
  it('MUST be refused with 400 when the provider can count', async () => {
    for (const path of ['/limited/Products?$format=csv', '/limited/Products?$format=csv&$top=3']) {
      const { status, text } = await send(path)
      expect([status, text]).toEqual([400, expect.stringContaining("the limit 'exportRows'")])
    }
    expect((await send('/limited/Cheapest?$format=csv')).status).toBe(200)
  })

  it.each(['$top=2', '$skip=1', '$filter=ID%20gt%201'])(
    'MUST count exported entities: %s',
    async (options) => {
      expect((await send(`/limited/Products?$format=csv&${options}`)).status).toBe(200)
    },
  )

  it('MUST close the connection within the document when the provider cannot count', async () => {
    await expect(send('/uncounted/Products?$format=csv')).rejects.toThrow(/aborted|hang up/)
    expect((await send('/uncounted/Products?$format=csv&$top=900')).status).toBe(200)
  })
})
