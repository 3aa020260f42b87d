import { parseFeed } from '@rowanmanning/feed-parser'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

/** Headers of Excel and Power BI for `OData.Feed`, from public logs. */
const mashup = {
  accept:
    'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,' +
    'application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7',
  maxdataserviceversion: '3.0',
  'odata-maxversion': '4.0',
  'accept-encoding': 'gzip, deflate',
  'user-agent': 'Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)',
}

describe.each(stores)('Requests of Power Query for a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind

  beforeAll(async () => {
    served = await serveNorthwind(openStore, { pageSize: 20 })
  })
  afterAll(() => served.close())

  const get = (path: string): Promise<Response> => fetch(`${served.root}/${path}`, { headers: mashup })

  it.each([
    ['', /^application\/(atomsvc\+)?xml/, /<workspace>.*<collection href="Products">/s],
    ['$metadata', /^application\/xml/, /<edmx:DataServices[^>]*m:DataServiceVersion=/],
    ['Products', /^application\/atom\+xml/, /<feed[ >]/],
    ['Products(1)', /^application\/atom\+xml/, /<entry[ >]/],
    ['Products(1)/ProductName', /^application\/xml/, /<ProductName[ >]/],
    ['AveragePrice?categoryID=1', /^application\/xml/, /<AveragePrice[ >]/],
    ['Products/$count', /^text\/plain/, /^\d+$/],
  ])('MUST get Atom and XML, never the JSON of later versions: %s', async (path, type, body) => {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(type),
    ])
    // Version 3 at most: what says OData-Version is taken for version 4.
    expect(response.headers.get('dataserviceversion')).toMatch(/^[12]\.0;?/)
    expect(response.headers.get('odata-version')).toBeNull()
    expect(await response.text()).toMatch(body)
  })

  it('MUST get absolute next links to the last page', async () => {
    const ids: (string | null)[] = []
    let next: string | undefined = `${served.root}/Products?$select=ProductID,ProductName`
    let pages = 0
    while (next !== undefined) {
      const text: string = await (await fetch(next, { headers: mashup })).text()
      ids.push(...parseFeed(text).items.map(({ id }) => id))
      next = /<link rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      if (next !== undefined) expect(next.startsWith(`${served.root}/Products?`)).toBe(true)
      pages += 1
    }
    expect(pages).toBeGreaterThan(3)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ["Products?$filter=UnitPrice ge 20.5M and substringof('a',ProductName)&$orderby=ProductName&$top=1000"],
    ["Products?$filter=substringof('a',tolower(ProductName)) eq true&$select=ProductName"],
    [
      "Orders?$filter=OrderDate ge datetime'2000-01-01T00:00:00' and OrderDate lt datetime'2100-01-01T00:00:00'",
    ],
    ['Products?$expand=Category,Supplier&$select=ProductName,Category/CategoryName,Supplier&$top=5'],
    ['Categories(1)/Products?$top=1000'],
    ['ProductsBelowStock?min=5'],
  ])('MUST get the results of folded query steps: %s', async (path) => {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/atom\+xml/),
    ])
    const text = await response.text()
    expect(text).toMatch(/<entry[ >]/)
    // Every value names its type, from which columns get theirs.
    for (const [, type] of text.matchAll(/<d:(?:ProductID|UnitPrice)[^>]* m:type="([^"]+)"/g)) {
      expect(['Edm.Int32', 'Edm.Decimal']).toContain(type)
    }
  })

  it.each([
    ['Nothing', 404],
    ['Products(4711)', 404],
    ["Products?$filter=Nothing eq 'a'", 400],
  ])('MUST get readable errors: %s', async (path, status) => {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      expect.stringMatching(/^application\/xml/),
    ])
    expect(await response.text()).toMatch(
      /<error xmlns="http:\/\/schemas.microsoft.com\/ado\/2007\/08\/dataservices\/metadata"><code>\w+<\/code><message/,
    )
  })

  it('MUST NOT get the explorer page', async () => {
    const explored = await serveNorthwind(openStore, { explorer: true })
    const response = await fetch(`${explored.root}/`, { headers: mashup })
    expect(response.headers.get('content-type')).toMatch(/xml/)
    await explored.close()
  })
})
