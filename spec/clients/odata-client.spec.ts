import { OData } from '@odata/client'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

interface Product {
  readonly ProductID: number
  readonly ProductName: string
  readonly UnitsInStock: number | null
  readonly Category?: { readonly CategoryName: string }
}

describe.each(stores)('@odata/client with a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind
  let client: OData

  beforeAll(async () => {
    served = await serveNorthwind(openStore, { csrf: true })
    client = OData.New({ serviceEndpoint: `${served.root}/`, processCsrfToken: true })
  })
  afterAll(() => served.close())

  it('MUST read with filters, orders, pages, projections, expansions and counts', async () => {
    const products = client.getEntitySet<Product>('Products')
    const filter = client.newFilter<Product>().field('UnitsInStock').gt(3).field('ProductName').ne('Gouda')
    const found = await products.query(
      client
        .newParam()
        .filter(filter)
        .orderby('UnitPrice', 'desc')
        .top(3)
        .skip(1)
        .select(['ProductName', 'Category/CategoryName'])
        .expand('Category'),
    )
    expect(found).toHaveLength(3)
    expect(found[0]).toMatchObject({
      ProductName: expect.any(String),
      Category: { CategoryName: expect.any(String) },
    })
    expect(await products.count(filter)).toBeGreaterThan(3)
    expect(await client.getEntitySet('Customers').retrieve("O''NEI")).toMatchObject({ CustomerID: "O'NEI" })
  })

  it('MUST create, change and delete with the token that the client fetches', async () => {
    const categories = client.getEntitySet<{ CategoryID: number; CategoryName: string }>('Categories')
    const { CategoryID } = await categories.create({ CategoryName: 'Cheese' })
    await categories.update(CategoryID, { CategoryName: 'Hard cheese' })
    expect(await categories.find({ CategoryName: 'Hard cheese' })).toMatchObject([{ CategoryID }])
    await categories.delete(CategoryID)
    await expect(categories.retrieve(CategoryID)).rejects.toThrow('There is no entity with this key.')
  })

  it('MUST call functions', async () => {
    const few = await client.functionImport('ProductsBelowStock', { min: 5 })
    expect(few.d?.results.length).toBeGreaterThan(0)
    const average = await client.functionImport('AveragePrice', { categoryID: 1 })
    expect(average.d).toMatchObject({ AveragePrice: expect.any(String) })
  })

  it('MUST parse batch responses, for which the client depends on the case of headers', async () => {
    const responses = await client.execBatchRequests([
      client.newBatchRequest({ collection: 'Products', id: 1 }),
      client.newBatchRequest({
        collection: 'Categories',
        method: 'POST',
        entity: { CategoryName: 'Bread' },
      }),
      client.newBatchRequest({ collection: 'Products', id: 4711 }),
    ])
    const [product, category, missing] = await Promise.all(responses.map((response) => response.json()))
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 404])
    expect(product?.d).toMatchObject({ ProductID: 1 })
    expect(category?.d).toMatchObject({ CategoryName: 'Bread' })
    expect(missing?.error?.message.value).toBe('There is no entity with this key.')
  })
})
