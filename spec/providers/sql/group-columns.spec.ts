import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm, odataV2 } from '../../../lib/index.js'
import type { Provider } from '../../../lib/index.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'

const model = defineModel({
  namespace: 'A',
  entityTypes: {
    Sale: {
      key: ['ID'],
      sap: { semantics: 'aggregate' },
      properties: {
        ID: edm.String({ nullable: false }),
        Country: edm.String({ sap: { aggregationRole: 'dimension' } }),
        Amount: edm.Int32({ sap: { aggregationRole: 'measure' } }),
        Items: edm.Int32({ sap: { aggregationRole: 'measure' }, aggregate: 'count' }),
      },
    },
  },
  entityContainer: { entitySets: { Sales: { entityType: 'Sale' } } },
})

const databaseWith = async (table: string): Promise<Kysely<unknown>> => {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
  await sql.raw(`create table ${table}`).execute(db)
  return db
}

describe('The table of an analytical set', () => {
  it.each<[table: string, message: string]>([
    ['Sold (Country text, Amount integer)', "entity set 'Sales'"],
    ['Sales (Country text, Sum integer)', "'Sales' needs a column for 'Amount'"],
    ['Sales (Land text, Amount integer)', "'Sales' needs a column for 'Country'"],
  ])('MUST be checked when the service starts: %s', async (table, message) => {
    const db = await databaseWith(table)
    const early = sqlProvider(model, db)
    // Without a service, it is not known whether columns are needed.
    await early.ready().catch(() => undefined)
    const late = sqlProvider(model, db)
    const start = async (): Promise<void> => {
      odataV2(model, early)
      odataV2(model, late)
      await late.ready()
    }
    await expect(start()).rejects.toThrow(message)
    odataV2(model, late)
    await expect(late.ready()).rejects.toThrow(message)
    await db.destroy()
  })

  it('MUST need neither the group id nor the number of rows', async () => {
    const db = await databaseWith('Sales (Country text, Amount integer)')
    const provider = sqlProvider(model, db)
    odataV2(model, provider)
    await expect(provider.ready()).resolves.toBeUndefined()
    odataV2(model, provider)
    await db.destroy()
  })

  it('MUST not be needed for a set of another provider, and without analytics', async () => {
    const db = await databaseWith('Others (ID text)')
    const provider = sqlProvider(model, db)
    await provider.ready()
    const mixed: Provider = { ...provider, entitySets: { Sales: { read: () => [] } } }
    expect(() => odataV2(model, mixed)).not.toThrow()
    expect(() => odataV2(model, provider, { analytics: false })).not.toThrow()
    await db.destroy()
  })
})
