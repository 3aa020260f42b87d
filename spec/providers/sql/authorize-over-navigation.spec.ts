import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { LiveServer } from '../../support/live-server.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { createTables } from '../../support/sql/model-tables.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: { ID: edm.Int32(), Owner: edm.String(), Open: edm.Boolean(), Secret: edm.String() },
    },
    Line: {
      key: ['ID'],
      properties: { ID: edm.Int32(), OrderID: edm.Int32() },
      navigationProperties: { Order: { relationship: 'OrderLines', fromRole: 'Line', toRole: 'Order' } },
    },
  },
  associations: {
    OrderLines: {
      ends: {
        Order: { type: 'Order', multiplicity: '0..1' },
        Line: { type: 'Line', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['ID'] },
        dependent: { role: 'Line', properties: ['OrderID'] },
      },
    },
  },
  entityContainer: { entitySets: { Orders: { entityType: 'Order' }, Lines: { entityType: 'Line' } } },
})

describe('An SQL provider with a condition of the application over a navigation property', () => {
  let server: LiveServer
  let db: AnyDatabase

  beforeAll(async () => {
    db = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    await createTables(db, model, 'sqlite')
    await db.insertInto('Orders').values({ ID: 1, Owner: 'ada', Open: 1, Secret: 'x' }).execute()
    await db.insertInto('Orders').values({ ID: 2, Owner: 'ben', Open: 1, Secret: 'y' }).execute()
    for (const ID of [1, 2]) await db.insertInto('Lines').values({ ID, OrderID: ID }).execute()
    server = await LiveServer.start()
    const service = odataV2(model, sqlProvider(model, db), {
      // Ada sees the lines of all open orders, and of orders only her own.
      authorize: ({ kind, entitySet }) =>
        kind === 'function' ? undefined : entitySet === 'Lines' ? 'Order/Open' : `Owner eq 'ada'`,
    })
    server.mount('shop', service)
  })

  afterAll(async () => {
    await server.close()
    await db.destroy()
  })

  async function lines(query: string): Promise<number[]> {
    const { status, text } = await server.get(`/shop/Lines?${query}`, { Accept: 'application/json' })
    expect([status, text]).toEqual([200, expect.stringContaining('"d"')])
    const { d } = JSON.parse(text) as { d: { results: { ID: number }[] } }
    return d.results.map(({ ID }) => ID)
  }

  it('MUST evaluate it on all related entities, even if a condition of the client follows the same path', async () => {
    expect(await lines('')).toEqual([1, 2])
    expect(await lines('$filter=Order/ID eq 1 or ID eq 2'.replaceAll(' ', '%20'))).toEqual([1, 2])
  })

  it('MUST NOT show entities that the client may not read', async () => {
    expect(await lines(`$filter=Order/Secret%20eq%20'x'`)).toEqual([1])
    expect(await lines(`$filter=Order/Secret%20eq%20'y'`)).toEqual([])
    expect(await lines(`$filter=Order%20eq%20null`)).toEqual([2])
    expect(await lines(`$orderby=Order/Secret%20desc&$top=1`)).toEqual([1])
  })
})
