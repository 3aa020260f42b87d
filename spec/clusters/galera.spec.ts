import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { health, printModel } from '../../lib/index.js'
import { openDatabase, sqlProvider } from '../../lib/sql.js'
import type { HookCall } from '../../lib/provider/hooks.js'
import { change, changeSetModel, changeSetTables } from '../support/sql/change-set-model.js'
import { ChangeSetService, statuses } from '../support/sql/change-set-services.js'
import type { SqlResponse } from '../support/sql/databases.js'
import { SqlServer } from '../support/sql/databases.js'
import type { GaleraCluster } from '../support/sql/galera.js'
import { startGalera } from '../support/sql/galera.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { orderModel, orderTables } from '../support/sql/order-model.js'
import { required } from '../../lib/util/required.js'
import { until } from '../support/until.js'

let cluster: GaleraCluster
let shelves: readonly [AnyDatabase, AnyDatabase]
let services: readonly SqlServer[] = []

function serviceOf(node: 0 | 1): SqlServer {
  return required(services[node])
}

beforeAll(async () => {
  cluster = await startGalera()
  const [first, second] = cluster.nodes
  for (const statement of [...orderTables('mysql'), 'create database shelves'])
    await sql.raw(statement).execute(first)
  shelves = [cluster.open(0, 'shelves'), cluster.open(1, 'shelves')]
  for (const statement of changeSetTables('mysql')) await sql.raw(statement).execute(shelves[0])
  await sql`insert into \`Shelves\` values (1, 'old'), (2, 'old')`.execute(shelves[0])
  services = [await SqlServer.start(orderModel, first), await SqlServer.start(orderModel, second)]
})

afterAll(async () => {
  for (const service of services) await service.stop()
  await cluster.stop()
})

/** The value and the version that all nodes have in the end. */
async function order(ID: number): Promise<unknown> {
  const all = cluster.nodes.map(async (db) => {
    const { rows } = await db.connection().execute(async (connection) => {
      await sql`set session wsrep_sync_wait = 1`.execute(connection)
      return sql<Record<string, number>>`select * from \`Orders\` where \`ID\` = ${ID}`.execute(connection)
    })
    return rows[0]
  })
  const [one, other] = await Promise.all(all)
  expect(other).toEqual(one)
  return one
}

/** The names of shelves, as the first node has them. */
async function names(): Promise<readonly string[]> {
  const { rows } = await sql<{ Name: string }>`select \`Name\` from \`Shelves\` order by \`ID\``.execute(
    shelves[0],
  )
  return rows.map(({ Name }) => Name)
}

/** Sends a change to both nodes at the same time, and returns the statuses in ascending order. */
async function onBoth(send: (service: SqlServer, node: number) => Promise<SqlResponse>): Promise<number[]> {
  const responses = await Promise.all(services.map(send))
  return responses.map(({ status }) => status).sort((a, b) => a - b)
}

describe('Changes of the same entity on two nodes of a Galera cluster', () => {
  it('MUST succeed once per ETag, and get 412 on the other node', async () => {
    for (let round = 1; round <= 10; round++) {
      const { Version } = (await order(1)) as { readonly Version: number }
      const match = { 'If-Match': `W/"${String(Version)}"` }
      const outcome = await onBoth((service, node) =>
        service.send('MERGE', 'Orders(1)', { Value: node, Version: Version + 1 }, match),
      )
      expect(outcome).toEqual([204, 412])
      expect(await order(1)).toMatchObject({ Version: Version + 1 })
    }
  })

  it('MUST be retried when the other node has won, although the database reports it at the commit', async () => {
    for (let round = 0; round < 10; round++) {
      const outcome = await onBoth((service, node) =>
        service.send('MERGE', 'Orders(2)', { Value: 10 * round + node }, { 'If-Match': '*' }),
      )
      expect(outcome).toEqual([204, 204])
    }
  })

  it('MUST get 201 and 409 for inserts of one key', async () => {
    for (let ID = 1; ID <= 10; ID++) {
      const outcome = await onBoth((service) => service.send('POST', 'Items', { ID, OrderID: 1, Name: 'a' }))
      expect(outcome).toEqual([201, 409])
    }
  })
})

describe('A change set on Galera whose transaction another node ends', () => {
  /** A hook between two changes that loses the first of them to the other node, and ignores the error. */
  async function send(loses: (attempt: number) => boolean): Promise<unknown> {
    const [first, second] = shelves
    const provider = sqlProvider(changeSetModel, first)
    let attempts = 0
    const beforeUpdate = async (_: unknown, { ID }: { ID?: unknown }, call: HookCall): Promise<void> => {
      if (ID !== 2 || !loses(++attempts)) return
      const connection: AnyDatabase = provider.connectionOf(call)
      await sql`update \`Shelves\` set \`Name\` = ${`other${String(attempts)}`} where \`ID\` = 1`.execute(
        second,
      )
      let isLost = false
      await until(async () => {
        await sql`select 1 from \`Shelves\``.execute(connection).catch(() => {
          isLost = true
        })
        return isLost
      })
    }
    const service = await ChangeSetService.of(provider, {
      hooks: { Shelves: { beforeUpdate } },
      onError: () => undefined,
    })
    const responses = await service.send(
      change('MERGE', 'Shelves(1)', { Name: 'new' }),
      change('MERGE', 'Shelves(2)', { Name: 'new' }),
    )
    await service.stop()
    return statuses(responses)
  }

  it('MUST be rolled back and respond with 503 while that continues, although a hook ignores the error', async () => {
    expect(await send(() => true)).toEqual([503])
    expect(await names()).toEqual([expect.stringContaining('other'), 'old'])
  })

  it('MUST be retried as a whole', async () => {
    expect(await send((attempt) => attempt === 1)).toEqual([[204, 204]])
    expect(await names()).toEqual(['new', 'new'])
  })
})

