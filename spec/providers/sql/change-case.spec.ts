import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import type { Provider } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { bindFilter } from '../../../lib/query/bind-expression.js'
import { parseFilter } from '../../../lib/uri/parse-expression.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { casedPlanes, fillWords, wordModel, wordsOf } from '../../support/sql/case-words.js'
import { loggedDatabase } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const words = wordsOf([
  ...casedPlanes(),
  null,
  '',
  'Straße 7',
  'ΟΔΟΣ',
  'ΣΑΣ ΣΑΣ. Σ',
  'İstanbul',
  'ǅungla',
  'ﬃ',
  '100% \\_',
  'tab\there',
])
/** The database of PostgreSQL has the ICU library of the operating system, SQLite the functions of the handle. */
const converting = ['sqlite with handle', 'postgres']

describe.each(['memory', 'sqlite', ...converting])('toupper and tolower on %s', (kind) => {
  let services: ContractServices
  let db: AnyDatabase | undefined
  let server: PostgresServer | undefined
  let provider: Provider

  beforeAll(async () => {
    services = await ContractServices.start()
    provider = await open()
    services.mount('words', provider, { limits: { url: 20_000 } }, wordModel())
  })

  afterAll(async () => {
    await services.close()
    await db?.destroy()
    await server?.stop()
  })

  const open = async (): Promise<Provider> => {
    if (kind === 'memory') return memoryProvider(wordModel(), { Words: words.map((word) => ({ ...word })) })
    const database = cacheStatements(new SQLite(':memory:'))
    if (kind === 'postgres') {
      server = PostgresServer.shared()
      db = await server.open()
    } else db = new Kysely({ dialect: new SqliteDialect({ database }) })
    await fillWords(db, kind === 'postgres' ? 'postgres' : 'sqlite', words)
    const opened = sqlProvider(wordModel(), db, kind === 'sqlite with handle' ? { sqlite: database } : {})
    await opened.ready()
    return opened
  }

  const count = async (filter: string): Promise<number> => {
    const { text } = await services.get('words', `/Words/$count?$filter=${encodeURIComponent(filter)}`)
    return Number(text)
  }

  it('MUST convert every character as JavaScript does', async () => {
    expect(await count('toupper(Text) eq Upper')).toBe(words.length)
    expect(await count('tolower(Text) eq Lower')).toBe(words.length)
    expect(await count('toupper(Text) ne Upper or tolower(Text) ne Lower')).toBe(0)
  })

  it.each([
    ["toupper(Text) eq 'STRASSE 7'", 1],
    ["substringof('STRASSE',toupper(Text))", 1],
    ["tolower(Text) eq 'οδος'", 1],
    ["startswith(toupper(Text),'ΣΑΣ Σ')", 1],
    ["endswith(tolower(Text),'σας. σ')", 1],
    ["substringof('% \\_',toupper(Text))", 1],
    ["substringof('0_',toupper(Text))", 0],
    ["substringof('FFI',toupper(Text))", 2],
    ["not substringof('FFI',toupper(Text))", words.length - 3],
    ['toupper(Text) eq null', 1],
    ["concat(toupper(Text),'!') eq 'STRASSE 7!'", 1],
    ["toupper(tolower(Text)) eq 'STRASSE 7'", 1],
    ["toupper(Text) eq toupper('Straße 7')", 1],
  ])('MUST match exactly: %s', async (filter, expected) => {
    expect(await count(filter)).toBe(expected)
  })

  it('MUST be evaluated by the database only if that can convert all characters', () => {
    const set = wordModel().defaultContainer.entitySet('Words')
    if (set === undefined) throw new Error('The model has no words.')
    const text = "substringof('A',toupper(Text)) and tolower(Text) eq 'a'"
    const scope = { model: wordModel(), entitySet: set, entityType: set.entityType }
    const filter = bindFilter(parseFilter(text), scope, { source: text, label: '$filter' })
    const { pushdown } = provider.entitySets.Words ?? {}
    if (kind !== 'memory') expect(pushdown?.filter?.(filter)).toBe(converting.includes(kind) || 'narrow')
  })
})

describe('A string with U+0000 in SQLite, where its own functions end', () => {
  it.each([true, false])('MUST be converted as a whole, with the option `sqlite`: %s', async (hasHandle) => {
    const database = cacheStatements(new SQLite(':memory:'))
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    const strings = wordsOf(['a\0b', 'a\0ß', 'b'])
    await fillWords(db, 'sqlite', strings)
    const provider = sqlProvider(wordModel(), db, hasHandle ? { sqlite: database } : {})
    await provider.ready()
    const services = await ContractServices.start()
    services.mount('words', provider, {}, wordModel())
    const { text } = await services.get('words', '/Words/$count?$filter=toupper(Text)%20eq%20Upper')
    await services.close()
    await db.destroy()
    expect(text).toBe('3')
  })
})

describe('An index on upper-case strings of PostgreSQL', () => {
  let server: PostgresServer
  let db: AnyDatabase
  let services: ContractServices
  let statements: () => string[]

  beforeAll(async () => {
    server = PostgresServer.shared()
    ;({ db, statements } = loggedDatabase(server.addressOf(await server.newDatabase())))
    services = await ContractServices.start()
    const texts = Array.from({ length: 5000 }, (_, index) => `Word ${String(index)}`)
    await fillWords(db, 'postgres', wordsOf(texts))
    const provider = sqlProvider(wordModel(), db)
    await provider.ready()
    services.mount('words', provider, {}, wordModel())
  })

  afterAll(async () => {
    await services.close()
    await db.destroy()
    await server.stop()
  })

  it.each([
    ["toupper(Text) eq 'WORD 7'", "'WORD 7'", 'btree', ''],
    ["startswith(toupper(Text),'WORD 77')", "'WORD 77'", 'btree', ''],
    ["substringof('RD 4321',toupper(Text))", "'%RD 4321%'", 'gin', ' gin_trgm_ops'],
  ])('MUST be used for %s', async (filter, value, method, operators) => {
    statements()
    expect(await services.status('words', `/Words?$filter=${encodeURIComponent(filter)}`)).toBe(200)
    const [statement = ''] = statements()
    const [expression = ''] =
      /\((?:case when .*? collate "C" end|upper\(.*?\) collate "C")\)/.exec(statement) ?? []
    await sql.raw('create extension if not exists pg_trgm').execute(db)
    const indexed = `${expression.replaceAll('t0.', '')}${operators}`
    await sql.raw(`create index on "Words" using ${method} (${indexed})`).execute(db)
    await sql.raw('analyze "Words"').execute(db)
    const plan = await sql.raw(`explain ${statement.replaceAll('$1', value)}`).execute(db)
    expect(JSON.stringify(plan.rows)).toContain('Index Cond')
  })
})
