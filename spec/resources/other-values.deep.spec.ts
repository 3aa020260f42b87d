import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { ODataV2Options } from '../../lib/index.js'
import { filter } from '../../lib/index.js'
import { cacheStatements } from '../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import type { Authorize } from '../../lib/provider/authorize.js'
import type { Provider } from '../../lib/provider/provider.js'
import { ContractServices } from '../contracts/contract-service.js'
import { otherValues, withValues } from '../support/other-values.js'
import { fc, runs, seed } from '../support/random.js'
import { alikeModel } from '../support/sql/alike-model.js'
import { alikeRequest } from '../support/sql/alike-requests.js'
import { alikeRows } from '../support/sql/alike-rows.js'
import { alikeDatabase, alikeMemory } from '../support/sql/alike-services.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { PostgresServer } from '../support/sql/postgres-server.js'

const formats = fc.constantFrom('application/json', 'application/atom+xml')

/** Callers see some entities and columns only. */
const authorize: Authorize = ({ entitySet, kind }) => {
  if (kind !== 'read') return undefined
  if (entitySet === 'Products') return { filter: filter`Stock ne ${3}`, hidden: ['Weight'] }
  return entitySet === 'Categories' ? { filter: filter`ID ne ${2}`, hidden: ['Rank'] } : undefined
}

const variants: Readonly<Record<string, ODataV2Options>> = {
  'for everyone': { pageSize: 5 },
  'without the case of strings': { pageSize: 3, caseInsensitive: true },
  'with rights': { pageSize: 5, authorize },
}

/** Returns a request with other values in its filter and other numbers of its page. */
function variantOf(uri: string, values: Parameters<typeof withValues>[1], n: number): string {
  return uri
    .replace(/\$filter=([^&]*)/, (_, text: string) => {
      const condition = withValues(decodeURIComponent(text), values)
      return `$filter=${encodeURIComponent(condition)}`
    })
    .replace(/\$(skip|top)=\d+/g, (_, name: string) => `$${name}=${String(n)}`)
}

/** A service that has served other values before MUST respond like one that has served nothing. */
describe.each(['memory', 'sqlite', 'postgres'] as const)('Responses from %s', (kind) => {
  let services: ContractServices
  let server: PostgresServer | undefined
  let db: AnyDatabase | undefined
  let provider: Provider

  beforeAll(async () => {
    services = await ContractServices.start()
    const [rows] = fc.sample(alikeRows(kind === 'memory' ? 'sqlite' : kind), { numRuns: 1, seed })
    if (rows === undefined) throw new Error('There are no rows.')
    if (kind === 'memory') provider = alikeMemory(rows)
    else if (kind === 'postgres') {
      server = PostgresServer.shared()
      db = await server.open()
      provider = await alikeDatabase(db, kind, rows)
    } else {
      const sqlite = cacheStatements(new SQLite(':memory:'))
      db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
      await alikeDatabase(db, kind, rows)
      const direct = sqlProvider(alikeModel(), db, { sqlite })
      await direct.ready()
      provider = direct
    }
  })

  afterAll(async () => {
    await services.close()
    await db?.destroy()
    await server?.stop()
  })

  it.each(Object.keys(variants))(
    'MUST NOT depend on requests with other values, %s',
    async (variant) => {
      const mount = (name: string): void => services.mount(name, provider, variants[variant], alikeModel())
      mount('warm')
      let found = 0
      await fc.assert(
        fc.asyncProperty(
          alikeRequest.filter((uri) => uri.includes('?')),
          fc.array(fc.tuple(otherValues, fc.nat(12)), { minLength: 3, maxLength: 3 }),
          formats,
          async (request, all, accept) => {
            const uris = [request, ...all.map(([values, n]) => variantOf(request, values, n)), request]
            for (const uri of uris) {
              mount('new')
              const options = { accept, limit: 2 }
              const expected = await services.comparablePages('new', uri, options)
              if (expected[0]?.status === 200) found++
              expect([uri, await services.comparablePages('warm', uri, options)]).toEqual([uri, expected])
            }
            mount('new')
            const expected = await services.comparableBatch('new', uris)
            expect([uris, await services.comparableBatch('warm', uris)]).toEqual([uris, expected])
          },
        ),
        { numRuns: runs(60), seed },
      )
      expect(found).toBeGreaterThan(runs(60))
    },
    120_000,
  )
})
