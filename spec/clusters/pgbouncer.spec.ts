import { sql } from 'kysely'
import { openDatabase } from '../../lib/sql.js'
import { describeProvider } from '../contracts/provider-contract.js'
import { sendAndDisconnect } from '../support/http-exchange.js'
import { contractDatabase } from '../support/sql/contract-database.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { orderModel, orderTables } from '../support/sql/order-model.js'
import type { PgBouncer } from '../support/sql/pgbouncer.js'
import { startPgBouncer } from '../support/sql/pgbouncer.js'
import { PostgresServer } from '../support/sql/postgres-server.js'
import { until } from '../support/until.js'

const postgres = PostgresServer.shared()
let bouncer: PgBouncer | undefined

/** A new database, and connections to it through PgBouncer. */
async function open(): Promise<{
  readonly direct: AnyDatabase
  readonly pooled: AnyDatabase
  readonly url: string
}> {
  const name = await postgres.newDatabase()
  bouncer ??= await startPgBouncer(postgres.addressOf(name))
  const address = new URL(postgres.addressOf(name))
  address.port = String(bouncer.port)
  const pooled = postgres.connect(name, { connectionString: address.href })
  return { direct: postgres.connect(name), pooled, url: address.href }
}

afterAll(async () => {
  await bouncer?.stop()
  await postgres.stop()
})

describeProvider(
  'sqlProvider on PostgreSQL through PgBouncer',
  async (data) => contractDatabase((await open()).pooled, 'postgres', data),
  { fractionDigits: 6, numRuns: 10 },
)

describe('A service on PgBouncer in transaction mode', () => {
  it('MUST store concurrent change sets and inserts completely without prepared statements', async () => {
    const { direct, url } = await open()
    for (const statement of orderTables('postgres')) await sql.raw(statement).execute(direct)
    const { provider, close } = await openDatabase(url, { model: orderModel, prepareStatements: false })
    const service = await SqlServer.startProvider(orderModel, provider)
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const { status } = await service.send('POST', 'Items', { ID: index, OrderID: 1, Name: 'a' })
        const { status: changed } = await service.send(
          'MERGE',
          `Orders(2)`,
          { Value: index },
          { 'If-Match': '*' },
        )
        return [status, changed]
      }),
    )
    expect(new Set(statuses.flat())).toEqual(new Set([201, 204]))
    expect((await service.send('GET', 'Items/$count')).text).toBe('30')
    await service.stop()
    await close()
  })

  it('MUST cancel the read of a client that has disconnected', async () => {
    const { direct, pooled } = await open()
    for (const statement of orderTables('postgres')) await sql.raw(statement).execute(direct)
    const service = await SqlServer.start(orderModel, pooled)
    await sql
      .raw(
        `alter table "Orders" rename to stored;
         create view "Orders" as select s.* from stored as s where "ID" = 1 or pg_sleep(3600) is null`,
      )
      .execute(direct)
    const sleeping = async (): Promise<number> => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`.execute(direct)
      return rows.length
    }
    const isSleeping = until(async () => (await sleeping()) === 1)
    await sendAndDisconnect(service.server, '/s/Orders', isSleeping)
    await until(async () => (await sleeping()) === 0)
    expect((await service.send('GET', 'Items')).status).toBe(200)
    await service.stop()
  })
})
