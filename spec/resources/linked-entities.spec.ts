import express from 'express'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../sample-app/northwind/northwind-service.js'
import { northwindInSqlite } from '../../sample-app/northwind-sql/northwind-database.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const inMemory = () =>
  Promise.resolve({
    provider: memoryProvider(northwindModel, northwindData, { functions: northwindFunctions }),
    close: () => Promise.resolve(),
  })

const related = 'http://schemas.microsoft.com/ado/2007/08/dataservices/related/Products'

/** An Atom entry of a category whose links are given. */
const entry = (id: number, links: string): string =>
  '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" ' +
  'xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">' +
  `<m:properties><d:CategoryID>${id}</d:CategoryID><d:CategoryName>New</d:CategoryName></m:properties></content>` +
  `${links}</entry>`

const newEntry =
  '<entry><id>urn:uuid:1</id><content type="application/xml"><m:properties><d:ProductID>901</d:ProductID>' +
  '<d:ProductName>Fresh</d:ProductName></m:properties></content></entry>'

/** As datajs writes `{__metadata:{uri}}`. */
const reference = (uri: string): string =>
  `<entry><id>${uri}</id><title/><author><name/></author><content type="application/xml"><m:properties/></content></entry>`

describe.each([
  ['memory', inMemory],
  ['SQLite', () => northwindInSqlite(':memory:')],
])('An insert into %s that names entities of a navigation property', (_name, open) => {
  let server: TestServer
  let opened: Awaited<ReturnType<typeof open>>

  beforeEach(async () => {
    opened = await open()
    server = await TestServer.start(express().use('/n', odataV2(northwindModel, opened.provider)))
  })
  afterEach(async () => {
    await server.stop()
    await opened.close()
  })

  function post(set: string, body: string, type: string): Promise<HttpResponse> {
    return server.send(`/n/${set}`, { method: 'POST', headers: { 'Content-Type': type }, body })
  }

  /** Keys of products that were there before, and names of new ones. */
  async function productsOf({ headers }: HttpResponse): Promise<readonly unknown[]> {
    const path = new URL(String(headers.location)).pathname
    const { text } = await server.send(`${path}/Products?$format=json&$orderby=ProductID`)
    const { d } = JSON.parse(text) as { d: { results: readonly Record<string, unknown>[] } }
    return d.results.map(({ ProductID, ProductName }) => (Number(ProductID) > 2 ? ProductName : ProductID))
  }

  it('MUST link those that exist and make the others: JSON', async () => {
    const products = [
      { ProductID: 901, ProductName: 'Fresh' },
      { __metadata: { uri: 'Products(1)' } },
      { ProductID: 902, ProductName: 'Fresher' },
      { __deferred: { uri: `http://127.0.0.1:${server.port}/n/Products(2)` } },
    ]
    const body = { CategoryID: 90, CategoryName: 'New', Products: products }
    const made = await post('Categories', JSON.stringify(body), 'application/json')
    expect(made.status).toBe(201)
    expect(await productsOf(made)).toEqual([1, 2, 'Fresh', 'Fresher'])
  })

  it.each([
    [
      'several links',
      `<link rel="${related}" href="Products(1)"/><link rel="${related}"><m:inline><feed>${newEntry}</feed></m:inline></link>`,
    ],
    [
      'one feed, as datajs writes it',
      `<link rel="${related}"><m:inline><feed>${newEntry}${reference('Products(1)')}</feed></m:inline></link>`,
    ],
  ])('MUST link those that exist and make the others: Atom with %s', async (_how, links) => {
    const made = await post('Categories', entry(90, links), 'application/atom+xml')
    expect(made.status).toBe(201)
    expect(await productsOf(made)).toEqual([1, 'Fresh'])
  })

  it('MUST do neither when one of them does not exist', async () => {
    const products = [{ ProductID: 901, ProductName: 'Fresh' }, { __metadata: { uri: 'Products(999)' } }]
    const body = { CategoryID: 90, CategoryName: 'New', Products: products }
    expect((await post('Categories', JSON.stringify(body), 'application/json')).status).toBe(400)
    const counts = ['Categories', 'Products'].map((set) => server.send(`/n/${set}/$count`))
    expect((await Promise.all(counts)).map(({ text }) => text)).toEqual(['8', '77'])
  })

  it('MUST link to one that datajs names in Atom by an entry with an id alone', async () => {
    const body = entry(0, '')
      .replace(
        /<m:properties>.*?<\/m:properties>/,
        '<m:properties><d:ProductID>901</d:ProductID><d:ProductName>Fresh</d:ProductName></m:properties>',
      )
      .replace(
        '</entry>',
        `<link rel="${related.replace('Products', 'Category')}"><m:inline>${reference('Categories(2)')}</m:inline></link></entry>`,
      )
    const made = await post('Products', body, 'application/atom+xml')
    expect(made.status).toBe(201)
    expect(made.text).toContain('<d:CategoryID m:type="Edm.Int32">2</d:CategoryID>')
  })
})
