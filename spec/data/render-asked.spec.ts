import { filter } from '../../lib/provider/filter-template.js'
import type { EntitySetProvider, Pushdown } from '../../lib/provider/provider.js'
import type { Authorize } from '../../lib/provider/authorize.js'
import type { Expression } from '../../lib/query/expression.js'
import { conjunctsOf } from '../../lib/query/expression.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { askLibrary, library, librarySet } from '../support/library.js'
import type { Render } from '../support/rendering-library.js'
import { lastOf, renderedPaths, renderingLibrary } from '../support/rendering-library.js'

const json = 'application/json'
const atom = 'application/atom+xml'
const plain = library()
const all: Pushdown = { filter: () => true, orderBy: () => true, navigation: () => true, paging: true }
/** `ID gt 3`; every condition in here is a comparison with a literal. */
function textOf(condition: Expression): string {
  if (condition.kind !== 'Binary') throw new Error(condition.kind)
  const { left, operator, right } = condition
  if (left.kind !== 'PropertyPath' || right.kind !== 'Literal') throw new Error(left.kind)
  return `${left.property.name} ${operator} ${String(right.value)}`
}

const textsOf = (filter: Expression | undefined): string[] =>
  filter === undefined ? [] : conjunctsOf(filter).map(textOf)

const expectSame = async (
  provider: Parameters<typeof askLibrary>[0],
  path: string,
  options: Parameters<typeof askLibrary>[2] = { pageSize: 5 },
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const expected = await askLibrary(plain, path, options, headers)
  expect(await askLibrary(provider, path, options, headers)).toEqual(expected)
}

describe('A provider that can write entities', () => {
  it('MUST be read from when it does not write such ones', async () => {
    for (const nothing of [undefined, Promise.resolve(undefined)]) {
      let asked = 0
      const render: Render = () => {
        asked++
        return nothing
      }
      for (const path of renderedPaths) {
        for (const accept of [json, atom]) {
          await expectSame(library({ render }, { render }), path, { pageSize: 5 }, { accept })
        }
      }
      expect(asked).toBe(2 * renderedPaths.length)
    }
  })

  it.each<
    [part: string, path: string, books: Partial<EntitySetProvider>, shelves?: Partial<EntitySetProvider>]
  >([
    ['anything', '/Books', { pushdown: {} }],
    ['a condition', '/Books?$filter=ID%20gt%202', { pushdown: { ...all, filter: () => false } }],
    [
      'one of two conditions',
      "/Books?$filter=ID%20gt%202%20and%20Title%20ne%20'a'",
      { pushdown: { ...all, filter: (one) => textOf(one).startsWith('ID') } },
    ],
    ['conditions', '/Books?$filter=ID%20gt%202', { pushdown: { orderBy: () => true, paging: true } }],
    ['the order', '/Books?$orderby=Title', { pushdown: { ...all, orderBy: (terms) => terms.length === 1 } }],
    ['orders', '/Books', { pushdown: { filter: () => true, paging: true } }],
    ['paging', '/Books?$top=3', { pushdown: { ...all, paging: false } }],
    ['pages', '/Books', { pushdown: { filter: () => true, orderBy: () => true } }],
    [
      'the way to what is inline',
      '/Books?$expand=Shelf',
      {},
      { pushdown: { ...all, navigation: () => false } },
    ],
  ])('MUST not be asked to when it does not take %s: %s', async (_part, path, Books, Shelves = {}) => {
    const { provider, asked } = renderingLibrary([2, -1], undefined, { Books, Shelves })
    for (const accept of [json, atom]) await expectSame(provider, path, { pageSize: 5 }, { accept })
    expect(asked).toEqual([])
  })

  it('MUST not be asked to when another one that cannot has what is inline', async () => {
    const { provider, asked } = renderingLibrary([2, -1])
    const entitySets = { ...provider.entitySets, Shelves: librarySet('Shelves') }
    const mixed = { ...provider, entitySets }
    for (const path of ['/Books?$expand=Shelf', '/Shelves?$expand=Books', '/Shelves']) {
      await expectSame(mixed, path)
    }
    expect(asked).toEqual([])
    await expectSame(mixed, '/Books')
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['links', '/Shelves(1)/$links/Books', {}],
    ['links in Atom', '/Shelves(1)/$links/Books', { accept: 'application/xml' }],
    ['one entity', '/Books(1)', {}],
    ['one entity with others inline', '/Shelves(1)?$expand=Books', {}],
    ['a number', '/Books/$count', {}],
    ['entities that a function returns', '/All', {}],
    ['a feed of version 1', '/Books?$top=3', { DataServiceVersion: '1.0', MaxDataServiceVersion: '1.0' }],
    ['a feed for clients of version 1', '/Books?$top=3', { MaxDataServiceVersion: '1.0' }],
    ['an Atom feed of version 1', '/Books?$top=3', { MaxDataServiceVersion: '1.0', accept: atom }],
  ])('MUST not be asked to write %s', async (_what, path, headers) => {
    const { provider, asked } = renderingLibrary([2, -1])
    const options = { pageSize: 5 }
    expect((await askLibrary(plain, path, options, headers)).status).toBe(200)
    await expectSame(provider, path, options, headers)
    expect(asked).toEqual([])
  })

  it('MUST not write a page for clients of version 1 that has another one behind it', async () => {
    const { provider, asked } = renderingLibrary([2, -1])
    const headers = { MaxDataServiceVersion: '1.0' }
    await expectSame(provider, '/Books', { pageSize: 5 }, headers)
    expect((await askLibrary(provider, '/Books', { pageSize: 5 }, headers)).status).toBe(400)
    expect(asked).toEqual([])
  })
})

