import { CompiledQuery, Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { mysqlSessions } from '../../lib/providers/sql/dialects/mysql/sessions.js'
import { statementOf } from '../../lib/providers/sql/sql-text.js'
import { required } from '../../lib/util/required.js'
import { sendAndDisconnect } from '../support/http-exchange.js'
import { describeAbandonedChanges, describeHungHooks } from '../support/sql/abandoned-changes.js'
import type { SqlResponse } from '../support/sql/databases.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { isMariaDb } from '../support/sql/model-tables.js'
import { MysqlProxy } from '../support/sql/mysql-proxy.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { orderModel, orderTables } from '../support/sql/order-model.js'
import { openThings } from '../support/sql/paged-things.js'
import { describePagingWhileWriting } from '../support/paging-while-writing.js'
import { until } from '../support/until.js'

/** The error of a command for a connection that has ended meanwhile. */
const NO_SUCH_THREAD = 1094

async function opened(): Promise<AnyDatabase> {
  const db = await openMysql()
  for (const statement of orderTables('mysql')) await sql.raw(statement).execute(db)
  return db
}

const databases: AnyDatabase[] = []
afterAll(async () => {
  for (const db of databases) await db.destroy()
})

const watched = {
  kind: 'mysql',
  canStop: true,
  open: async () => {
    const own = await opened()
    databases.push(own)
    return { own, other: own }
  },
  transactions: async (other: AnyDatabase): Promise<number> => {
    // InnoDB refreshes the table of transactions only when it was not read for 100 ms.
    await sql`do sleep(0.15)`.execute(other)
    const { rows } = await sql<{ n: bigint }>`select count(*) as n from information_schema.innodb_trx
      join information_schema.processlist on id = trx_mysql_thread_id
      where db = database() and id <> connection_id()`.execute(other)
    return Number(rows[0]?.n)
  },
} as const

describeAbandonedChanges(watched)
describeHungHooks(watched)

describePagingWhileWriting('MySQL', async (things) => {
  const db = await openMysql()
  databases.push(db)
  return openThings(db, 'mysql', things)
})

describe('A connection of MySQL that is killed', () => {
  let db: AnyDatabase
  let service: SqlServer

  beforeAll(async () => {
    db = await opened()
    databases.push(db)
    service = await SqlServer.start(orderModel, db)
  })

  afterAll(() => service.stop())

  /** All but the one that asks. @param busy only those that run a statement */
  async function kill(busy: boolean): Promise<number> {
    return db.connection().execute(async (own) => {
      const { rows } = await sql<{ id: bigint }>`select id from information_schema.processlist
        where db = database() and id <> connection_id() and (${sql.lit(busy ? 1 : 0)} = 0 or command = 'Query')`.execute(
        own,
      )
      for (const { id } of rows) {
        await sql
          .raw(`kill ${String(id)}`)
          .execute(own)
          .catch((error: unknown) => {
            if ((error as { readonly errno?: unknown }).errno !== NO_SUCH_THREAD) throw error
          })
      }
      return rows.length
    })
  }

  it('MUST roll back the pending change set, respond with 503 and Retry-After, and not affect other requests', async () => {
    const transaction = await db.startTransaction().execute()
    await sql`update \`Orders\` set \`Value\` = 9 where \`ID\` = 1`.execute(transaction)
    const body = JSON.stringify({ Value: 5 })
    const response = service.server.send('/s/Orders(1)', {
      method: 'MERGE',
      headers: { 'Content-Type': 'application/json', 'If-Match': '*' },
      body,
    })
    await until(async () => (await kill(true)) > 0)
    const { status, headers, text } = await response
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    expect(text).toContain('The database cannot be reached at the moment.')
    expect(text).not.toMatch(/kill|connection|update|lost/i)
    await transaction.rollback().execute()
    expect((await service.send('GET', 'Orders(1)')).json).toMatchObject({ Value: 0 })
  })

  it('MUST be noticed between requests', async () => {
    await Promise.all([1, 2, 1, 2].map((ID) => service.send('GET', `Orders(${ID})`)))
    for (let round = 0; round < 5; round++) {
      await kill(false)
      const responses = await Promise.all([1, 2, 1].map((ID) => service.send('GET', `Orders(${ID})`)))
      for (const { status } of responses) expect([200, 503]).toContain(status)
    }
    const change = (): Promise<SqlResponse> =>
      service.send('MERGE', 'Orders(2)', { Value: 1 }, { 'If-Match': '*' })
    await until(async () => (await change()).status === 204)
  })
})

describe('A statement for which the database has a limit of time', () => {
  let unlimited: AnyDatabase
  let limit: readonly [variable: string, value: number]
  let service: SqlServer

  beforeAll(async () => {
    unlimited = await opened()
    databases.push(unlimited)
    // In seconds, or in milliseconds.
    limit = (await isMariaDb(unlimited)) ? ['max_statement_time', 1] : ['max_execution_time', 1000]
    await sql`set global ${sql.raw(limit[0])} = ${sql.lit(limit[1])}`.execute(unlimited)
    const db = await opened()
    databases.push(db)
    await sql`rename table \`Orders\` to \`Stored\``.execute(db)
    await sql`create view \`Orders\` as select * from \`Stored\` where \`ID\` = 1 or sleep(3600) = 0`.execute(
      db,
    )
    service = await SqlServer.start(orderModel, db)
  })

  afterAll(async () => {
    await sql`set global ${sql.raw(limit[0])} = 0`.execute(unlimited)
    await service.stop()
  })

  it('MUST get 503, and not affect other requests', async () => {
    const { status, text } = await service.server.send('/s/Orders')
    expect(text).toContain('The database query timed out.')
    expect(status).toBe(503)
    expect((await service.send('GET', 'Items')).status).toBe(200)
  })
})

describe('A read of MySQL whose client disconnects', () => {
  let db: AnyDatabase
  let service: SqlServer

  beforeAll(async () => {
    db = await opened()
    databases.push(db)
    await sql`rename table \`Orders\` to \`Stored\``.execute(db)
    await sql`create view \`Orders\` as select * from \`Stored\` where \`ID\` = 1 or sleep(3600) = 0`.execute(
      db,
    )
    service = await SqlServer.start(orderModel, db)
  })

  afterAll(() => service.stop())

  async function sleeping(): Promise<readonly unknown[]> {
    const { rows } = await sql<{ id: unknown }>`select id from information_schema.processlist
      where db = database() and state = 'User sleep'`.execute(db)
    return rows.map(({ id }) => id)
  }

  it('MUST be cancelled, and its connection serves the next requests', async () => {
    const isSleeping = until(async () => (await sleeping()).length === 1)
    await sendAndDisconnect(service.server, '/s/Orders', isSleeping)
    await until(async () => (await sleeping()).length === 0)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await service.send('GET', 'Items')).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('MUST be found only by its connection and its text', async () => {
    const left = sql`select sleep(3600) as ${sql.ref("it's")}, ${'?'} as v`.execute(db).catch(() => undefined)
    await until(async () => (await sleeping()).length === 1)
    const [id] = await sleeping()
    const isFound = async (session: unknown, text: string): Promise<boolean> => {
      const find = required(mysqlSessions.isRunning?.(session, [text]))
      const { text: found, parameters } = statementOf(find, () => '?')
      return (await db.executeQuery(CompiledQuery.raw(found, [...parameters]))).rows.length > 0
    }
    const text = "select sleep(3600) as `it's`, ? as v"
    expect(await isFound(id, text)).toBe(true)
    expect(await isFound(id, text.replace('3600', '3601'))).toBe(false)
    expect(await isFound(Number(id) + 1000, text)).toBe(false)
    await sql.raw(`kill query ${String(id)}`).execute(db)
    await left
  })
})

describe('An insert of MySQL that no connection is free to cancel', () => {
  it('MUST not delay the response, and no later statement of its connection is cancelled', async () => {
    const mysql = await MysqlProxy.start()
    for (const statement of orderTables('mysql')) await sql.raw(statement).execute(mysql.db)
    const pool = createPool(mysql.poolOptions({ connectionLimit: 1 }))
    const own: AnyDatabase = new Kysely({ dialect: new MysqlDialect({ pool }) })
    const service = await SqlServer.start(orderModel, own, { limits: { requestTime: 300 } })
    const unlimited = await SqlServer.start(orderModel, own, { limits: { requestTime: 0 } })
    const insert = async (to: SqlServer, ID: number): Promise<number> =>
      (await to.send('POST', 'Items', { ID, OrderID: 1, Name: 'own' })).status
    const transaction = await mysql.db.startTransaction().execute()
    await sql`insert into \`Items\` values (2, 1, 'other')`.execute(transaction)
    expect(await insert(service, 2)).toBe(503)
    const next = Promise.all([3, 4, 5].map((ID) => insert(unlimited, ID)))
    await transaction.rollback().execute()
    expect(await next).toEqual([201, 201, 201])
    await service.stop()
    await unlimited.stop()
    await own.destroy()
    await mysql.stop()
  })
})
