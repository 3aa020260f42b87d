import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import type { Provider } from '../../../lib/provider/provider.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { fc, runs } from '../../support/random.js'
import {
  changeSetModel,
  changeSetNames,
  changeSetTables,
  randomChangeSet,
} from '../../support/sql/change-set-model.js'
import { ChangeSetService, oneByOne, parts, withoutMessages } from '../../support/sql/change-set-services.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

describe('Random change sets', () => {
  const postgres = PostgresServer.shared()
  const opened: ChangeSetService[] = []
  let other: AnyDatabase
  let name: string

  beforeAll(async () => {
    name = await postgres.newDatabase()
    other = postgres.connect(name, { max: 2 })
    for (const statement of changeSetTables('postgres')) await sql.raw(statement).execute(other)
  })

  afterAll(async () => {
    for (const one of opened.toReversed()) await one.stop()
    await postgres.stop()
  })

  it('MUST have the same responses and rows as changes one by one, changes in SQLite and changes in memory', async () => {
    const inSqlite = await Promise.all(
      [undefined, cacheStatements(new SQLite(':memory:'))].map(async (sqlite) => {
        const database = sqlite ?? new SQLite(':memory:')
        const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
        for (const statement of changeSetTables('sqlite')) await sql.raw(statement).execute(db)
        const provider = sqlProvider(changeSetModel, db, { sqlite })
        await provider.ready()
        const service = await ChangeSetService.of(provider, {}, db)
        opened.push(service)
        return { db, service }
      }),
    )
    const serve = async (wrap: (provider: Provider) => Provider): Promise<ChangeSetService> => {
      const db = postgres.connect(name, { max: 2 })
      const service = await ChangeSetService.of(wrap(sqlProvider(changeSetModel, db)), {}, db)
      opened.push(service)
      return service
    }
    const [queued, single] = [await serve((provider) => provider), await serve(oneByOne)]
    const truncate = async (): Promise<void> => {
      const tables = changeSetNames.map((table) => sql.table(table))
      await sql`truncate ${sql.join(tables)} restart identity`.execute(other)
    }
    const outcome = async (
      service: ChangeSetService,
      changeSets: readonly (readonly string[])[],
    ): Promise<unknown> => {
      const responses: unknown[] = []
      // A change that follows the same change in a change set is sent outside of change sets.
      for (const changes of changeSets)
        responses.push(parts(await service.sendParts(changes, ...changes.slice(-1))))
      return { responses, rows: await service.rows() }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(randomChangeSet, { minLength: 1, maxLength: 4 }), async (changeSets) => {
        await truncate()
        const expected = await outcome(single, changeSets)
        await truncate()
        expect(await outcome(queued, changeSets)).toEqual(expected)
        for (const { db, service } of inSqlite) {
          for (const table of changeSetNames.toReversed())
            await sql`delete from ${sql.table(table)}`.execute(db)
          expect(await outcome(service, changeSets)).toEqual(expected)
        }
        const memory = await ChangeSetService.of(memoryProvider(changeSetModel as never, {}))
        // With several errors, the providers do not all find the same one first.
        expect(withoutMessages(await outcome(memory, changeSets))).toEqual(withoutMessages(expected))
        await memory.stop()
      }),
      { numRuns: runs(200) },
    )
  })
})
