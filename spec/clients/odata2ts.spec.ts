import { NorthwindService } from '@northwind/odata2ts'
import { FetchClient } from '@odata2ts/http-client-fetch'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

/** The client leaves it to its caller to double the quotes in keys and parameters. */
const oNeill = "O''NEI"

describe.each(stores)('odata2ts with a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind
  let northwind: NorthwindService<FetchClient>

  beforeAll(async () => {
    served = await serveNorthwind(openStore, { csrf: true })
    const options = { useCsrfProtection: true, csrfTokenFetchUrl: served.root }
    northwind = new NorthwindService(new FetchClient({}, options), served.root)
  })
  afterAll(() => served.close())
  beforeEach(() => void served.takeRequests())

  const etagOf = (product: object): string => (product as { __metadata: { etag: string } }).__metadata.etag

  it('MUST send the requests of the query builder', async () => {
    const { data } = await northwind
      .Products()
      .query((builder, product) =>
        builder
          .filter(
            product.UnitPrice.gt('30M'),
            product.ProductName.contains('a'),
            product.Discontinued.isFalse(),
          )
          .orderBy(product.UnitPrice.desc(), product.ProductName.asc())
          .select('ProductName', 'UnitPrice')
          .top(3)
          .skip(1)
          .count(),
      )
    expect(data.d.results.map(({ ProductName }) => ProductName)).toEqual([
      'Serra Hard Cheese',
      'Jamón, Sliced',
      'Balsamic, 25 Years',
    ])
    expect(data.d.__count).toBe('32')
  })

  it('MUST expand, and filter by related entities', async () => {
    const { data } = await northwind
      .Products()
      .query((builder, product) =>
        builder.filter(product.Category.props.CategoryName.eq('Drinks')).expand('Category', 'Supplier'),
      )
    expect(data.d.results.length).toBeGreaterThan(5)
    expect(data.d.results[0]).toMatchObject({
      Category: { CategoryName: 'Drinks' },
      Supplier: { CompanyName: expect.any(String) },
    })
  })

  it('MUST find entities by their keys, and related entities', async () => {
    const customer = await northwind.Customers(oNeill).query()
    expect(customer.data.d.CustomerID).toBe("O'NEI")
    const orders = await northwind
      .Customers(oNeill)
      .Orders()
      .query((builder) => builder.top(1))
    const [order] = orders.data.d.results
    if (order === undefined) throw new Error('There is no order.')
    const { data } = await northwind.Orders(order.OrderID).Order_Details().query()
    const [line] = data.d.results
    if (line === undefined) throw new Error('There is no line.')
    const { OrderID, ProductID } = line
    const same = await northwind.Order_Details({ OrderID, ProductID }).query()
    expect(same.data.d.Quantity).toBe(line.Quantity)
  })

  it('MUST call functions: collections, entities, values, and complex values by POST', async () => {
    const few = await northwind.ProductsBelowStock({ min: 5 })
    expect(few.data.d.results.length).toBeGreaterThan(0)
    const latest = await northwind.LatestOrder({ customerID: oNeill })
    expect(latest.data.d.CustomerID).toBe("O'NEI")
    const average = await northwind.AveragePrice({ categoryID: 1 })
    expect(average.data.d).toEqual({ AveragePrice: expect.stringMatching(/^\d+\.\d+$/) })
    const countries = await northwind.CustomerCountries()
    expect(countries.data.d.results.length).toBeGreaterThan(3)
    const quote = await northwind.RequestQuote({ productID: 1, quantity: 30 })
    // The client says in its types that the name of the function is not there.
    expect(quote.data.d).toMatchObject({ RequestQuote: { ProductID: 1, Quantity: 30, Total: '1311.0000' } })
  })

  it('MUST create, change, replace and delete with a token and ETags', async () => {
    const { data } = await northwind
      .Products()
      .create({ ProductName: 'Gouda', UnitPrice: '12.34', Discontinued: false, Version: 1, CategoryID: 1 })
    const { ProductID } = data.d
    const changed = await northwind
      .Products(ProductID)
      .patch({ UnitPrice: '13.5' }, { headers: { 'If-Match': etagOf(data.d) } })
    expect(changed.status).toBe(204)
    const { etag = '' } = changed.headers
    expect(etag).not.toBe(etagOf(data.d))
    const late = northwind
      .Products(ProductID)
      .patch({ UnitPrice: '14' }, { headers: { 'If-Match': etagOf(data.d) } })
    await expect(late).rejects.toMatchObject({ status: 412 })
    await northwind
      .Products(ProductID)
      .update({ ProductName: 'Edam', Discontinued: true, Version: 2 }, { headers: { 'If-Match': etag } })
    const read = await northwind.Products(ProductID).query()
    expect(read.data.d).toMatchObject({ ProductName: 'Edam', UnitPrice: null, CategoryID: null })
    await northwind.Products(ProductID).delete({ headers: { 'If-Match': etagOf(read.data.d) } })
    await expect(northwind.Products(ProductID).query()).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('There is no entity with this key.'),
    })
    const methods = served
      .takeRequests()
      .map(({ method, headers }) => [method, headers['x-http-method'] ?? ''].join(' ').trim())
    expect(methods.slice(-7)).toEqual(['POST', 'POST MERGE', 'POST MERGE', 'PUT', 'GET', 'DELETE', 'GET'])
  })
})
