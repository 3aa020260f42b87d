import type { Provider } from '../../lib/provider/provider.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../contracts/contract-service.js'
import { casedPlanes, fillWords, wordModel, wordsOf } from '../support/sql/case-words.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

const words = wordsOf([...casedPlanes(), null, '', 'Straße 7', 'ΟΔΟΣ', 'gouda', 'Gouda'])

describe('Filters on MariaDB and MySQL that ignore case', () => {
  let db: AnyDatabase
  let services: ContractServices

  beforeAll(async () => {
    services = await ContractServices.start()
    db = await openMysql()
    await fillWords(db, 'mysql', words)
    const provider = sqlProvider(wordModel(), db)
    await provider.ready()
    const search = { Words: ['Text'] }
    services.mount('words', provider, { caseInsensitive: 'all', search }, wordModel())
  })

  afterAll(async () => {
    await services.close()
    await db.destroy()
  })

  it.each([
    ['$filter=toupper(Text) eq Upper', words.length],
    ['$filter=toupper(Text) ne toupper(Upper)', 0],
    ["$filter=Text eq 'STRASSE 7'", 1],
    ["$filter=tolower(Text) eq 'οδος'", 1],
    ["$filter=startswith(Text,'gou')", 2],
    ['search=strasse', 1],
    ['search=ss "E 7"', 1],
  ])('MUST convert letters as JavaScript does: %s', async (query, expected) => {
    const { text } = await services.get('words', `/Words/$count?${encodeURI(query)}`)
    expect(text).toBe(String(expected))
  })

  it('MUST be narrowed by the database', async () => {
    const provider = sqlProvider(wordModel(), db)
    await provider.ready()
    const read = jest.fn()
    const narrowing: Provider = {
      ...provider,
      entitySets: Object.fromEntries(
        Object.entries(provider.entitySets).map(([name, set]) => [
          name,
          {
            ...set,
            read: async (query, call) => {
              const rows = await set.read(query, call)
              const all: unknown[] = []
              for await (const batch of rows as AsyncIterable<unknown[]>) all.push(...batch)
              read(all.length)
              return all as never
            },
          },
        ]),
      ),
    }
    services.mount('narrowed', narrowing, {}, wordModel())
    const { text } = await services.get('narrowed', "/Words?$filter=toupper(Text)%20eq%20'GOUDA'&$orderby=ID")
    expect((JSON.parse(text) as { d: { results: unknown[] } }).d.results).toHaveLength(2)
    const others = words.filter(({ Text }) => /[^\0-\x7f]/.test(String(Text))).length
    expect(read.mock.calls).toEqual([[others + 2]])
  })
})
