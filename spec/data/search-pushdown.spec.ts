import type { EntitySetProvider, Provider } from '../../lib/provider/provider.js'
import { textOfPath } from '../../lib/query/expression.js'
import type { SearchQuery } from '../../lib/query/expression.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import { ContractServices } from '../contracts/contract-service.js'
import { cheeseModel, cheeses } from '../support/services/cheese-shop.js'

interface Received {
  readonly terms: readonly string[]
  readonly properties: readonly string[]
}

/** The searches that `pushdown.search` was offered, and those in the queries of each method. */
let offered: Received[]
let read: (Received | undefined)[]
let counted: (Received | undefined)[]

const receivedFrom = ({ terms, properties }: SearchQuery): Received => ({
  terms,
  properties: properties.map(textOfPath),
})

/** Searches names only, as an index of names does. */
function searchingProvider(accepts: (search: SearchQuery) => boolean): Provider {
  const matching = (search: SearchQuery | undefined): typeof cheeses.Products =>
    cheeses.Products.filter(
      ({ Name }) => search?.terms.every((term) => Name?.toUpperCase().includes(term.toUpperCase())) !== false,
    )
  const Products: EntitySetProvider = {
    read({ search }) {
      read.push(search && receivedFrom(search))
      return matching(search)
    },
    count({ search }) {
      counted.push(search && receivedFrom(search))
      return matching(search).length
    },
    pushdown: {
      search(search) {
        offered.push(receivedFrom(search))
        return accepts(search)
      },
    },
  }
  return { entitySets: { Products, Categories: { read: () => cheeses.Categories } } }
}

describe('A provider with the function pushdown.search', () => {
  let services: ContractServices
  beforeEach(async () => {
    offered = []
    read = []
    counted = []
    services = await ContractServices.start()
  })
  afterEach(() => services.close())

  const mount = (
    options: ODataV2Options,
    accepts: (search: SearchQuery) => boolean = () => true,
  ): ReturnType<ContractServices['mount']> =>
    services.mount('own', searchingProvider(accepts), options, cheeseModel())

  const keysOf = async (path: string): Promise<number[]> => {
    const { status, text } = await services.get('own', encodeURI(path))
    if (status !== 200) throw new Error(text)
    return (JSON.parse(text) as { d: { results: { ID: number }[] } }).d.results.map(({ ID }) => ID)
  }

  it('MUST receive the parsed terms and the searched properties', async () => {
    mount({ search: { Products: ['Name', 'Origin/Country', 'Category/Name'] } })
    expect(await keysOf('/Products?search=gou* "a \\"b"')).toEqual([])
    const search = { terms: ['gou', 'a "b'], properties: ['Name', 'Origin/Country', 'Category/Name'] }
    expect(offered).toEqual([search])
    expect(read).toEqual([search])
  })

  it('MUST evaluate an accepted search, and the service the rest of the query', async () => {
    mount({ search: { Products: ['Name', 'Note'] } })
    // The note of the third product contains the term, which the provider does not search.
    expect(await keysOf('/Products?search=GOUDA')).toEqual([1, 2])
    expect(await keysOf('/Products?search=GOUDA&$filter=ID gt 1&$orderby=Name')).toEqual([2])
    expect(await keysOf('/Categories(1)/Products?search=gouda&$orderby=ID desc')).toEqual([2, 1])
  })

  it('MUST count the matches of a search', async () => {
    mount({ search: { Products: ['Name'] } })
    expect((await services.get('own', '/Products/$count?search=gouda')).text).toBe('2')
    expect(counted).toEqual([{ terms: ['gouda'], properties: ['Name'] }])
    const { text } = await services.get('own', '/Products?search=gouda&$top=1&$inlinecount=allpages')
    expect(JSON.parse(text)).toMatchObject({ d: { __count: '2' } })
  })

  it('MUST receive the properties that search-focus leaves', async () => {
    mount({ search: { Products: ['Name', 'Note'] } })
    await keysOf('/Products?search=a&search-focus=Note')
    expect(read).toEqual([{ terms: ['a'], properties: ['Note'] }])
  })

  it('MUST receive no search without terms', async () => {
    mount({ search: { Products: ['Name'] } })
    expect(await keysOf('/Products?search= *')).toEqual([1, 2, 3, 4, 5, 6])
    expect(offered).toEqual([])
    expect(read).toEqual([undefined])
  })

  it('MUST receive no search that it declines: then the service evaluates it', async () => {
    mount({ search: { Products: ['Name', 'Note'] } }, ({ terms }) => terms.every((term) => term.length > 3))
    expect(await keysOf('/Products?search=GOUDA')).toEqual([1, 2])
    expect(await keysOf('/Products?search=GOU')).toEqual([1, 2, 3])
    expect(read[1]).toBeUndefined()
  })

  it('MUST not be offered properties that are hidden from the caller', async () => {
    mount({ search: { Products: ['Name', 'Note'] }, authorize: () => ({ hidden: ['Note'] }) })
    await keysOf('/Products?search=a')
    expect(offered).toEqual([{ terms: ['a'], properties: ['Name'] }])
  })

  it('MUST not be offered a search of entities that the caller may not see', async () => {
    const authorize: ODataV2Options['authorize'] = ({ entitySet }) =>
      entitySet === 'Categories' ? 'ID eq 1' : undefined
    mount({ search: { Products: ['Name', 'Category/Name'] }, authorize })
    expect(await keysOf('/Products?search=cheese')).toEqual([1, 2, 3])
    expect(await keysOf('/Products?search=fest')).toEqual([])
    expect(offered).toEqual([])
    await keysOf('/Products?search=cheese&search-focus=Name')
    expect(offered).toEqual([{ terms: ['cheese'], properties: ['Name'] }])
  })

  it('MUST not be offered a search of computed properties', async () => {
    const computed = { Products: { Note: { expression: "concat(Name,'!')" } } }
    mount({ search: { Products: ['Name', 'Note'] }, computed })
    expect(await keysOf('/Products?search=a!')).toEqual([1, 2])
    expect(offered).toEqual([])
  })

  it.each<[returned: unknown, message: string]>([
    [undefined, 'must return true or false, not undefined.'],
    [Promise.resolve(true), 'must return true or false, not an object.'],
  ])('MUST return a Boolean: %p', async (returned, message) => {
    const errors: unknown[] = []
    mount(
      {
        search: { Products: ['Name'] },
        onError(error) {
          errors.push(error)
        },
      },
      () => returned as boolean,
    )
    expect((await services.get('own', '/Products?search=a')).status).toBe(500)
    expect(String((errors[0] as Error).cause)).toContain(`pushdown.search of a provider ${message}`)
  })

  it.each<[pushdown: object, message: string]>([
    [{ search: 'Name' }, 'entitySets.Products.pushdown.search must be a function or a Boolean.'],
    [{ Search: () => true }, "Did you mean 'search'?"],
  ])('MUST be a function or a Boolean: %j', (pushdown, message) => {
    const { entitySets } = searchingProvider(() => true)
    const Products = { ...entitySets.Products, pushdown: pushdown } as EntitySetProvider
    expect(() => services.mount('x', { entitySets: { ...entitySets, Products } }, {}, cheeseModel())).toThrow(
      message,
    )
  })
})
