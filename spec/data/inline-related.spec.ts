import { memoryProvider } from '../../lib/index.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { Authorize } from '../../lib/provider/authorize.js'
import type { ProviderCall } from '../../lib/provider/provider-call.js'
import type {
  EntitySetProvider,
  ExpandBranch,
  Provider,
  Pushdown,
  ReadQuery,
  RowsPage,
} from '../../lib/provider/provider.js'
import { ContractServices } from '../contracts/contract-service.js'
import { cheeseModel, cheeses } from '../support/services/cheese-shop.js'

/** The calls that the provider received: `read Products expand Category count top 3`. */
let calls: string[]

const described = (query: ReadQuery): string[] => [
  ...(query.source === undefined ? [] : [`of ${JSON.stringify(query.source.row)}`]),
  ...(query.expand ?? []).map(describedBranch),
  ...(query.count === true ? ['count'] : []),
  ...(query.top === undefined ? [] : [`top ${query.top}`]),
]

const describedBranch = ({ navigation, filter, top, expand = [] }: ExpandBranch): string =>
  `expand ${navigation.name}${filter === undefined ? '' : ' filtered'}${top === undefined ? '' : ` top ${top}`}` +
  expand.map((one) => ` (${describedBranch(one)})`).join('')

/** A provider that reads related entities together with the entities, and has pages of its own. */
function inlineProvider(pushdown: Partial<Pushdown>): Provider {
  const inner: Provider = memoryProvider(cheeseModel(), cheeses, { functions: { Fresh: () => [] } })
  const setOf = (name: string): EntitySetProvider => inner.entitySets[name] as EntitySetProvider
  const rowsOf = async (set: string, query: ReadQuery, call: ProviderCall): Promise<readonly Row[]> => {
    const found = (await setOf(set).read(query, call)) as AsyncIterable<readonly Row[]>
    const rows: Row[] = []
    for await (const batch of Array.isArray(found) ? [found as readonly Row[]] : found) rows.push(...batch)
    return rows.map((row) => ({ ...row }))
  }
  const complete = async (
    set: string,
    row: Row,
    query: Pick<ReadQuery, 'expand'>,
    call: ProviderCall,
  ): Promise<Row> => {
    const members = await Promise.all(
      (query.expand ?? []).map(async ({ navigation, entitySet, expand, ...branch }) => {
        const related = await rowsOf(
          entitySet,
          { entitySet, ...branch, source: { entitySet: set, navigation, row } },
          call,
        )
        const rows = await Promise.all(related.map((one) => complete(entitySet, one, { expand }, call)))
        return [navigation.name, navigation.isCollection ? rows : (rows[0] ?? null)] as const
      }),
    )
    return { ...row, ...Object.fromEntries(members) }
  }
  const wrapped = (name: string): EntitySetProvider => ({
    ...setOf(name),
    async read(query, call): Promise<RowsPage | null> {
      calls.push([`read ${name}`, ...described(query)].join(' '))
      const { source } = query
      const isMissing = source !== undefined && !cheeses.Categories.some(({ ID }) => ID === source.row.ID)
      if (isMissing && pushdown.sourceKeys === true) return null
      const { expand: _, count: _count, ...plain } = query
      const { skip, top, seek, ...matching } = plain
      const rows = await rowsOf(name, { ...plain, ...(top !== undefined && { top: top + 1 }) }, call)
      const shown = rows.slice(0, top)
      return {
        rows: await Promise.all(shown.map((row) => complete(name, row, query, call))),
        hasMore: rows.length > shown.length,
        ...(query.count === true && { count: (await rowsOf(name, matching, call)).length }),
      }
    },
    async readByKey(key, query, call) {
      calls.push([`key ${name}`, ...(query.expand ?? []).map(describedBranch)].join(' '))
      const row = await setOf(name).readByKey?.(key, query, call)
      return row && complete(name, row, query, call)
    },
    pushdown: { ...setOf(name).pushdown, ...pushdown },
  })
  return {
    entitySets: { Products: wrapped('Products'), Categories: wrapped('Categories') },
    functions: { Fresh: () => [] },
  }
}

