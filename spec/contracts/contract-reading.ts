import { tags } from './contract-data.js'
import { hindered, unhindered } from './handicaps.js'
import type { ContractSubject } from './provider-contract.js'

const encoded = encodeURIComponent
const products = (...keys: readonly (number | string)[]): string[] => keys.map((key) => `Products(${key}L)`)
const categories = (...keys: readonly number[]): string[] => keys.map((key) => `Categories(${key})`)

const large = '9007199254740992'
const larger = '9007199254740993'

/** Reads without navigation: sets, entities by key, orders, pages and counts. */
export function describeReading({ services, provider, fit }: ContractSubject): void {
  const ids = (path: string): Promise<string[]> => services().ids('all', path)

  describe('reading', () => {
    it('MUST return a whole set in the order of its key', async () => {
      expect(await ids('/Categories')).toEqual(categories(1, 2, 3, 4, 5, 6))
      expect(await ids('/Products')).toEqual(products(1, 2, 3, 4, 5, 6, 7, 8, large, larger))
      expect(await ids('/Lines')).toEqual([
        'Lines(Order=1,No=1)',
        'Lines(Order=1,No=2)',
        'Lines(Order=2,No=-1)',
        'Lines(Order=2,No=1)',
        'Lines(Order=10,No=1)',
      ])
    })

    it.each([
      ['/Categories(3)', 'Categories(3)'],
      [`/Products(${larger}L)`, `Products(${larger}L)`],
      [`/Products(${large}L)`, `Products(${large}L)`],
      ['/Lines(Order=2,No=-1)', 'Lines(Order=2,No=-1)'],
      ['/Lines(No=1,Order=10)', 'Lines(Order=10,No=1)'],
      [`/Suppliers('')`, `Suppliers('')`],
      [`/Suppliers('${encoded("O''Neil & Sons")}')`, `Suppliers('O''Neil & Sons')`],
      [`/Suppliers('${encoded('a/b?c#d%')}')`, `Suppliers('a/b?c#d%')`],
      [`/Suppliers('${encoded('\u{1F600}')}')`, `Suppliers('\u{1F600}')`],
      [`/Tags(guid'${tags.red.toUpperCase()}')`, `Tags(guid'${tags.red}')`],
      [`/Journal(datetime'2012-05-29T09:13:28.1234567')`, `Journal(datetime'2012-05-29T09:13:28.1234567')`],
      [`/Journal(datetime'2012-05-29T09:13:28.0')`, `Journal(datetime'2012-05-29T09:13:28')`],
    ])('MUST find an entity by its key: %s', async (path, expected) => {
      const entity = await services().json('all', fit(path))
      expect(decodeURIComponent(entity.__metadata?.uri ?? '')).toBe(`http://depot.test/${fit(expected)}`)
    })

    it.each([
      '/Categories(7)',
      '/Products(99L)',
      '/Products(9007199254740994L)',
      '/Lines(Order=1,No=3)',
      '/Lines(Order=3,No=1)',
      `/Suppliers('z')`,
      `/Suppliers('a%20')`,
      `/Suppliers('%C3%89')`,
      `/Tags(guid'00000000-0000-0000-0000-000000000000')`,
      `/Journal(datetime'2012-05-29T09:13:28.1234569')`,
    ])('MUST respond with 404 to a key that does not exist: %s', async (path) => {
      expect(await services().status('all', fit(path))).toBe(404)
    })

    it('MUST find an entity by its key only if it matches the filter', async () => {
      expect(await services().status('all', "/Products(1L)?$filter=Name%20eq%20'Gouda'")).toBe(200)
      expect(await services().status('all', "/Products(1L)?$filter=Name%20eq%20'gouda'")).toBe(404)
    })
  })

  describe('ordering', () => {
    it('MUST compare strings by code point, as keys and as values', async () => {
      expect(await ids('/Suppliers')).toEqual(
        ['', "O''Neil & Sons", 'Z', 'a', 'a/b?c#d%', 'é', '\uFFFD', '\u{1F600}'].map(
          (name) => `Suppliers('${name}')`,
        ),
      )
      expect(await ids('/Categories?$orderby=Name')).toEqual(categories(3, 1, 2, 4, 6, 5))
      expect(await ids(`/Suppliers?$filter=${encoded("Name gt 'a/b?c#d%'")}`)).toHaveLength(3)
    })

    it('MUST put null first, or last when descending', async () => {
      const ascending = products(4, 2, 1, 8, large, larger, 3, 5, 7, 6)
      expect(await ids('/Products?$orderby=Name')).toEqual(ascending)
      const descending = products(6, 7, 5, 3, large, larger, 8, 1, 2, 4)
      expect(await ids('/Products?$orderby=Name%20desc')).toEqual(descending)
    })

    it('MUST break ties by the ascending key, even in descending order', async () => {
      const expected = products(1, 4, 2, 6, 7, 5, 3, 8, large, larger)
      expect(await ids('/Products?$orderby=Rating%20desc')).toEqual(expected)
    })

    it('MUST order by navigation paths and complex properties', async () => {
      const byCategory = products(4, 5, 7, 8, 1, 2, large, larger, 3, 6)
      expect(await ids('/Products?$orderby=Category/Name')).toEqual(byCategory)
      const bySize = products(1, 2, 7, 3, 4, 5, 6, 8, large, larger)
      expect(await ids('/Products?$orderby=Dims/W%20desc')).toEqual(bySize)
    })

    it('MUST order by expressions', async () => {
      const expected = categories(2, 4, 6, 1, 3, 5)
      expect(await ids('/Categories?$orderby=ID%20mod%202,ID')).toEqual(expected)
    })
  })

  describe('paging', () => {
    it('MUST apply $skip and $top after filter and order', async () => {
      const expected = products(6, 7)
      expect(await ids('/Products?$filter=Rating%20ge%203&$orderby=Rating%20desc&$skip=3&$top=2')).toEqual(
        expected,
      )
      expect(await ids('/Products?$top=0')).toEqual([])
      expect(await ids('/Products?$skip=100')).toEqual([])
    })

    it('MUST continue after the last entity of a page, with any ties and nulls', async () => {
      const pages = await services().pages('two', '/Products?$orderby=Rating')
      const expected = products(3, 8, large, larger, 5, 2, 6, 7, 1, 4)
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2])
      expect(pages.flat()).toEqual(expected)
    })

    it.each([
      '/Products',
      '/Products?$orderby=Name%20desc',
      '/Products?$orderby=Price',
      '/Products?$orderby=Stock%20desc',
      '/Products?$orderby=Weight,Name%20desc',
      '/Products?$orderby=Active%20desc,Rating',
      '/Products?$orderby=Released%20desc',
      '/Products?$orderby=Opens,Changed',
      '/Products?$orderby=Category/Name%20desc,Supplier/City',
      '/Products?$orderby=Dims/Unit',
      '/Products?$orderby=length(Name)%20desc&$skip=1&$top=7',
      "/Suppliers?$filter=Name%20ne%20'Z'",
      '/Lines?$orderby=Amount',
      '/Tags?$orderby=Label%20desc',
      '/Journal?$orderby=At%20desc',
      '/Categories(1)/Products?$orderby=Name%20desc',
      "/Tags(guid'aaaaaaaa-0000-4000-8000-00000000000a')/Products",
    ])('MUST return the same entities in pages as in one response: %s', async (path) => {
      const all = await ids(path)
      for (const name of ['one', 'two']) expect((await services().pages(name, path)).flat()).toEqual(all)
    })

    it('MUST continue after an entity that has been deleted', async () => {
      expect(await ids("/Categories?$orderby=Name&$skiptoken='D',0")).toEqual(categories(2, 4, 6, 5))
      expect(await ids('/Lines?$skiptoken=1,9')).toEqual([
        'Lines(Order=2,No=-1)',
        'Lines(Order=2,No=1)',
        'Lines(Order=10,No=1)',
      ])
    })
  })

  describe('counting', () => {
    it.each([
      ['/Products/$count', '10'],
      ['/Products/$count?$filter=Rating%20eq%203', '3'],
      ['/Products/$count?$filter=not%20(Price%20gt%201)', '5'],
      ["/Products/$count?$filter=Category/Name%20eq%20'Cheese'", '2'],
      ['/Products/$count?$top=3', '3'],
      ['/Products/$count?$skip=8', '2'],
      ['/Categories(1)/Products/$count', '2'],
      ['/Categories(6)/Products/$count', '0'],
      ["/Categories(1)/Products/$count?$filter=Name%20eq%20'Edam'", '1'],
      ['/Products(1L)/Tags/$count', '2'],
      ['/Products(1L)/$links/Lines/$count', '2'],
    ])('MUST count the matching entities: %s', async (path, expected) => {
      expect((await services().get('two', path)).text).toBe(expected)
    })

    it('MUST count without paging in the response with a page', async () => {
      const feed = await services().json(
        'one',
        '/Products?$filter=Rating%20gt%200&$inlinecount=allpages&$top=2',
      )
      expect(feed.__count).toBe('5')
      expect(feed.results).toHaveLength(1)
    })
  })

  describe('batches', () => {
    it.each([1, 2, 3, 7])('MUST return the same rows in batches of %i', async (batchSize) => {
      services().mount('batches', hindered(provider(), { ...unhindered, batchSize }), { pageSize: 2 })
      const paths = ['/Products', '/Products?$orderby=Name&$skip=1', '/Categories(1)/Products']
      for (const path of paths) {
        expect(await services().pages('batches', path)).toEqual(await services().pages('two', path))
      }
    })
  })
}
