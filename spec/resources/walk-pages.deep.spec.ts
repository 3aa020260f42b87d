import express from 'express'
import { fc, runs } from '../support/random.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import type { Row } from '../../lib/index.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../sample-app/northwind/northwind-service.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleModel } from '../support/services/example-service.js'
import type { PageFormat } from '../support/walk-pages.js'
import { readPage, targetOf, urisOf, walkPages } from '../support/walk-pages.js'
import { withHandlers } from '../support/with-handlers.js'

const data: Readonly<Record<string, readonly Row[]>> = northwindData
const formats: readonly PageFormat[] = ['json', 'atom']
let server: TestServer

/** Mounts a service for each page size: `/p3/Products`. `/p0` has no pages. */
beforeAll(async () => {
  const provider = memoryProvider(northwindModel, northwindData, { functions: northwindFunctions })
  const app = express()
  for (const pageSize of [0, 1, 3, 50])
    app.use(`/p${pageSize}`, odataV2(northwindModel, provider, { pageSize }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

/** Formats key values in a form that the service does not use: `1`, `ALFKI`, `20001 3`. */
function keysOf(set: string): string[] {
  const { key } = northwindModel.defaultContainer.entitySet(set)?.entityType ?? { key: [] }
  return rowsInKeyOrder(set).map((row) => key.map(({ name }) => String(row[name])).join(' '))
}

function rowsInKeyOrder(set: string): Row[] {
  const { key } = northwindModel.defaultContainer.entitySet(set)?.entityType ?? { key: [] }
  return [...(data[set] ?? [])].sort((a, b) => {
    for (const { name } of key) {
      const [x, y] = [a[name] as number | string, b[name] as number | string]
      if (x !== y) return x < y ? -1 : 1
    }
    return 0
  })
}

/** `ALFKI` from `http://h/p3/Customers('ALFKI')`. */
function keyOf(uri: string): string {
  const predicate = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1)).replace(/^[^(]*\((.*)\)$/s, '$1')
  return predicate
    .split(',')
    .map((part) => part.replace(/^\w+=/, ''))
    .map((literal) => (literal.startsWith("'") ? literal.slice(1, -1).replaceAll("''", "'") : literal))
    .join(' ')
}

async function walkedKeys(start: string, format: PageFormat): Promise<string[]> {
  return urisOf(await walkPages(server, start, format)).map(keyOf)
}

describe('A walk over all pages of a feed', () => {
  it.each(Object.keys(data))('MUST show every entity of %s once, in the order of the key', async (set) => {
    const size = (data[set]?.length ?? 0) > 100 ? 50 : 3
    for (const format of formats) {
      expect(await walkedKeys(`/p${size}/${set}`, format)).toEqual(keysOf(set))
    }
  })

  it('MUST do so with pages of one entity', async () => {
    for (const set of ['AllTypes', 'Contacts', 'Territories']) {
      expect(await walkedKeys(`/p1/${set}`, 'json')).toEqual(keysOf(set))
    }
  })

  it('MUST have no page with more entities than allowed, and only the last with fewer', async () => {
    const pages = await walkPages(server, '/p3/Products', 'json')
    const sizes = pages.map(({ uris }) => uris.length)
    expect(sizes).toEqual([...Array<number>(25).fill(3), 2])
  })

  it.each(formats)('MUST start after $skip entities and end after $top, in %s', async (format) => {
    const keys = keysOf('Products')
    const cases = [
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 0],
      [6, 5],
      [7, 3],
      [77, 0],
      [100, 70],
      [5, 77],
      [5, 1000],
    ]
    for (const [top = 0, skip = 0] of cases) {
      const walked = await walkedKeys(`/p3/Products?$top=${top}&$skip=${skip}`, format)
      expect(walked).toEqual(keys.slice(skip, skip + top))
    }
    expect(await walkedKeys('/p3/Products?$skip=70', format)).toEqual(keys.slice(70))
  })

  it.each<[string, string, (row: Row) => boolean]>([
    ['Products', 'Discontinued', ({ Discontinued }) => Discontinued === true],
    [
      'Products',
      'UnitsInStock ge 20 and CategoryID ne null',
      (row) => Number(row.UnitsInStock) >= 20 && row.CategoryID !== null,
    ],
    [
      'Products',
      "not startswith(ProductName,'M')",
      ({ ProductName }) => !String(ProductName).startsWith('M'),
    ],
    ['Customers', "Address/Country eq 'Germany'", ({ Address }) => (Address as Row).Country === 'Germany'],
    [
      'Order_Details',
      'Quantity gt 20 and Discount gt 0',
      (row) => Number(row.Quantity) > 20 && Number(row.Discount) > 0,
    ],
    ['AllTypes', 'Int32Value eq null', ({ Int32Value }) => (Int32Value ?? null) === null],
    ['Products', 'false', () => false],
  ])('MUST return exactly the entities of %s that match $filter: %s', async (set, filter, matches) => {
    const keys = new Set(keysOf(set))
    const rows = rowsInKeyOrder(set)
    const expected = [...keys].filter((_, index) => matches(rows[index] as Row))
    for (const format of formats) {
      const size = set === 'Order_Details' ? 50 : 3
      const start = `/p${size}/${set}?$filter=${encodeURIComponent(filter)}&$inlinecount=allpages`
      const pages = await walkPages(server, start, format)
      expect(urisOf(pages).map(keyOf)).toEqual(expected)
      expect(new Set(pages.map(({ count }) => count))).toEqual(new Set([String(expected.length)]))
    }
  })

  const properties = northwindModel.defaultContainer.entitySet('AllTypes')?.entityType.properties ?? []
  it.each(properties.filter(({ type }) => type !== 'Edm.Binary').map(({ name }) => name))(
    'MUST lose nothing when it is ordered by %s, whatever values that has',
    async (name) => {
      for (const order of [name, `${name} desc`]) {
        const query = `AllTypes?$orderby=${encodeURIComponent(order)}`
        const whole = urisOf([await readPage(server, `/p0/${query}`, 'json')]).map(keyOf)
        expect([...whole].sort()).toEqual(keysOf('AllTypes').sort())
        expect(await walkedKeys(`/p1/${query}`, 'json')).toEqual(whole)
      }
    },
  )

  it.each([
    ['Products', 'CategoryID desc,UnitPrice'],
    ['Products', 'Category/CategoryName,Supplier/Address/City desc'],
    ['Products', 'length(ProductName) desc,Discontinued'],
    ['Products', 'UnitPrice mul UnitsInStock desc'],
    ['Products', 'UnitsInStock div 3 mod 5,not Discontinued'],
    ['Products', 'UnitPrice gt 20M,round(UnitPrice) desc'],
    ['Products', 'concat(QuantityPerUnit,ProductName) desc'],
    ['Products', "cast(UnitPrice,'Edm.Double') div 7"],
    ['Customers', 'Address/Country,Address/City desc'],
    ['Customers', 'substring(CompanyName,0,1) desc'],
    ['Customers', 'tolower(ContactName)'],
    ['Employees', 'Manager/LastName desc,ShiftStart'],
    ['Contacts', "isof('NorthwindModel.Person'),DisplayName"],
  ])('MUST lose nothing of %s when it is ordered by %s', async (set, order) => {
    const query = `${set}?$orderby=${encodeURIComponent(order)}`
    const whole = urisOf([await readPage(server, `/p0/${query}`, 'json')]).map(keyOf)
    expect([...whole].sort()).toEqual(keysOf(set).sort())
    expect(await walkedKeys(`/p3/${query}`, 'json')).toEqual(whole)
  })

  it('MUST lose nothing for any options together', async () => {
    const filter = fc.constantFrom(
      '',
      'UnitPrice gt 10',
      'CategoryID eq null or CategoryID lt 4',
      "substringof('a',ProductName)",
    )
    const order = fc.constantFrom('', 'UnitPrice desc', 'CategoryID,ProductName desc', 'Supplier/CompanyName')
    const number = fc.option(fc.nat(12), { nil: undefined })
    const shape = fc.constantFrom(
      '',
      '$select=ProductName',
      '$expand=Category',
      '$select=ProductID,Category/CategoryName&$expand=Category',
    )
    await fc.assert(
      fc.asyncProperty(
        filter,
        order,
        number,
        number,
        shape,
        fc.constantFrom(...formats),
        async (where, by, top, skip, more, format) => {
          const options = [
            where && `$filter=${encodeURIComponent(where)}`,
            by && `$orderby=${encodeURIComponent(by)}`,
            top === undefined ? '' : `$top=${top}`,
            skip === undefined ? '' : `$skip=${skip}`,
            more,
          ]
          const query = `Products?${options.filter((one) => one !== '').join('&')}`
          const whole = urisOf([await readPage(server, `/p0/${query}`, 'json')]).map(keyOf)
          expect(await walkedKeys(`/p3/${query}`, format)).toEqual(whole)
        },
      ),
      { numRuns: runs(40) },
    )
  })
})

describe('A walk over related entities', () => {
  const productsOf = (category: number): string[] =>
    rowsInKeyOrder('Products')
      .filter(({ CategoryID }) => CategoryID === category)
      .map(({ ProductID }) => String(ProductID))

  it.each(formats)('MUST show all of them, as entries and as links, in %s', async (format) => {
    for (const category of [1, 2, 8]) {
      expect(await walkedKeys(`/p3/Categories(${category})/Products`, format)).toEqual(productsOf(category))
      expect(await walkedKeys(`/p3/Categories(${category})/$links/Products`, format)).toEqual(
        productsOf(category),
      )
    }
  })

  it('MUST show all that a function returns', async () => {
    const expected = rowsInKeyOrder('Products').filter(
      ({ Discontinued, UnitsInStock }) =>
        Discontinued === false && UnitsInStock !== null && Number(UnitsInStock) < 20,
    )
    expect(expected.length).toBeGreaterThan(6)
    for (const format of formats) {
      const keys = await walkedKeys('/p3/ProductsBelowStock?min=20', format)
      expect(keys).toEqual(expected.map(({ ProductID }) => String(ProductID)))
    }
  })

  it('MUST show all that is inline, following the next links of the inner feeds too', async () => {
    const found = new Map<string, string[]>()
    let target: string | undefined =
      '/p3/Categories?$expand=Products/Supplier&$select=CategoryName,Products/ProductName,Products/Supplier/Phone'
    while (target !== undefined) {
      const { text } = await server.send(target, { headers: { Accept: 'application/json' } })
      const { d } = JSON.parse(text) as { d: { results: ExpandedCategory[]; __next?: string } }
      for (const { CategoryID, Products } of d.results) {
        const first = Products.results.map(({ __metadata }) => keyOf(__metadata.uri))
        const rest =
          Products.__next === undefined ? [] : await walkedKeys(targetOf(Products.__next, server), 'json')
        found.set(String(CategoryID), [...first, ...rest])
      }
      target = d.__next === undefined ? undefined : targetOf(d.__next, server)
    }
    expect([...found]).toEqual(keysOf('Categories').map((key) => [key, productsOf(Number(key))]))
  })
})

interface ExpandedCategory {
  readonly CategoryID: number
  readonly Products: {
    readonly results: readonly { readonly __metadata: { readonly uri: string } }[]
    readonly __next?: string
  }
}

describe('Paging through difficult data or strings', () => {
  const names = [
    ...[
      '😀a',
      '😀b',
      '😁',
      'a,b',
      "a'b",
      'a%2Fb',
      'a b',
      'a+b',
      '&x=1',
      '#',
      '',
      ' ',
      '\u0000',
      'é',
      '\uffff',
    ],
  ]
  let own: TestServer
  beforeAll(async () => {
    const Categories = names.map((Name, ID) => ({ ID, Name, Note: Name }))
    const provider = withHandlers(memoryProvider(exampleModel, { Categories }), exampleModel)
    own = await TestServer.start(express().use('/n', odataV2(exampleModel, provider, { pageSize: 1 })))
  })
  afterAll(() => own.stop())

  it.each(['Name', 'Name desc', 'substring(Name,2) desc', 'concat(Name,Note)', 'length(Name)'])(
    'MUST end when ordered by %s',
    async (order) => {
      for (const format of formats) {
        const pages = await walkPages(own, `/n/Categories?$orderby=${encodeURIComponent(order)}`, format)
        expect(new Set(urisOf(pages)).size).toBe(names.length)
        expect(pages).toHaveLength(names.length)
      }
    },
  )
})
