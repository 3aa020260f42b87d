import type { Express } from 'express'
import request from 'supertest'
import type { ODataError } from '../../lib/errors/odata-error.js'
import type { Authorize, FilterTemplate } from '../../lib/provider/authorize.js'
import { filter } from '../../lib/provider/authorize.js'
import type { Json } from '../contracts/contract-service.js'
import { hindered, readingOnly } from '../contracts/handicaps.js'
import { contractMemory, depot } from '../support/contract-memory.js'

const encoded = encodeURIComponent

/** A filter for the products, and one for the categories. */
function hiding(products: string | FilterTemplate | undefined, categories?: string): Authorize {
  return (operation) => {
    if (operation.kind === 'function') return undefined
    if (operation.entitySet === 'Products') return products
    return operation.entitySet === 'Categories' ? categories : undefined
  }
}

async function bodyOf(app: Express, path: string): Promise<Json> {
  const response = await request(app).get(`/depot${path}`).set('Accept', 'application/json')
  expect([path, response.status]).toEqual([path, 200])
  return (response.body as { d: Json }).d
}

const keysIn = ({ results = [] }: Json): string[] => results.map(({ ID }) => String(ID))

describe.each([
  ['memoryProvider', contractMemory()],
  ['a provider that only reads', hindered(contractMemory(), readingOnly)],
])('A filter of the application, over %s,', (_provider, provider) => {
  const service = (authorize: Authorize): Express => depot({ authorize, pageSize: 2 }, provider)
  // Left are the products 1, 4, 6 and the categories 2 to 6.
  const app = service(hiding('Active', 'ID ge 2'))
  const status = async (path: string): Promise<number> => (await request(app).get(`/depot${path}`)).status
  const text = async (path: string): Promise<string> => (await request(app).get(`/depot${path}`)).text

  it('MUST be added to the $filter of feeds and of their following pages', async () => {
    const first = await bodyOf(app, '/Products')
    expect(keysIn(first)).toEqual(['1', '4'])
    expect(first.__next).toMatch(/\/depot\/Products\?\$skiptoken=4L$/)
    expect(keysIn(await bodyOf(app, '/Products?$skiptoken=4L'))).toEqual(['6'])
    expect(keysIn(await bodyOf(app, '/Products?$filter=Rating%20eq%203'))).toEqual(['6'])
    expect(keysIn(await bodyOf(app, '/Products?$filter=Rating%20eq%203%20or%20true'))).toEqual(['1', '4'])
    expect(keysIn(await bodyOf(app, '/Products?$skip=1&$top=1'))).toEqual(['4'])
  })

  it('MUST be added to counts', async () => {
    expect(await text('/Products/$count')).toBe('3')
    expect(await text('/Products/$count?$filter=Rating%20eq%205')).toBe('2')
    expect((await bodyOf(app, '/Products?$inlinecount=allpages&$top=1')).__count).toBe('3')
    expect(await text('/Products(1L)/$count')).toBe('1')
    expect(await status('/Products(2L)/$count')).toBe(404)
  })

  it.each([
    '/Products(2L)',
    '/Products(2L)/Name',
    '/Products(2L)/Name/$value',
    '/Products(2L)/Dims/Unit',
    '/Products(2L)/Tags',
    '/Products(2L)/Tags/$count',
    '/Products(2L)/$links/Tags',
    '/Products(2L)/$links/Category',
    '/Products(2L)/Category',
    '/Categories(1)/Products',
    '/Categories(3)/Products(5L)',
    '/Lines(Order=1,No=2)/Product',
    '/Lines(Order=1,No=2)/$links/Product',
    '/Lines(Order=1,No=2)/Product/Name/$value',
    '/Lines(Order=1,No=2)/Product/Category',
    '/Products(1L)/Category',
    '/Products(1L)/$links/Category',
    '/Products(1L)/Category/Name',
    '/Categories(3)/Parent',
  ])('MUST hide an entity as if it were not there: %s', async (path) => {
    const response = await request(app).get(`/depot${path}`)
    const never = await request(depot()).get('/depot/Products(99L)')
    expect(response.status).toBe(404)
    // The message about a navigation property names only that property.
    const navigationMessage = /'\w+' does not lead to an entity/
    expect(response.text.replace(navigationMessage, 'There is no entity with this key')).toBe(never.text)
  })

  it('MUST apply to related entities and to links', async () => {
    expect(keysIn(await bodyOf(app, "/Tags(guid'aaaaaaaa-0000-4000-8000-00000000000a')/Products"))).toEqual([
      '1',
    ])
    const { results = [] } = await bodyOf(
      app,
      "/Tags(guid'aaaaaaaa-0000-4000-8000-00000000000a')/$links/Products",
    )
    expect(results.map(({ uri }) => uri?.replace(/^.*\//, ''))).toEqual(['Products(1L)'])
    expect(await text('/Categories(5)/Products/$count')).toBe('1')
    expect(await text('/Categories(4)/Products/$count')).toBe('0')
  })

  it('MUST be added to expanded entities, at every depth', async () => {
    const { results = [] } = await bodyOf(app, '/Lines?$expand=Product/Category,Product/Tags/Products')
    const products = results.map(({ Product }) => Product as Json | null)
    expect(products.map((one) => one?.ID ?? null)).toEqual(['1', null])
    expect(products[0]?.Category).toBeNull()
    const tags = (products[0]?.Tags as Json).results ?? []
    expect(tags.map(({ Products }) => keysIn(Products as Json))).toEqual([['1'], ['1']])
    const { results: roots = [] } = await bodyOf(app, '/Categories?$expand=Children/Products&$top=2')
    expect(roots.map(({ ID }) => ID)).toEqual([2, 3])
    const children = roots.map(({ Children }) => (Children as Json).results ?? [])
    expect(children.map((list) => list.map(({ ID, Products }) => [ID, keysIn(Products as Json)]))).toEqual([
      [],
      [
        [5, ['6']],
        [6, []],
      ],
    ])
  })

  it('MUST make a hidden entity null where conditions and orders reach for it', async () => {
    const ids = async (query: string): Promise<string[]> => keysIn(await bodyOf(app, `/Products?${query}`))
    expect(await ids(`$filter=${encoded("Category/Name eq 'Cheese'")}`)).toEqual([])
    expect(await ids(`$filter=${encoded('Category eq null')}`)).toEqual(['1', '4'])
    expect(await ids(`$filter=${encoded('Category/ID gt 0')}`)).toEqual(['6'])
    expect(await ids(`$filter=${encoded('length(Category/Name) gt 0 or Category/Name ge null')}`)).toEqual([
      '6',
    ])
    // By the name of its category, product 1 would come after product 4, which has none.
    expect(await ids(`$orderby=${encoded('Category/Name')}`)).toEqual(['1', '4'])
    expect(await ids(`$orderby=${encoded('Category/Name')}&$skiptoken=null,4L`)).toEqual(['6'])
    const lines = await bodyOf(app, `/Lines?$filter=${encoded("Product/Name eq 'Edam' or Product eq null")}`)
    expect(lines.results?.map(({ Order, No }) => [Order, No])).toEqual([
      [1, 2],
      [2, -1],
    ])
    expect(await status(`/Products(1L)?$filter=${encoded("Category/Name eq 'Cheese'")}`)).toBe(404)
    expect(await text(`/Products/$count?$filter=${encoded("Category/Name eq 'Cheese'")}`)).toBe('0')
  })

  it('MUST be added to the entities that functions return', async () => {
    expect(keysIn(await bodyOf(app, '/Rated?min=3'))).toEqual(['1', '4'])
    expect(await text('/Rated/$count?min=3')).toBe('3')
    expect((await bodyOf(app, '/Best')).ID).toBe('1')
    expect(await status('/Best/Category')).toBe(404)
    const none = service(hiding('ID gt 1L'))
    expect((await request(none).get('/depot/Best')).status).toBe(404)
    expect((await request(none).get('/depot/Best/Name')).status).toBe(404)
  })

  it('MUST hide media resources with their entities', async () => {
    const photos = service(({ entitySet }) => (entitySet === 'Photos' ? 'ID eq 2' : undefined))
    expect((await request(photos).get('/depot/Photos(1)/$value')).status).toBe(404)
    expect((await request(photos).get('/depot/Products(1L)/Photo/$value')).status).toBe(404)
    expect((await request(photos).get('/depot/Photos(2)/$value')).status).toBe(200)
  })

  it('MUST apply only to the operation that it was returned for', async () => {
    const byKind = service(({ kind }) =>
      kind === 'count' ? 'Rating eq 3' : kind === 'media' ? 'ID eq 2' : undefined,
    )
    expect((await request(byKind).get('/depot/Products/$count')).text).toBe('3')
    expect(keysIn(await bodyOf(byKind, '/Products'))).toEqual(['1', '2'])
    expect((await request(byKind).get('/depot/Photos(1)/$value')).status).toBe(404)
    expect((await request(byKind).get('/depot/Photos(1)')).status).toBe(200)
  })

  it('MUST restrict the entities of a function when it was returned for the function', async () => {
    const functions = service(({ kind }) => (kind === 'function' ? 'Price gt 0' : undefined))
    expect(keysIn(await bodyOf(functions, '/Rated?min=5'))).toEqual(['1'])
    expect(keysIn(await bodyOf(functions, '/Products'))).toEqual(['1', '2'])
    const none = service(({ kind }) => (kind === 'function' ? 'Price lt 0' : undefined))
    expect((await request(none).get('/depot/Best')).status).toBe(404)
  })

  it('MUST itself see all related entities', async () => {
    // The caller cannot read categories, but the filter of products depends on them.
    const owned = service(hiding("Category/Name eq 'Cheese'", 'false'))
    expect(keysIn(await bodyOf(owned, '/Products'))).toEqual(['1', '2'])
    expect(keysIn(await bodyOf(owned, '/Products?$filter=Category%20eq%20null'))).toEqual(['1', '2'])
    expect(keysIn(await bodyOf(owned, '/Products?$orderby=Category/Name%20desc'))).toEqual(['1', '2'])
  })
})

describe('The filter tag', () => {
  const keys = async (result: FilterTemplate): Promise<string[]> =>
    keysIn(await bodyOf(depot({ authorize: hiding(result) }), '/Products'))

  it.each<[string, FilterTemplate, string[]]>([
    ['string', filter`Name eq ${'Gouda'}`, ['1']],
    ['string with quotes', filter`Name eq ${"It's"}`, ['8']],
    ['string in a function', filter`startswith(Name,${'G'})`, ['1']],
    ['number for Int16', filter`Rating eq ${5}`, ['1', '4']],
    ['number for Int64', filter`Stock eq ${10}`, ['1']],
    ['bigint', filter`Stock eq ${9_007_199_254_740_993n}`, ['2']],
    ['digits for Int64', filter`Stock eq ${'9007199254740993'}`, ['2']],
    ['digits for Decimal', filter`Price eq ${'12345678901234567.8901234567'}`, ['5']],
    ['number for Decimal', filter`Price eq ${12.5}`, ['1', '2', '8']],
    ['number for Double', filter`Weight eq ${0.25}`, ['1']],
    ['number for Single', filter`Discount eq ${0.5}`, ['1']],
    ['boolean', filter`Active eq ${true}`, ['1', '4', '6']],
    ['Date', filter`Released eq ${new Date('2012-05-29T09:13:28.123Z')}`, ['4']],
    ['ISO text for DateTime', filter`Released eq ${'2012-05-29T09:13:28.1234568'}`, ['2']],
    ['Date for DateTimeOffset', filter`Changed eq ${new Date('2012-05-29T09:13:28Z')}`, ['1']],
    ['ISO text for DateTimeOffset', filter`Changed eq ${'2012-05-29T11:13:28+02:00'}`, ['1']],
    ['text for Time', filter`Opens eq ${'09:13:28'}`, ['1']],
    ['text for Guid', filter`Code eq ${'12345678-AAAA-bbbb-cccc-ddddeeeeffff'}`, ['1']],
    ['Uint8Array', filter`Pic eq ${Uint8Array.of(0, 15, 160, 255)}`, ['1']],
    ['null', filter`CategoryID eq ${null}`, ['4']],
    ['value on the left', filter`${5} eq Rating`, ['1', '4']],
    ['value of a condition', filter`${true} and Rating eq ${5}`, ['1', '4']],
    ['value behind a navigation property', filter`Category/Name eq ${'Cheese'}`, ['1', '2']],
    ['values in arithmetic', filter`Rating add ${1} eq ${6}`, ['1', '4']],
  ])('MUST make a literal of a value as its place needs it: %s', async (_what, result, expected) => {
    expect(await keys(result)).toEqual(expected)
  })

  it('MUST embed filters in filters, with brackets around them and their own values', async () => {
    const high = filter`Rating eq ${5} or Rating eq ${3}`
    const cheap = filter`Price lt ${1}`
    expect(await keys(filter`${high} and ${cheap}`)).toEqual(['4', '7'])
    expect(await keys(filter`not ${filter`${high} or ${filter`ID gt ${8n}`}`}`)).toEqual(['3', '5', '8'])
    const conditions = [1n, 2n, 3n].map((id) => filter`ID eq ${id}`)
    const any = conditions.reduce((left, right) => filter`${left} or ${right}`)
    expect(await keys(filter`Name ne ${'Edam'} and ${any}`)).toEqual(['1', '3'])
  })

  it.each([
    "x' or true or Name eq 'x",
    "' or '' eq '",
    "Gouda') or (true",
    '\u00001\u0000',
    '\u00000\u0000',
    "x'%20or%20true",
    'null',
    "it''s' or 1 eq 1 or Name eq '",
  ])('MUST treat values as literals, never as syntax: %j', async (value) => {
    expect(await keys(filter`Name eq ${value} and Active eq ${true}`)).toEqual([])
    expect(await keys(filter`${filter`Name eq ${value}`} or Name eq ${'Edam'}`)).toEqual(['2'])
  })

  it('MUST not treat an object as a filter that only resembles one', async () => {
    const look = { source: 'true', values: [] }
    const errors: ODataError[] = []
    const app = depot({
      authorize: hiding(filter`Name eq ${look}`),
      onError: (error) => void errors.push(error),
    })
    expect((await request(app).get('/depot/Products')).status).toBe(500)
    expect(errors).toHaveLength(1)
  })
})

describe('An error in the result of authorize', () => {
  it.each<[what: string, result: unknown, message: RegExp]>([
    ['an unknown property', 'Ovner eq 1', /authorize filter for 'Products'.*Ovner/s],
    ['a misspelt property', "Nane eq 'x'", /Did you mean 'Name'/],
    ['broken syntax', 'Rating eq', /authorize filter for 'Products'.*position 9.*\^/s],
    ['a filter that is no condition', 'Rating add 1', /authorize filter for 'Products'/],
    ['nothing between quotes', '', /authorize filter for 'Products'/],
    ['a value of the wrong type', filter`Rating eq ${'high'}`, /authorize filter for 'Products'/],
    ['an invalid value', filter`Rating eq ${[1, 2]}`, /authorize filter for 'Products'/],
    ['false', false, /returned boolean.*throw new ODataError\('Forbidden'\)/s],
    ['true', true, /returned boolean/],
    ['a number', 0, /returned number/],
    ['an object', { source: 'true', values: [] }, /returned object/],
    ['a function', () => true, /returned function/],
  ])('MUST reject the request with 500 and call onError: %s', async (_what, result, message) => {
    const errors: ODataError[] = []
    const app = depot({
      authorize: (() => result) as Authorize,
      onError: (error) => void errors.push(error),
    })
    for (const path of ['/Products', '/Products(1L)', '/Products/$count']) {
      const response = await request(app).get(`/depot${path}`).set('Accept', 'application/json')
      expect(response.status).toBe(500)
      expect(response.body.error.message.value).toBe('The service failed to process the request.')
    }
    expect(errors).toHaveLength(3)
    expect(errors[0]?.message).toMatch(message)
  })

  it('MUST be parsed for each set separately, even if the text is the same', async () => {
    const app = depot({ authorize: () => 'Active', onError: () => undefined })
    expect(keysIn(await bodyOf(app, '/Products'))).toEqual(['1', '4', '6'])
    expect((await request(app).get('/depot/Categories')).status).toBe(500)
    expect(keysIn(await bodyOf(app, '/Products'))).toEqual(['1', '4', '6'])
  })

  it('MUST have the values of its call, whatever values and types earlier calls had', async () => {
    const templates = [
      filter`Rating eq ${5}`,
      filter`Rating eq ${3}`,
      filter`Rating eq ${'5'}`,
      filter`Rating eq ${null}`,
      filter`Rating ge ${3} and Active eq ${true}`,
      filter`Rating ge ${3} and Active eq ${false}`,
      filter`Name eq ${"x' or true or Name eq '"}`,
      filter`ID eq ${1n}`,
      filter`ID eq ${1}`,
    ]
    let rights: FilterTemplate | undefined
    const create = (): Express => depot({ authorize: () => rights, onError: () => undefined })
    const visibleIn = async (app: Express): Promise<readonly unknown[]> => {
      const one = await request(app).get('/depot/Products(1L)?$select=Name')
      const feed = await request(app).get('/depot/Products?$select=ID').set('Accept', 'application/json')
      return [one.status, feed.status === 200 ? keysIn((feed.body as { d: Json }).d) : feed.status]
    }
    const app = create()
    for (const template of [...templates, ...templates.toReversed()]) {
      rights = template
      expect(await visibleIn(app)).toEqual(await visibleIn(create()))
    }
    rights = filter`Rating eq ${3}`
    expect(await visibleIn(app)).toEqual([404, ['2', '6', '7']])
  })

  it('MUST be a filter for a function that returns no entities, to which it cannot be added', async () => {
    const errors: ODataError[] = []
    const app = depot({ authorize: () => 'true', onError: (error) => void errors.push(error) })
    expect((await request(app).get('/depot/Total')).status).toBe(500)
    expect(errors[0]?.message).toMatch(/function/)
  })
})
