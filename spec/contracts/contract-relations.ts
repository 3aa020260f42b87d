import { tags } from './contract-data.js'
import type { Json } from './contract-service.js'
import { idOf, idsIn } from './contract-service.js'
import { entitySetOf } from './handicaps.js'
import type { ContractSubject } from './provider-contract.js'

const products = (...keys: readonly (number | string)[]): string[] => keys.map((key) => `Products(${key}L)`)
const both = products('9007199254740992', '9007199254740993')
const red = `Tags(guid'${tags.red}')`
const blue = `Tags(guid'${tags.blue}')`
const green = `Tags(guid'${tags.green}')`

/** Related entities in both directions, with and without foreign keys, and media resources. */
export function describeRelations({ services, provider, has }: ContractSubject): void {
  const ids = (path: string): Promise<string[]> => services().ids('all', path)

  describe('related entities', () => {
    it.each([
      ['/Categories(1)/Products', products(1, 2)],
      ['/Categories(2)/Products', both],
      ['/Categories(6)/Products', []],
      ['/Categories(1)/Children', ['Categories(3)', 'Categories(4)']],
      ['/Categories(2)/Children', []],
      ["/Suppliers('a%2Fb%3Fc%23d%25')/Products", products(5)],
      ["/Suppliers('O''Neil%20%26%20Sons')/Products", products(1)],
      ["/Suppliers('')/Products", []],
      ['/Products(1L)/Lines', ['Lines(Order=1,No=1)', 'Lines(Order=10,No=1)']],
      ['/Products(9007199254740993L)/Lines', ['Lines(Order=2,No=-1)']],
      ['/Products(9007199254740992L)/Lines', []],
      ['/Products(1L)/Tags', [red, blue]],
      ['/Products(3L)/Tags', []],
      [`/${red}/Products`, products(1, 2)],
      [`/${blue}/Products`, products(1, '9007199254740993')],
      [`/${green}/Products`, []],
      ['/Categories(1)/Products?$filter=Rating%20lt%205', products(2)],
      ['/Categories(1)/Products?$orderby=Name', products(2, 1)],
      ['/Categories(1)/Products?$orderby=Name&$top=1', products(2)],
      ['/Categories(1)/Products?$orderby=Name&$skip=1', products(1)],
      ['/Products(1L)/Tags?$orderby=Label', [blue, red]],
      ['/Categories(1)/Products(2L)/Tags', [red]],
      ['/Products(1L)/Category/Children', ['Categories(3)', 'Categories(4)']],
      ['/Categories(1)/$links/Products', products(1, 2)],
      ['/Products(1L)/$links/Tags', [red, blue]],
    ])('MUST be found at a many end: %s', async (path, expected) => {
      expect(await ids(path)).toEqual(expected)
    })

    it.each([
      ['/Products(1L)/Category', 'Categories(1)'],
      ['/Categories(3)/Parent', 'Categories(1)'],
      ['/Categories(5)/Parent/Parent', 'Categories(1)'],
      ['/Products(6L)/Supplier', "Suppliers('\u{1F600}')"],
      ['/Lines(Order=1,No=2)/Product', 'Products(2L)'],
      ['/Lines(Order=2,No=-1)/Product', 'Products(9007199254740993L)'],
      ['/Lines(Order=1,No=2)/Product/Category', 'Categories(1)'],
      ['/Photos(1)/Product', 'Products(1L)'],
      ['/Products(1L)/Photo', 'Photos(1)'],
      ['/Products(1L)/$links/Category', 'Categories(1)'],
      ['/Categories(1)/Products(2L)', 'Products(2L)'],
      [`/Products(1L)/${blue}`, blue],
    ])('MUST be found at a single end: %s', async (path = '', expected) => {
      expect(idOf(await services().json('all', path))).toBe(expected)
    })

    it.each([
      '/Categories(1)/Parent',
      '/Products(4L)/Category',
      '/Products(7L)/Category',
      '/Products(3L)/Supplier',
      '/Lines(Order=2,No=1)/Product',
      '/Photos(2)/Product',
      '/Products(2L)/Photo',
      '/Categories(1)/Products(3L)',
      `/Products(2L)/${blue}`,
      '/Categories(9)/Products',
      '/Products(4L)/Category/Products',
    ])('MUST respond with 404 when the related entity does not exist: %s', async (path) => {
      expect(await services().status('all', path)).toBe(404)
    })

    it('MUST compare as null when the related entity does not exist', async () => {
      expect(await ids('/Products?$filter=Category%20eq%20null')).toEqual(products(4, 7))
      expect(await ids('/Categories?$filter=Parent/Parent%20ne%20null')).toEqual([
        'Categories(5)',
        'Categories(6)',
      ])
    })
  })

  describe('expansion', () => {
    it('MUST contain the related entities of each entity, or an empty list or null', async () => {
      const { results = [] } = await services().json('all', '/Categories?$expand=Products,Children,Parent')
      const shown = results.map((one) => [
        idsIn(one.Products as Json),
        idsIn(one.Children as Json),
        one.Parent === null ? null : idOf(one.Parent as Json),
      ])
      expect(shown).toEqual([
        [products(1, 2), ['Categories(3)', 'Categories(4)'], null],
        [both, [], null],
        [products(5, 8), ['Categories(5)', 'Categories(6)'], 'Categories(1)'],
        [products(3), [], 'Categories(1)'],
        [products(6), [], 'Categories(3)'],
        [[], [], 'Categories(3)'],
      ])
    })

    it('MUST continue to the next level, over associations without foreign key too', async () => {
      const { results = [] } = await services().json(
        'all',
        '/Lines?$expand=Product/Tags,Product/Category/Parent',
      )
      const shown = results.map(({ Product }) =>
        Product === null
          ? null
          : [
              idOf(Product as Json),
              idsIn((Product as Json).Tags as Json),
              (Product as Json).Category !== null,
            ],
      )
      expect(shown).toEqual([
        ['Products(1L)', [red, blue], true],
        ['Products(2L)', [red], true],
        ['Products(9007199254740993L)', [blue], true],
        null,
        ['Products(1L)', [red, blue], true],
      ])
    })

    it('MUST page the inline entities of each entity separately', async () => {
      const category = await services().json('one', '/Categories(1)?$expand=Products')
      const inline = category.Products as Json
      expect(idsIn(inline)).toEqual(products(1))
      expect(inline.__next).toBe('http://depot.test/Categories(1)/Products?$skiptoken=1L')
      expect(await services().ids('one', '/Categories(1)/Products?$skiptoken=1L')).toEqual(products(2))
      const last = (await services().json('one', '/Categories(4)?$expand=Products')).Products as Json
      expect([idsIn(last), last.__next]).toEqual([products(3), undefined])
    })

    if (has('inheritance')) {
      it('MUST include navigation properties of derived types', async () => {
        const { results = [] } = await services().json('all', '/Parties?$expand=Favourite')
        const shown = results.map(({ Favourite }) =>
          Favourite === undefined || Favourite === null ? Favourite : idOf(Favourite as Json),
        )
        expect(shown).toEqual([undefined, 'Products(2L)', 'Products(2L)', null])
        const first = await services().json('all', '/Parties?$expand=Favourite&$top=1')
        expect(first.results?.map(({ Favourite }) => Favourite)).toEqual([undefined])
      })
    }
  })

  describe('a call', () => {
    const call = { context: undefined, customOptions: [], messages: { add: () => undefined } }

    it('MUST end when the client has disconnected before it began', async () => {
      const signal = AbortSignal.abort()
      const set = entitySetOf(provider(), 'Products')
      const ended = Promise.resolve()
        .then(() => set.read({ entitySet: 'Products' }, { ...call, signal }))
        .then(
          () => 'answered',
          () => 'refused',
        )
      expect(['answered', 'refused']).toContain(await ended)
    })

    it('MUST not be affected by another call that was aborted', async () => {
      const aborted = new AbortController()
      const rows = await entitySetOf(provider(), 'Products').read(
        { entitySet: 'Products' },
        { ...call, signal: aborted.signal },
      )
      aborted.abort()
      if (!Array.isArray(rows)) {
        try {
          for await (const batch of rows as AsyncIterable<unknown[]>) if (batch.length > 0) break
        } catch {
          // To refuse to go on is what the signal is for.
        }
      }
      expect(await ids('/Products')).toHaveLength(10)
    })
  })

  if (!has('media')) return
  describe('media resources', () => {
    it('MUST be returned with their content type, as a whole and in ranges', async () => {
      const whole = await services().get('all', '/Photos(1)/$value')
      expect([whole.status, whole.headers['content-type'], [...whole.body]]).toEqual([
        200,
        'image/png',
        [1, 2, 3, 4, 5],
      ])
      const text = await services().get('all', '/Photos(2)/$value')
      expect([text.headers['content-type'], text.text]).toEqual(['text/plain;charset=utf-8', 'héllo'])
    })

    it('MUST be described by their entries', async () => {
      const { results = [] } = await services().json('all', '/Photos')
      expect(results.map(({ __metadata }) => __metadata?.content_type)).toEqual([
        'image/png',
        'text/plain;charset=utf-8',
      ])
    })

    it('MUST be found through navigation properties, and respond with 404 where the entity does not exist', async () => {
      const { body } = await services().get('all', '/Products(1L)/Photo/$value')
      expect([...body]).toEqual([1, 2, 3, 4, 5])
      expect(await services().status('all', '/Photos(3)/$value')).toBe(404)
      expect(await services().status('all', '/Products(2L)/Photo/$value')).toBe(404)
    })
  })
}
