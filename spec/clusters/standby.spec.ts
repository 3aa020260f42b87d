import { sql } from 'kysely'
import type { HookCall } from '../../lib/provider/hooks.js'
import { openDatabase, sqlProvider } from '../../lib/sql.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { orderModel, orderTables } from '../support/sql/order-model.js'
import { PostgresServer } from '../support/sql/postgres-server.js'
import { until } from '../support/until.js'

let primary: PostgresServer
let standby: PostgresServer
let name: string
let db: AnyDatabase
let service: SqlServer

beforeAll(async () => {
  primary = await PostgresServer.start()
  name = await primary.newDatabase()
  const first = primary.connect(name)
  for (const statement of orderTables('postgres')) await sql.raw(statement).execute(first)
  standby = await primary.standby()
  db = standby.connect(name)
  service = await SqlServer.start(orderModel, db)
})

afterAll(async () => {
  await service.stop()
  await standby.stop()
  await primary.stop()
})

const send = (method: string, path: string, body?: object, to = service): Promise<HttpResponse> =>
  to.server.send(`/s/${path}`, {
    method,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...(method === 'POST' || method === 'GET' ? {} : { 'If-Match': '*' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

const expectStandby = ({ status, headers, text }: HttpResponse): void => {
  expect(text).toContain('The database is a standby at the moment and does not accept this request.')
  expect([status, headers['retry-after']]).toEqual([503, '5'])
}

describe('A service on a standby of PostgreSQL', () => {
  it('MUST respond to reads, and with 503 and Retry-After to changes', async () => {
    expect((await send('GET', 'Orders')).status).toBe(200)
    expectStandby(await send('POST', 'Items', { ID: 1, OrderID: 1, Name: 'a' }))
    expectStandby(await send('MERGE', 'Orders(1)', { Value: 1 }))
    expectStandby(await send('DELETE', 'Orders(1)'))
  })

  it('MUST respond with 503 when a statement of a hook changes rows', async () => {
    const provider = sqlProvider(orderModel, db)
    const beforeInsert = async (_: unknown, call: HookCall): Promise<void> => {
      await sql`insert into "Items" values (5, 1, 'a')`.execute(provider.connectionOf(call))
    }
    const hooks = { Items: { beforeInsert } }
    const hooked = await SqlServer.start(orderModel, db, { hooks } as never)
    expectStandby(await send('POST', 'Items', { ID: 1, OrderID: 1, Name: 'a' }, hooked))
    await hooked.stop()
  })

  it('MUST name the reason at the start when its transactions are serializable', async () => {
    const url = `${standby.addressOf(name)}?options=-c%20default_transaction_isolation%3Dserializable`
    await expect(openDatabase(url)).rejects.toThrow('cannot use serializable mode in a hot standby')
  })

  it('MUST respond with 503 when its transactions have become serializable', async () => {
    const serializable = standby.connect(name, { max: 1 })
    const changed = await SqlServer.start(orderModel, serializable)
    await sql`set default_transaction_isolation = 'serializable'`.execute(serializable)
    expectStandby(await send('GET', 'Orders', undefined, changed))
    expectStandby(await send('POST', 'Items', { ID: 1, OrderID: 1, Name: 'a' }, changed))
    await changed.stop()
  })
})

describe('A primary of PostgreSQL whose transactions are read-only', () => {
  it('MUST respond with 403 to changes', async () => {
    const readOnly = primary.connect(name, { options: '-c default_transaction_read_only=on' })
    const refusing = await SqlServer.start(orderModel, readOnly)
    const { status, text } = await send('POST', 'Items', { ID: 1, OrderID: 1, Name: 'a' }, refusing)
    expect([status, text]).toEqual([403, expect.stringContaining('The database is read-only.')])
    await refusing.stop()
  })
})

describe('A standby of PostgreSQL that is promoted under load', () => {
  it('MUST accept changes over the same connections, after no other status than 503, and lose none', async () => {
    let ID = 100
    const stored: number[] = []
    const others: number[] = []
    const insert = async (): Promise<void> => {
      const own = ID++
      const { status } = await send('POST', 'Items', { ID: own, OrderID: 1, Name: 'a' })
      if (status === 201) stored.push(own)
      else others.push(status)
    }
    const worker = (): Promise<void> =>
      until(async () => {
        await insert()
        return stored.length > 50
      })
    const workers = [worker(), worker(), worker()]
    await until(() => others.length > 5)
    await sql`select pg_promote()`.execute(db)
    await Promise.all(workers)
    expect(new Set(others)).toEqual(new Set([503]))
    const { rows } = await sql<{ ID: number }>`select "ID" from "Items" order by 1`.execute(db)
    expect(rows.map((row) => row.ID)).toEqual(stored.toSorted((a, b) => a - b))
  })
})
