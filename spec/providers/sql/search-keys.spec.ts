import { sql } from 'kysely'
import type { SqlSearch } from '../../../lib/providers/sql/search-keys.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { cheeseModel, cheeses } from '../../support/services/cheese-shop.js'
import { describeDatabases } from '../../support/sql/databases.js'
import { createTables, fillTable } from '../../support/sql/model-tables.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`

/** Indexes of whole words, whose results differ from those of the service. */
const indexes: Readonly<Record<'sqlite' | 'postgres', SqlSearch>> = {
  sqlite: {
    properties: ['Name', 'Note'],
    keys: ({ terms }) =>
      sql`select rowid from words where words match ${terms.map(quoted).join(' ')} and ${sql`rowid > ${0}`}`,
  },
  postgres: {
    properties: ['Name', 'Note'],
    keys: ({ terms }) =>
      sql`select "ID" from "Products" where to_tsvector('simple', concat_ws(' ', "Name", "Note")) @@ plainto_tsquery('simple', ${terms.join(' ')})`,
  },
}

describeDatabases(({ kind, open }) => {
  let services: ContractServices
  let db: AnyDatabase

  beforeAll(async () => {
    services = await ContractServices.start()
    db = await open([])
    await createTables(db, cheeseModel(), kind)
    for (const set of cheeseModel().defaultContainer.entitySets)
      await fillTable(db, set, cheeses[set.name as keyof typeof cheeses], kind)
    if (kind === 'sqlite') {
      await sql`create virtual table words using fts5(Name, Note)`.execute(db)
      await sql`insert into words(rowid, Name, Note) select "ID", "Name", "Note" from "Products"`.execute(db)
    }
    await mount('indexed', indexes[kind as 'sqlite'], {})
    await mount('some', { ...indexes[kind as 'sqlite'], keys: () => undefined }, {})
    await mount('restricted', indexes[kind as 'sqlite'], {
      authorize: ({ entitySet }) => (entitySet === 'Products' ? 'ID ne 2' : undefined),
    })
    await mount('hidden', indexes[kind as 'sqlite'], { authorize: () => ({ hidden: ['Note'] }) })
    await mount('wrong', { ...indexes[kind as 'sqlite'], keys: () => 'select 1' as never }, {})
  })
  afterAll(() => services.close())

  const mount = async (name: string, index: SqlSearch, options: ODataV2Options): Promise<void> => {
    const provider = sqlProvider(cheeseModel(), db, { search: { Products: index } })
    await provider.ready()
    services.mount(name, provider, { search: { Products: ['Name', 'Note'] }, ...options }, cheeseModel())
  }
  const keysOf = async (service: string, path: string): Promise<number[]> =>
    ((await services.json(service, encodeURI(path))).results as unknown as { ID: number }[]).map(
      ({ ID }) => ID,
    )

  it.each<[path: string, keys: number[]]>([
    ['/Products?search=gouda', [1, 2, 3]],
    ['/Products?search=GOU', []],
    ['/Products?search=aged GOUDA', [1]],
    ['/Products?search="goes with"', [3]],
    ['/Products?search=gouda&$filter=ID gt 1&$orderby=ID desc&$top=1', [3]],
    ['/Categories(1)/Products?search=gouda&$skip=1', [2, 3]],
    ['/Products?search=\'");drop', []],
    ['/Products?search=', [1, 2, 3, 4, 5, 6]],
  ])('MUST evaluate a search by the index: %s', async (path, keys) => {
    expect(await keysOf('indexed', path)).toEqual(keys)
  })

  it('MUST count the entities that the index finds', async () => {
    expect((await services.get('indexed', '/Products/$count?search=GOUDA')).text).toBe('3')
    expect(
      await services.json('indexed', '/Products?search=GOUDA&$top=1&$inlinecount=allpages'),
    ).toMatchObject({ __count: '3' })
  })

  it('MUST not evaluate searches that the function declines, of other properties, and of NUL', async () => {
    expect(await keysOf('some', '/Products?search=GOU')).toEqual([1, 2, 3])
    expect(await keysOf('indexed', '/Products?search=GOU&search-focus=Name')).toEqual([1, 2])
    expect(await keysOf('indexed', '/Products?search=gouda%00'.replace('%00', '\0'))).toEqual([])
  })

  it('MUST not find entities and columns that the caller may not see', async () => {
    expect(await keysOf('restricted', '/Products?search=gouda')).toEqual([1, 3])
    expect(await keysOf('hidden', '/Products?search=gouda')).toEqual([1, 2])
  })

  it('MUST respond with 500 to a result that is not a template', async () => {
    expect((await services.get('wrong', '/Products?search=a')).status).toBe(500)
  })

  it.each<[search: object, message: string]>([
    [{ Product: indexes.sqlite }, "search.Product is not an entity set. Did you mean 'Products'?"],
    [{ Products: () => undefined }, 'search.Products must be an object such as { properties'],
    [
      { Products: { ...indexes.sqlite, properties: ['Nme'] } },
      "search.Products: 'Nme' is not a property of 'Products'. Did you mean 'Name'?",
    ],
  ])('MUST reject a misspelt or invalid index: %j', (search, message) => {
    expect(() => sqlProvider(cheeseModel(), db, { search })).toThrow(message)
  })
})
