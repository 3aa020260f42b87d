import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import { cacheStatements } from '../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../contracts/contract-service.js'
import { cheeseModel, cheeses } from '../support/services/cheese-shop.js'
import { openApiDocument } from '../../lib/tools/openapi/openapi-document.js'
import type { AnyDatabase, DatabaseKind } from '../support/sql/model-tables.js'
import { createTables, fillTable } from '../support/sql/model-tables.js'
import { PostgresServer } from '../support/sql/postgres-server.js'
import { withHandlers } from '../support/with-handlers.js'

const search = { Products: ['Name', 'Note', 'Origin/Country', 'Category/Name'] }
/** On these services the database itself evaluates all conditions. */
const kinds = ['memory', 'sqlite', 'sqlite with handle', 'postgres'] as const

describe.each(kinds)('Requests that ignore case, on %s', (kind) => {
  let services: ContractServices
  let db: AnyDatabase | undefined
  let server: PostgresServer | undefined

  beforeAll(async () => {
    services = await ContractServices.start()
    const provider = await open()
    const fresh = { ...provider, functions: { Fresh: () => cheeses.Products } } as Provider
    const mount = (name: string, options: ODataV2Options): void => {
      services.mount(name, fresh, options, cheeseModel())
    }
    mount('exact', {})
    mount('true', { caseInsensitive: true })
    mount('all', { caseInsensitive: 'all' })
    mount('search', { search, pageSize: 2 })
    mount('authorized', {
      search,
      caseInsensitive: 'all',
      authorize: ({ entitySet }) =>
        entitySet === 'Products' ? "startswith(Name,'G') or ID gt 3" : 'ID eq 1',
    })
  })

  afterAll(async () => {
    await services.close()
    await db?.destroy()
    await server?.stop()
  })

  const open = async (): Promise<Provider> => {
    if (kind === 'memory')
      return withHandlers(memoryProvider(cheeseModel(), structuredClone(cheeses)), cheeseModel())
    const database = cacheStatements(new SQLite(':memory:'))
    if (kind === 'postgres') {
      server = PostgresServer.shared()
      db = await server.open()
    } else db = new Kysely({ dialect: new SqliteDialect({ database }) })
    const dialect: DatabaseKind = kind === 'postgres' ? 'postgres' : 'sqlite'
    await createTables(db, cheeseModel(), dialect)
    for (const set of cheeseModel().defaultContainer.entitySets) {
      await fillTable(db, set, cheeses[set.name as keyof typeof cheeses], dialect)
    }
    const provider = sqlProvider(cheeseModel(), db, kind === 'sqlite with handle' ? { sqlite: database } : {})
    await provider.ready()
    return provider
  }

  const keysOf = async (service: string, path: string): Promise<number[]> => {
    const keys: number[] = []
    for (const { status, text } of await services.comparablePages(service, encodeURI(path))) {
      if (status !== 200) throw new Error(text)
      const { d } = JSON.parse(text) as { d: { results: { ID: number }[] } }
      keys.push(...d.results.map(({ ID }) => ID))
    }
    return keys
  }

  it.each<[filter: string, exact: number[], ignored: number[], all: number[]]>([
    ["substringof('gou',Name)", [2], [1, 2], [1, 2]],
    ["startswith(Name,'STRASSE')", [4], [4, 5], [4, 5]],
    ["endswith(Name,'UDA')", [], [1, 2], [1, 2]],
    ["indexof(Name,'OUDA') eq 1", [], [1, 2], [1, 2]],
    ["substringof(Name,'gouda BRIE')", [2], [1, 2, 3], [1, 2, 3]],
    ["not substringof('gou',Name)", [1, 3, 4, 5], [3, 4, 5], [3, 4, 5]],
    ["Name eq 'gouda'", [2], [2], [1, 2]],
    ["Name ne 'gouda'", [1, 3, 4, 5, 6], [1, 3, 4, 5, 6], [3, 4, 5, 6]],
    ['Name eq null', [6], [6], [6]],
    ["concat(Name,'!') eq 'GOUDA!'", [], [], [1, 2]],
    ["Category/Name eq 'CHEESE'", [], [], [1, 2, 3]],
    ["Name lt 'STRASSF'", [1, 3, 4], [1, 3, 4], [1, 3, 4]],
    ["toupper(Name) eq 'STRASSE 7'", [4, 5], [4, 5], [4, 5]],
    ["length(Name) eq 8 or replace(Name,'G','') eq 'ouda'", [1, 5], [1, 5], [1, 5]],
  ])('MUST follow the option caseInsensitive: %s', async (filter, exact, ignored, all) => {
    expect(await keysOf('exact', `/Products?$filter=${filter}`)).toEqual(exact)
    expect(await keysOf('true', `/Products?$filter=${filter}`)).toEqual(ignored)
    expect(await keysOf('all', `/Products?$filter=${filter}`)).toEqual(all)
  })

  it('MUST keep the order of strings', async () => {
    expect(await keysOf('all', '/Products?$orderby=Name')).toEqual([6, 3, 1, 4, 5, 2])
  })

  it.each<[path: string, keys: number[]]>([
    ['/Products?search=gouda', [1, 2, 3]],
    ['/Products?search=GOU nl', [1]],
    ['/Products?search=cheese de', [2]],
    ['/Products?search="with gouda"', [3]],
    ['/Products?search=strasse', [4, 5, 6]],
    ['/Products?search=50%', [4]],
    ['/Products?search="\\"off', [4]],

    ['/Products?search=gouda&$filter=ID gt 1&$orderby=ID desc', [3, 2]],
    ['/Products?search=g&search-focus=Name', [1, 2]],
    ['/Products?search=cheese&search-focus=Category/Name', [1, 2, 3]],
    ['/Products?search-focus=Name', [1, 2, 3, 4, 5, 6]],
    ['/Products?search=', [1, 2, 3, 4, 5, 6]],
    ['/Categories(1)/Products?search=gou', [1, 2, 3]],
    ['/Fresh?search=brie', [3]],
  ])('MUST restrict collections to those that contain each term: %s', async (path, keys) => {
    expect(await keysOf('search', path)).toEqual(keys)
  })

  it('MUST count the entities that are found', async () => {
    expect((await services.get('search', '/Products/$count?search=gouda')).text).toBe('3')
    expect((await services.get('search', '/Categories(2)/Products/$count?search=7')).text).toBe('1')
    const { text } = await services.get('search', '/Products?search=gouda&$top=0&$inlinecount=allpages')
    expect(JSON.parse(text)).toEqual({ d: { results: [], __count: '3' } })
  })

  it('MUST be ignored for entities and links', async () => {
    expect((await services.get('search', '/Products(3)?search=x')).status).toBe(200)
    const { text } = await services.get('search', '/Categories(1)/$links/Products?search=x')
    expect(text).toContain('Products(1)')
  })

  it('MUST NOT show entities that authorize hides, and not change its filters', async () => {
    expect(await keysOf('authorized', '/Products')).toEqual([1, 4, 5, 6])
    expect(await keysOf('authorized', '/Products?search=gouda')).toEqual([1])
    // The category of these is hidden.
    expect(await keysOf('authorized', '/Products?search=fest')).toEqual([])
  })

  it.each([
    ['search=a&search=b', 'search is specified twice'],
    ['search=a&search-focus=Nam', "'Nam' is not a searchable property of 'Products'. Did you mean 'Name'?"],
    ['search-focus=ID', "'ID' is not a searchable property"],
    [`search=${'x'.repeat(1001)}`, 'search: at most 1000 characters'],
    [`search=${'x+'.repeat(21)}`, 'search: at most 20 words or phrases'],
  ])('MUST reject with 400: %s', async (query, message) => {
    const { status, text } = await services.get('search', `/Products?${query}`)
    expect([status, JSON.parse(text)]).toEqual([
      400,
      {
        error: expect.objectContaining({ message: { lang: 'en', value: expect.stringContaining(message) } }),
      },
    ])
  })

  it('MUST announce the set in $metadata', async () => {
    const { text } = await services.get('search', '/$metadata', 'application/xml')
    expect(text).toMatch(/<EntitySet Name="Products"[^>]* sap:searchable="true"/)
    expect(text).not.toMatch(/<EntitySet Name="Categories"[^>]* sap:searchable/)
    expect((await services.get('exact', '/$metadata', 'application/xml')).text).not.toContain(
      'sap:searchable',
    )
  })
})