describe('A provider that reads related entities together with the entities', () => {
  let services: ContractServices
  beforeAll(async () => {
    services = await ContractServices.start()
  })
  beforeEach(() => {
    calls = []
  })
  afterAll(() => services.close())

  const accepting: Partial<Pushdown> = { expand: () => true, count: true, sourceKeys: true }

  /** Compares the responses with those of a provider that reads everything separately. */
  async function same(
    path: string,
    pushdown: Partial<Pushdown> = accepting,
    options: { authorize?: Authorize; pageSize?: number } = {},
  ): Promise<string> {
    const plain = memoryProvider(cheeseModel(), cheeses, { functions: { Fresh: () => [] } })
    services.mount('own', inlineProvider(pushdown), options, cheeseModel())
    services.mount('plain', plain, options, cheeseModel())
    const expected = await services.comparablePages('plain', path)
    calls = []
    const own = await services.comparablePages('own', path)
    expect(own).toEqual(expected)
    return calls.join('; ')
  }

  it('MUST need one read for a page with its count and all expansions', async () => {
    expect(await same('/Products?$expand=Category/Products&$inlinecount=allpages&$top=2')).toBe(
      'read Products expand Category (expand Products top 1001) count top 2',
    )
    expect(await same('/Categories(1)?$expand=Products')).toBe('key Categories expand Products top 1001')
  })

  it('MUST get the expansions that it declined from further reads', async () => {
    const onlyDirect = { expand: ({ expand }: ExpandBranch) => expand === undefined }
    expect(await same('/Products?$expand=Category/Products', onlyDirect)).toMatch(
      /^read Products expand Category top 1001$/,
    )
    expect(await same('/Products?$expand=Category', {})).not.toContain('expand')
  })

  it('MUST receive the restrictions of expanded entities, or not the expansion', async () => {
    const authorize: Authorize = ({ entitySet }) => (entitySet === 'Products' ? "Name ne 'gouda'" : undefined)
    expect(await same('/Categories?$expand=Products', accepting, { authorize })).toBe(
      'read Categories expand Products filtered top 1001 top 1001',
    )
    const refusing = { ...accepting, filter: () => false }
    expect(await same('/Categories?$expand=Products', refusing, { authorize })).not.toContain('expand')
    const narrowing = { ...accepting, filter: () => 'narrow' as const }
    expect(await same('/Categories?$expand=Products', narrowing, { authorize })).not.toContain('expand')
  })

  it('MUST not show columns of expanded entities that authorize hides', async () => {
    const authorize: Authorize = ({ entitySet }) =>
      entitySet === 'Products' ? { hidden: ['Note'] } : undefined
    expect(await same('/Categories?$expand=Products', accepting, { authorize })).toContain('expand Products')
    expect((await services.get('own', '/Categories?$expand=Products')).text).not.toContain('Note')
  })

  it('MUST truncate related entities at the page size', async () => {
    expect(await same('/Categories?$expand=Products', accepting, { pageSize: 1 })).toContain(
      'expand Products top 2',
    )
  })

  it('MUST never be requested for more entities than its pages have, and continue them', async () => {
    const paged = { ...accepting, pageSize: 2 }
    for (const path of [
      '/Products',
      '/Products?$inlinecount=allpages',
      '/Products?$skip=1&$orderby=Name%20desc',
    ]) {
      services.mount('own', inlineProvider(paged), { pageSize: 1000 }, cheeseModel())
      services.mount(
        'plain',
        memoryProvider(cheeseModel(), cheeses, { functions: { Fresh: () => [] } }),
        {},
        cheeseModel(),
      )
      calls = []
      const pages = await services.pages('own', path)
      expect(pages.flat()).toEqual((await services.pages('plain', path)).flat())
      expect(pages.length).toBeGreaterThan(1)
      expect(calls.every((call) => call.endsWith('top 2'))).toBe(true)
    }
  })

  it('MUST be read without the source, and report a missing one', async () => {
    expect(await same('/Categories(1)/Products?$filter=ID%20gt%201')).toBe(
      'read Products of {"ID":1} top 1001',
    )
    services.mount('own', inlineProvider(accepting), {}, cheeseModel())
    calls = []
    expect(await services.status('own', '/Categories(9)/Products')).toBe(404)
    expect(calls).toEqual(['read Products of {"ID":9} top 1001'])
  })

  it('MUST be read after the source where authorize restricts it', async () => {
    const authorize: Authorize = ({ entitySet }) => (entitySet === 'Categories' ? 'ID ne 1' : undefined)
    services.mount('own', inlineProvider(accepting), { authorize }, cheeseModel())
    expect(await services.status('own', '/Categories(1)/Products')).toBe(404)
    expect(calls).toEqual(['key Categories'])
  })

  it('MUST report whether entities follow those that it was limited to', async () => {
    const forgetful: Provider = {
      entitySets: {
        Products: { read: () => [], pushdown: { paging: true, orderBy: () => true, pageSize: 2 } },
        Categories: { read: () => [] },
      },
      functions: { Fresh: () => [] },
    }
    services.mount('own', forgetful, {}, cheeseModel())
    expect(await services.status('own', '/Products')).toBe(500)
  })
})
