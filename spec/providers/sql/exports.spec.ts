import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Provider } from '../../../lib/provider/provider.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { LiveServer } from '../../support/live-server.js'
import { fc, runs } from '../../support/random.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { alikeRows } from '../../support/sql/alike-rows.js'
import { alikeDatabase, alikeMemory } from '../../support/sql/alike-services.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

describe.each(['sqlite', 'postgres'] as const)('Exports from %s', (kind) => {
  let postgres: PostgresServer | undefined
  let live: LiveServer
  const opened: AnyDatabase[] = []

  beforeAll(async () => {
    live = await LiveServer.start()
    if (kind === 'postgres') postgres = PostgresServer.shared()
  })
  afterAll(async () => {
    await live.close()
    for (const db of opened) await db.destroy()
    await postgres?.stop()
  })

  const emptyDatabase = async (): Promise<AnyDatabase> => {
    if (postgres !== undefined) return postgres.open()
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    opened.push(db)
    return db
  }

  const mount = (name: string, provider: Provider): void => {
    live.mount(name, odataV2(alikeModel(), provider, { exports: true }))
  }

  it('MUST be those of the same rows in memory, byte for byte', async () => {
    const sets = alikeModel().defaultContainer.entitySets.map(({ name }) => name)
    for (const rows of fc.sample(alikeRows(kind), { numRuns: runs(30), seed: 1 })) {
      mount('memory', alikeMemory(rows))
      mount('database', await alikeDatabase(await emptyDatabase(), kind, rows))
      for (const path of [...sets, 'Products?$expand=Successor,Category&$orderby=Name desc']) {
        for (const format of ['csv', 'xlsx']) {
          const target = `${encodeURI(path)}${path.includes('?') ? '&' : '?'}$format=${format}`
          const expected = await live.get(`/memory/${target}`)
          const { status, body } = await live.get(`/database/${target}`)
          expect([target, expected.status, status]).toEqual([target, 200, 200])
          if (format === 'csv') expect(body.toString()).toBe(expected.text)
          expect(body.equals(expected.body)).toBe(true)
        }
      }
    }
  })
})