describe('The options of matching', () => {
  it.each<[ODataV2Options, string]>([
    [{ caseInsensitive: 'yes' as 'all' }, 'caseInsensitive must be true or false or "all".'],
    [
      { search: true as unknown as false },
      "search must be false, or an object such as { Products: ['Name'] }.",
    ],
    [{ search: { Product: ['Name'] } }, "'search.Product' is not an entity set. Did you mean 'Products'?"],
    [{ search: { Products: [] } }, "search.Products must be an array such as ['Name']."],
    [{ search: { Products: ['Nam'] } }, "Did you mean 'Name'?"],
    [{ search: { Products: ['ID'] } }, "search.Products: 'ID' is not a property of type Edm.String."],
    [{ search: { Products: ['Category'] } }, "'Category' is not a property of type Edm.String."],
    [{ search: { Categories: ['Products/Name'] } }, 'search.Categories: '],
  ])('MUST be checked at the start: %j', async (options, message) => {
    const services = await ContractServices.start()
    const provider = withHandlers(memoryProvider(cheeseModel(), {}), cheeseModel())
    expect(() => {
      services.mount('x', provider, options, cheeseModel())
    }).toThrow(message)
    await services.close()
  })
})

describe('The OpenAPI document', () => {
  it('MUST have the parameter search for the sets that can be searched', () => {
    const paths = openApiDocument(cheeseModel(), { search }).paths as Record<string, unknown>
    expect(JSON.stringify(paths['/Products'])).toContain('#/components/parameters/search')
    expect(JSON.stringify(paths['/Categories'])).not.toContain('#/components/parameters/search')
  })
})