describe('What the application lets be seen', () => {
  const mayRead = filter`Pages lt ${400}`

  it('MUST be a part of the filter that a provider writes entities by', async () => {
    const { provider, asked } = renderingLibrary([2, -1])
    const options = { pageSize: 5, authorize: () => mayRead }
    for (const path of ['/Books?$filter=ID%20gt%203', '/Books', '/Books?$inlinecount=allpages']) {
      for (const accept of [json, atom]) await expectSame(provider, path, options, { accept })
    }
    expect(asked).toHaveLength(6)
    const conditions = asked.map(([query]) => textsOf(query.filter))
    expect(conditions[0]).toEqual(['Pages lt 400', 'ID gt 3'])
    expect(conditions[2]).toEqual(['Pages lt 400'])
  })

  it('MUST be left to the service when the provider does not take it', async () => {
    const pushdown = { ...all, filter: (one: Expression) => !textOf(one).startsWith('Pages') }
    const { provider, asked } = renderingLibrary([2, -1], undefined, { Books: { pushdown }, Shelves: {} })
    const options = { pageSize: 5, authorize: () => mayRead }
    await expectSame(provider, '/Books?$filter=ID%20gt%203', options)
    expect(asked).toEqual([])
  })

  it('MUST hold for what is shown inline', async () => {
    const { provider, asked } = renderingLibrary([2, -1])
    const authorize: Authorize = ({ entitySet }) => (entitySet === 'Books' ? mayRead : undefined)
    await expectSame(provider, '/Shelves?$expand=Books', { authorize })
    const { query, how } = lastOf(asked)
    expect(query.filter).toBeUndefined()
    expect(how.expansions.flatMap((one) => textsOf(one.filter))).toEqual(['Pages lt 400'])
  })

  it('MUST be refused before a provider is asked', async () => {
    const { provider, asked } = renderingLibrary([2, -1])
    for (const entitySet of ['Books', 'Shelves']) {
      const authorize: Authorize = (operation) => {
        if (operation.entitySet === entitySet) throw new ODataError('Forbidden')
      }
      const path = '/Shelves?$expand=Books'
      await expectSame(provider, path, { authorize })
      expect((await askLibrary(provider, path, { authorize })).status).toBe(403)
    }
    expect(asked).toEqual([])
  })
})
