import type Context from 'sap/ui/model/Context'
import { OpenUI5, startTime } from './support/openui5.js'
import type { HttpResponse, Collection, Entity } from './support/openui5-toolkit.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

let ui5: OpenUI5

beforeAll(async () => {
  ui5 = await OpenUI5.start()
}, startTime)
afterAll(() => ui5.close())

describe.each(stores)('sap.ui.model.odata.v2.ODataModel reading a catalogue in %s', (_name, openStore) => {
  let northwind: Northwind
  let root: string

  beforeAll(async () => {
    northwind = await openNorthwind(openStore)
    root = ui5.mount('northwind', northwind.service)
  })
  afterAll(() => northwind.close())
  beforeEach(() => void ui5.takeRequests())
  afterEach(() => {
    expect(ui5.takeErrors()).toEqual([])
  })

  describe.each([
    ['in batches', { useBatch: true }],
    ['by requests of their own', { useBatch: false }],
    ['in Atom', { useBatch: false, json: false }],
    ['in Atom in batches', { useBatch: true, json: false }],
  ])('%s', (_how, settings) => {
    it('MUST combine filters, orders, pages, projections and totals', async () => {
      const page = await ui5.run(
        async ({ open, read, Filter, Sorter }, { root, settings }) => {
          const model = await open(root, settings)
          const { data } = await read(model, '/Products', {
            filters: [
              new Filter({
                and: true,
                filters: [new Filter('UnitPrice', 'GT', '30'), new Filter('ProductName', 'Contains', 'a')],
              }),
              new Filter('Discontinued', 'EQ', false),
            ],
            sorters: [new Sorter('UnitPrice', true), new Sorter('ProductName')],
            urlParameters: {
              $top: '3',
              $skip: '1',
              $inlinecount: 'allpages',
              $select: 'ProductName,UnitPrice',
            },
          })
          const [first] = data.results
          return {
            count: Number(data.__count),
            names: data.results.map(({ ProductName }) => ProductName),
            price: first?.UnitPrice,
            properties: Object.keys(first ?? {}).filter((name) => name !== '__metadata'),
          }
        },
        { root, settings },
      )
      expect(page).toEqual({
        count: 32,
        names: ['Serra Hard Cheese', 'Jamón, Sliced', 'Balsamic, 25 Years'],
        price: expect.stringMatching(/^\d+\.\d+$/),
        // Clients keep entities by their keys: these come with every projection.
        properties: ['ProductID', 'ProductName', 'UnitPrice'],
      })
    })

    it('MUST read related entities with their own addresses, expanded over several levels', async () => {
      const shown = await ui5.run(
        async ({ open, read }, { root, settings }) => {
          const model = await open(root, settings)
          await read(model, '/Orders(20001)', {
            urlParameters: { $expand: 'Order_Details/Product/Category,Customer' },
          })
          const [line = ''] = model.getProperty('/Orders(20001)/Order_Details') as string[]
          return {
            customer: typeof model.getProperty('/Orders(20001)/Customer/CompanyName'),
            line,
            product: typeof model.getProperty(`/${line}/Product/ProductName`),
            category: typeof model.getProperty(`/${line}/Product/Category/CategoryName`),
            sameProduct:
              model.getProperty(`/${line}/Product/ProductName`) ===
              model.getProperty(`/Products(${String(model.getProperty(`/${line}/ProductID`))})/ProductName`),
          }
        },
        { root, settings },
      )
      expect(shown).toEqual({
        customer: 'string',
        line: expect.stringMatching(/^Order_Details\(OrderID=20001,ProductID=\d+\)$/),
        product: 'string',
        category: 'string',
        sameProduct: true,
      })
    })
  })

  it.each([
    ['EQ', 'ProductName', 'Rooibos with Orange'],
    ['NE', 'CategoryID', 1],
    ['GT', 'UnitPrice', '88.5'],
    ['GE', 'UnitPrice', '88.5'],
    ['LT', 'UnitsInStock', 3],
    ['LE', 'UnitsInStock', 3],
    ['BT', 'UnitPrice', '20', '21'],
    ['NB', 'UnitPrice', '10', '100'],
    ['Contains', 'ProductName', "Aoife's"],
    ['NotContains', 'ProductName', 'a'],
    ['StartsWith', 'ProductName', 'Lee'],
    ['NotStartsWith', 'ProductName', 'L'],
    ['EndsWith', 'ProductName', 't'],
    ['NotEndsWith', 'ProductName', 'e'],
    ['EQ', 'CategoryID', null],
    ['EQ', 'Category/CategoryName', 'Drinks'],
  ] as const)('MUST find by %s of %s the same entities as a filter in the client', async (...condition) => {
    const [operator, path, low, high] = [...condition, undefined]
    const found = await ui5.run(
      async ({ open, read, Filter, until }, { root, filter: [path, operator, low, high] }) => {
        const model = await open(root)
        const filters = [new Filter(path, operator, low, high)]
        const { data } = await read(model, '/Products', { filters })
        // Evaluates the same condition in the client.
        const all = model.bindList('/Products', undefined, [], filters, {
          operationMode: 'Client',
          expand: 'Category',
        })
        all.attachChange(() => undefined)
        all.initialize()
        all.getContexts(0, 1000)
        const length = (): number => all.getContexts(0, 1000).length
        await until(() => length() > 0 && length() === all.getLength(), 'the rows of the list')
        return [
          data.results.map(({ ProductID }) => ProductID),
          all.getContexts(0, 1000).map((context) => context.getProperty('ProductID') as number),
        ]
      },
      { root, filter: [path, operator, low, high] as const },
    )
    expect(found[0]).toEqual(found[1])
    expect(found[0]?.length).toBeGreaterThan(0)
  })

  it.each([
    ['BinaryValue', 'EQ', 'AAEC'],
    ['DateTimeValue', 'GE', new Date(Date.UTC(1970, 0, 1))],
    ['DateTimeOffsetValue', 'GE', new Date(Date.UTC(1970, 0, 1))],
    ['DecimalValue', 'LT', '0.5'],
    ['DoubleValue', 'LT', 1],
    ['SingleValue', 'LT', 1],
    ['GuidValue', 'NE', '00000000-0000-0000-0000-000000000000'],
    ['Int64Value', 'GT', '9223372036854775806'],
    ['SByteValue', 'LT', 0],
    ['TimeValue', 'GT', { __edmType: 'Edm.Time', ms: 3_600_000 }],
  ] as const)('MUST filter by values of %s in the notation of OpenUI5', async (path, operator, value) => {
    const statuses = await ui5.run(
      async ({ open, read, Filter }, { root, filter: [path, operator, value] }) => {
        const model = await open(root)
        const { response, data } = await read(model, '/AllTypes', {
          filters: [new Filter(path, operator, value)],
        })
        return { status: Number(response.statusCode), some: Array.isArray(data.results) }
      },
      { root, filter: [path, operator, value] as const },
    )
    expect(statuses).toEqual({ status: 200, some: true })
  })

  it('MUST read concurrently in one batch, with a response for each part', async () => {
    const outcomes = await ui5.run(async ({ open, read, refusal }, root) => {
      const model = await open(root)
      const [category, none, products] = await Promise.all([
        read<Record<string, string>>(model, '/Categories(1)'),
        refusal(read(model, '/Products(4711)')),
        read(model, '/Products', { urlParameters: { $top: '2' } }),
      ])
      return [category.data.CategoryName, none, products.data.results.length]
    }, root)
    expect(outcomes).toEqual(['Drinks', expect.objectContaining({ status: 404 }), 2])
    const none = JSON.parse((outcomes[1] as { body: string }).body)
    expect(none.error.message.value).toBe('There is no entity with this key.')
    const posts = ui5.takeRequests().filter(({ method }) => method === 'POST')
    expect(posts).toHaveLength(1)
  })

  it('MUST find entities by keys with special characters of URLs, alone and in batches', async () => {
    const pairs = await ui5.run(async ({ open, pathOf, read }, root) => {
      const model = await open(root)
      const alone = await open(root, { useBatch: false })
      const { data } = await read(model, '/Customers', { urlParameters: { $top: '8' } })
      return Promise.all(
        data.results.map(async ({ CustomerID }) => {
          const path = pathOf(model, '/Customers', { CustomerID })
          const responses = await Promise.all([read<Entity>(model, path), read<Entity>(alone, path)])
          return [CustomerID, ...responses.map(({ data }) => data.CustomerID)]
        }),
      )
    }, root)
    expect(pairs).toHaveLength(8)
    for (const [key, inBatch, alone] of pairs) expect([inBatch, alone]).toEqual([key, key])
  })

  it('MUST follow next links to the last page', async () => {
    const small = await openNorthwind(openStore, { pageSize: 7 })
    const root = ui5.mount('small-pages', small.service)
    const keys = await ui5.run(async ({ open, read }, root) => {
      const model = await open(root)
      const keys: unknown[] = []
      let urlParameters: Record<string, string> | undefined = {}
      while (urlParameters !== undefined) {
        const response: HttpResponse<Collection> = await read(model, '/Products', { urlParameters })
        const { results, __next } = response.data
        keys.push(...results.map(({ ProductID }) => ProductID))
        const next: URL | undefined = __next === undefined ? undefined : new URL(__next)
        urlParameters = next === undefined ? undefined : Object.fromEntries(next.searchParams)
      }
      return keys
    }, root)
    await small.close()
    expect(keys.length).toBeGreaterThan(70)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('MUST let a list that filters and sorts in the client load page after page', async () => {
    const small = await openNorthwind(openStore, { pageSize: 7 })
    const address = ui5.mount('small-pages', small.service)
    const keys = await ui5.run(async ({ open, until }, root) => {
      const model = await open(root)
      model.setSizeLimit(1000)
      const list = model.bindList('/Products', undefined, [], [], { operationMode: 'Client' })
      list.attachChange(() => undefined)
      list.initialize()
      const rows = (): readonly Context[] => list.getContexts(0, 1000)
      await until(() => rows().length > 0 && rows().length === list.getLength(), 'the rows of the list')
      return rows().map((context) => context.getProperty('ProductID') as number)
    }, address)
    await small.close()
    expect(keys).toHaveLength(77)
    expect(new Set(keys).size).toBe(77)
  })

  it.each([
    ['Request', [/^Products\/\$count$/, /^Products\?\$skip=0&\$top=5$/], 1],
    ['Inline', [/^Products\?\$skip=0&\$top=5&\$inlinecount=allpages$/], 1],
    ['InlineRepeat', [/&\$inlinecount=allpages$/], 2],
    ['Both', [/^Products\/\$count$/, /&\$inlinecount=allpages$/], 1],
    ['None', [/^Products\?\$skip=0&\$top=5$/], 0],
  ] as const)(
    'MUST report the length of a list with the count mode %s',
    async (countMode, wanted, counts) => {
      const lengths = await ui5.run(
        async ({ open, until }, { root, countMode }) => {
          const model = await open(root, { useBatch: false })
          const list = model.bindList('/Products', undefined, [], [], { countMode })
          const rows = async (from: number): Promise<number> => {
            let received = false
            list.attachEventOnce('dataReceived', () => (received = true))
            list.getContexts(from, 5)
            await until(() => received, 'the rows of the list')
            return list.getContexts(from, 5).length
          }
          list.attachChange(() => undefined)
          list.initialize()
          const shown = [await rows(0), await rows(5)]
          await until(() => countMode === 'None' || list.isLengthFinal(), 'the length of the list')
          return { shown, length: list.getLength(), isFinal: list.isLengthFinal() }
        },
        { root, countMode },
      )
      const all = await ui5.run(
        async ({ open, read }, root) => (await read(await open(root), '/Products')).data.results.length,
        root,
      )
      const isFinal = countMode !== 'None'
      expect(lengths).toEqual({ shown: [5, 5], length: isFinal ? all : expect.any(Number), isFinal })
      const paths = ui5.takeRequests().map(({ path }) => decodeURIComponent(path))
      for (const pattern of wanted) expect(paths).toContainEqual(expect.stringMatching(pattern))
      expect(paths.filter((path) => /count/.test(path)).length).toBe(countMode === 'Both' ? 2 : counts)
    },
  )

  it('MUST call functions: collections of entities, entities, values, and complex values by POST', async () => {
    const results = await ui5.run(async ({ open, call }, root) => {
      const model = await open(root)
      const few = await call<{ results: { UnitsInStock: number }[] }>(model, '/ProductsBelowStock', {
        urlParameters: { min: 5 },
      })
      const latest = await call(model, '/LatestOrder', { urlParameters: { customerID: "O'NEI" } })
      const average = await call(model, '/AveragePrice', { urlParameters: { categoryID: 1 } })
      const quote = await call(model, '/RequestQuote', {
        method: 'POST',
        urlParameters: { productID: 1, quantity: 30 },
      })
      return {
        few: few.data.results.every(({ UnitsInStock }) => UnitsInStock < 5) && few.data.results.length,
        latest: latest.data.CustomerID,
        average: average.data,
        quote: quote.data,
      }
    }, root)
    expect(results).toEqual({
      few: expect.any(Number),
      latest: "O'NEI",
      average: { AveragePrice: expect.stringMatching(/^\d+\.\d+$/) },
      quote: {
        RequestQuote: expect.objectContaining({ ProductID: 1, Quantity: 30, Total: '1311.0000' }),
      },
    })
  })

  it('MUST bind a form to an entity with its related entities', async () => {
    const texts = await ui5.run(async ({ open, Text, show, until }, root) => {
      const model = await open(root)
      const text = new Text({ text: '{ProductName}: {Category/CategoryName}' })
      text.setModel(model)
      text.bindElement({ path: '/Products(5)', parameters: { expand: 'Category' } })
      show(text)
      await until(() => text.getText() !== ': ' && text.getText() !== '', 'the text')
      return text.getText()
    }, root)
    expect(texts).toBe('Elderflower Lemonade: Drinks')
  })

  it('MUST send options such as sap-client and sap-language, which the service ignores', async () => {
    const names = await ui5.run(async ({ open, read }, root) => {
      const model = await open(root, {
        serviceUrlParams: { 'sap-client': '100' },
        metadataUrlParams: { 'sap-language': 'EN', 'sap-documentation': 'heading' },
        headers: { 'sap-cancel-on-close': 'true' },
      })
      return (await read<Record<string, string>>(model, '/Categories(2)')).data.CategoryName
    }, root)
    expect(names).toBe('Sauces and spices')
    const paths = ui5.takeRequests().map(({ path }) => path)
    expect(paths).toContain('$metadata?sap-language=EN&sap-documentation=heading')
    expect(paths).toContain('$batch?sap-client=100')
  })
})