describe('A read on a node of Galera after a change on another', () => {
  it('MUST see the change if the connections set wsrep_sync_wait', async () => {
    const pool = createPool({ uri: cluster.urlOf(1, 'test') })
    pool.on('connection', (connection) => connection.query('set session wsrep_sync_wait = 1'))
    const db: AnyDatabase = new Kysely({ dialect: new MysqlDialect({ pool }) })
    const reading = await SqlServer.start(orderModel, db)
    for (let Value = 1; Value <= 30; Value++) {
      const { status } = await serviceOf(0).send('MERGE', 'Orders(2)', { Value }, { 'If-Match': '*' })
      expect(status).toBe(204)
      expect((await reading.send('GET', 'Orders(2)')).json).toMatchObject({ Value })
    }
    await reading.stop()
    await db.destroy()
  })
})

describe('A node of Galera without quorum', () => {
  afterEach(() => cluster.rejoin())

  const expectAway = (response: SqlResponse, retryAfter: string | undefined): void => {
    expect(response.text).toContain('The database cannot be reached at the moment.')
    expect([response.status, retryAfter]).toEqual([503, '5'])
  }
  const send = async (method: string, path: string, json?: object): Promise<void> => {
    const { status, headers, text } = await serviceOf(1).server.send(`/s/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(method === 'POST' ? {} : { 'If-Match': '*' }) },
      ...(json && { body: JSON.stringify(json) }),
    })
    expectAway({ status, text, etag: undefined, json: {} }, headers['retry-after'])
  }

  it('MUST respond with 503 and Retry-After to reads and changes, report its health, be opened or name the reason, and recover', async () => {
    const probe = health(sqlProvider(orderModel, cluster.nodes[1]), { timeout: 60_000 })
    expect(await probe.status()).toBe('ready')
    await cluster.isolate()
    await send('GET', 'Orders')
    await send('GET', 'Orders(1)')
    await send('POST', 'Items', { ID: 100, OrderID: 1, Name: 'a' })
    await send('MERGE', 'Orders(1)', { Value: 7 })
    await send('DELETE', 'Orders(1)')
    expect(await probe.status()).toBe('unavailable')
    expect((await serviceOf(0).send('GET', 'Orders(1)')).status).toBe(200)
    const opened = await openDatabase(cluster.urlOf(1, 'test')).catch((error: unknown) => String(error))
    if (typeof opened === 'string') expect(opened).toContain('WSREP has not yet prepared node')
    else {
      expect(printModel(opened.model)).toContain('Orders')
      await opened.close()
    }
    await cluster.rejoin()
    expect((await serviceOf(1).send('GET', 'Orders(1)')).status).toBe(200)
    expect(await probe.status()).toBe('ready')
    expect((await serviceOf(1).send('GET', 'Items(100)')).status).toBe(404)
  })

  it('MUST not report an unknown outcome for a commit that waits for the quorum in vain', async () => {
    const [, second] = shelves
    const provider = sqlProvider(changeSetModel, second)
    const beforeUpdate = (): Promise<void> => cluster.isolate()
    const service = await ChangeSetService.of(provider, {
      hooks: { Shelves: { beforeUpdate } },
      onError: () => undefined,
    })
    const [response] = await service.send(change('MERGE', 'Shelves(2)', { Name: 'lost' }))
    expect(response).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: expect.stringContaining('The database cannot be reached at the moment.'),
    })
    await service.stop()
  })

  it('MUST not store a part of a change set that it refuses to roll back', async () => {
    const provider = sqlProvider(changeSetModel, cluster.open(1, 'shelves', 1))
    const beforeUpdate = async (_: unknown, { ID }: { ID?: unknown }): Promise<void> => {
      if (ID === 2) await cluster.isolate()
    }
    const service = await ChangeSetService.of(provider, {
      hooks: { Shelves: { beforeUpdate } },
      onError: () => undefined,
    })
    const responses = await service.send(
      change('MERGE', 'Shelves(1)', { Name: 'half' }),
      change('MERGE', 'Shelves(2)', { Name: 'half' }),
    )
    expect(statuses(responses)).toEqual([503])
    await cluster.rejoin()
    const later = await service.send(change('POST', 'Shelves', { ID: 3, Name: 'later' }))
    expect(statuses(later)).toEqual([[201]])
    await until(async () => (await names()).length === 3)
    expect(await names()).toEqual(['new', 'new', 'later'])
    await service.stop()
  })
})

describe('A change on Galera after another node was killed', () => {
  it('MUST wait until the cluster has noticed, and succeed', async () => {
    cluster.kill()
    const { status } = await serviceOf(0).send('MERGE', 'Orders(1)', { Value: 99 }, { 'If-Match': '*' })
    expect(status).toBe(204)
    expect((await serviceOf(0).send('GET', 'Orders(1)')).json).toMatchObject({ Value: 99 })
    const { status: lost } = await serviceOf(1).send('GET', 'Orders(1)')
    expect(lost).toBe(503)
  })
})
