import type { ControlledTransaction } from 'kysely'
import { sql } from 'kysely'
import type { EntityHooks } from '../../../lib/index.js'
import { batchBody, written } from '../batch-exchange.js'
import { until } from '../until.js'
import { quoted } from './column-types.js'
import { SqlServer } from './databases.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'
import { orderModel } from './order-model.js'

/** How a kind of database is opened, and looked into from outside. */
interface WatchedDatabases {
  readonly kind: DatabaseKind
  /** Two connections, or pools, to a new database with the tables for orders: one for the service. */
  readonly open: () => Promise<{ readonly own: AnyDatabase; readonly other: AnyDatabase }>
  /** How many transactions of others are open; absent where the database has only one connection. */
  readonly transactions?: (other: AnyDatabase) => Promise<number>
  /** True if a statement that waits for a lock can be cancelled. */
  readonly canStop: boolean
}

/** Short, for the service whose requests must be aborted. All other requests go to one without a limit. */
const requestTime = 300

/** Requests with a last change that waits for a lock of another connection. */
const changes: readonly (readonly [what: string, send: (service: SqlServer) => Promise<number>])[] = [
  ['an update', (service) => statusOf(service, 'MERGE', 'Orders(1)', { Value: 5 })],
  ['a deletion', (service) => statusOf(service, 'DELETE', 'Orders(1)')],
  ['an insert', (service) => statusOf(service, 'POST', 'Items', { ID: 2, OrderID: 2, Name: 'own' })],
  [
    'an entity with others below it',
    (service) =>
      statusOf(service, 'POST', 'Orders', {
        ID: 3,
        Value: 1,
        Version: 1,
        Items: [
          { ID: 1, OrderID: 3 },
          { ID: 2, OrderID: 3 },
        ],
      }),
  ],
  [
    'a change set',
    (service) =>
      changeSet(
        service,
        ['POST Items', { ID: 1, OrderID: 2, Name: 'first' }],
        ['MERGE Orders(2)', { Value: 7 }],
        ['MERGE Orders(1)', { Value: 7 }],
        ['POST Items', { ID: 3, OrderID: 2, Name: 'last' }],
      ),
  ],
]

async function statusOf(service: SqlServer, method: string, path: string, json?: unknown): Promise<number> {
  return (await service.send(method, path, json, method === 'POST' ? {} : { 'If-Match': '*' })).status
}

/** Sends changes as one change set. */
async function changeSet(
  service: SqlServer,
  ...requests: readonly (readonly [line: string, json: unknown])[]
): Promise<number> {
  const parts = requests.map(([line, json]) =>
    written(line, JSON.stringify(json), line.startsWith('MERGE') ? { 'If-Match': '*' } : {}),
  )
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
  const response = await service.server.send('/s/$batch', { method: 'POST', headers, body: batchBody(parts) })
  return response.status === 202 ? Number(/HTTP\/1\.1 (\d+)/.exec(response.text)?.[1]) : response.status
}

/** All that there is, as a service tells it. */
async function state(service: SqlServer): Promise<unknown> {
  const values = async (path: string): Promise<unknown> => {
    const { json } = await service.send('GET', path)
    return (json.results as Record<string, unknown>[]).map(({ ID, Value, Name }) => [ID, Value ?? Name])
  }
  return [await values('Orders'), await values('Items')]
}

const untouched = [
  [
    [1, 0],
    [2, 0],
  ],
  [],
]

/** States what becomes of changes whose time is over while a statement of theirs is under way. */
export function describeAbandonedChanges({ kind, open, transactions, canStop }: WatchedDatabases): void {
  describe(`Changes that are aborted while a statement is running: ${kind}`, () => {
    let own: AnyDatabase
    let other: AnyDatabase
    let service: SqlServer
    let unlimited: SqlServer

    beforeEach(async () => {
      ;({ own, other } = await open())
      service = await SqlServer.start(orderModel, own, { limits: { requestTime } })
      unlimited = await SqlServer.start(orderModel, own, { limits: { requestTime: 0 } })
    })

    afterEach(async () => {
      await service.stop()
      await unlimited.stop()
      for (const one of held.splice(0)) if (!one.isRolledBack) await one.rollback().execute()
    })

    const held: ControlledTransaction<never>[] = []

    /** Another one, who has changed an order and added an item, and may take that back. */
    const inTheWay = async (): Promise<ControlledTransaction<never>> => {
      const transaction = await other.startTransaction().execute()
      const [order, item] = [
        `update ${quoted('Orders', kind)} set ${quoted('Value', kind)} = 9 where ${quoted('ID', kind)} = 1`,
        `insert into ${quoted('Items', kind)} values (2, 1, 'other')`,
      ]
      for (const statement of [order, item]) await sql.raw(statement).execute(transaction)
      held.push(transaction as unknown as ControlledTransaction<never>)
      return transaction as unknown as ControlledTransaction<never>
    }

    const noneIsOpen = async (): Promise<boolean> => (await transactions?.(other)) === 0

    if (canStop) {
      it.each(changes)(
        'MUST be stopped in the database, and nothing of them be left: %s',
        async (_what, send) => {
          const transaction = await inTheWay()
          expect(await send(service)).toBe(503)
          // The other one still holds what they waited for.
          await until(async () => (await transactions?.(other)) === 1)
          await transaction.rollback().execute()
          expect(await state(unlimited)).toEqual(untouched)
          // The connections are clean.
          const again = await Promise.all(
            [1, 2, 1, 2].map((ID) => statusOf(unlimited, 'MERGE', `Orders(${ID})`, { Value: 1 })),
          )
          expect(again).toEqual([204, 204, 204, 204])
        },
      )
    }

    it.each(changes)('MUST change nothing after the end of the wait: %s', async (_what, send) => {
      const transaction = await inTheWay()
      expect(await send(service)).toBe(503)
      await transaction.rollback().execute()
      if (transactions !== undefined) await until(noneIsOpen)
      expect(await state(unlimited)).toEqual(untouched)
      expect([201, 204]).toContain(await send(unlimited))
    })
  })
}

/** States what becomes of a change set in which the application never comes to an end. */
export function describeHungHooks({ kind, open, transactions }: WatchedDatabases): void {
  describe(`A hook that never ends within a change set: ${kind}`, () => {
    it('MUST cost that request, and the next ones find nothing of it', async () => {
      const { own, other } = await open()
      let isHung = true
      const hooks: Record<string, EntityHooks> = {
        Items: { afterInsert: () => (isHung ? new Promise<void>(() => undefined) : undefined) },
      }
      const service = await SqlServer.start(orderModel, own, { limits: { requestTime }, hooks })
      const unlimited = await SqlServer.start(orderModel, own, { limits: { requestTime: 0 }, hooks })
      const send = (to: SqlServer): Promise<number> =>
        changeSet(to, ['MERGE Orders(1)', { Value: 5 }], ['POST Items', { ID: 1, OrderID: 1 }])
      expect(await send(service)).toBe(503)
      isHung = false
      await until(async () => (await unlimited.send('GET', 'Orders(1)')).json.Value === 0)
      if (transactions !== undefined) await until(async () => (await transactions(other)) === 0)
      expect(await state(unlimited)).toEqual(untouched)
      // Until then the database keeps to itself what they want to change.
      let status = 503
      while (status === 503) status = await send(unlimited)
      expect(status).toBe(204)
      await service.stop()
      await unlimited.stop()
    })
  })
}
