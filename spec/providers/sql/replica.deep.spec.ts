import { sql } from 'kysely'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { defineModel, edm } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { LiveServer } from '../../support/live-server.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { createTables } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

/** A hot standby that can be held up, so that it lags behind for as long as the spec wants. */
describe('reading from a replica', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let db: AnyDatabase
  let replica: AnyDatabase
  let live: LiveServer

  beforeAll(async () => {
    primary = await PostgresServer.start()
    const name = await primary.newDatabase()
    db = primary.connect(name)
    await createTables(db, alikeModel(), 'postgres')
    await sql`insert into "Categories" ("ID", "Name") values (1, 'first')`.execute(db)
    standby = await primary.standby()
    replica = standby.connect(name)
    const provider = sqlProvider<EdmModel>(alikeModel() as EdmModel<EdmModel>, db, { replica })
    await provider.ready()
    live = await LiveServer.start()
    live.mount('shop', odataV2(alikeModel(), provider, { onError: () => undefined }))
  })

  afterAll(async () => {
    await live.close()
    await standby.stop()
    await primary.stop()
  })

  const send = async (method: string, path: string, body?: object): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${String(live.port)}/shop${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.text()
    return response.status
  }

  const statusOf = (path: string): Promise<number> => send('GET', path)

  const caughtUp = async (path: string): Promise<number> => {
    await until(async () => (await statusOf(path)) !== 404)
    return statusOf(path)
  }

  const replayState = async (): Promise<string | undefined> => {
    const { rows } = await sql<{ state: string }>`select pg_get_wal_replay_pause_state() as state`.execute(
      replica,
    )
    return rows[0]?.state
  }

  /** Does something while the standby sees no changes. */
  const heldUp = async (work: () => Promise<void>): Promise<void> => {
    await sql`select pg_wal_replay_pause()`.execute(replica)
    await until(async () => (await replayState()) === 'paused')
    try {
      await work()
    } finally {
      await sql`select pg_wal_replay_resume()`.execute(replica)
    }
  }

  it('MUST read from the replica outside of changes', async () => {
    expect(await statusOf('/Categories(1)')).toBe(200)
    await heldUp(async () => {
      expect(await send('POST', '/Categories', { ID: 2, Name: 'second' })).toBe(201)
      // Not there yet.
      expect(await statusOf('/Categories(2)')).toBe(404)
      expect(await statusOf("/Categories?$filter=Name%20eq%20'second'")).toBe(200)
    })
    expect(await caughtUp('/Categories(2)')).toBe(200)
  })

  it('MUST see earlier changes of other clients during a change', async () => {
    await heldUp(async () => {
      expect(await send('POST', '/Categories', { ID: 3, Name: 'third' })).toBe(201)
      expect(await send('MERGE', '/Categories(3)', { Note: 'changed' })).toBe(204)
      expect(await send('POST', '/Categories(3)/Products', { ID: 31, Name: 'cheese' })).toBe(201)
      expect(await send('MERGE', '/Products(31)/Category', { Rank: 7 })).toBe(204)
      expect(await send('DELETE', '/Products(31)')).toBe(204)
    })
    expect(await caughtUp('/Categories(3)?$filter=Rank%20eq%207')).toBe(200)
  })

  it('MUST read from the primary database when a change that arrives cancels the read', async () => {
    await sql`create table slow_rows (id integer primary key)`.execute(db)
    await sql`insert into slow_rows values (1)`.execute(db)
    // The read is still running when the change arrives.
    await sql`create view slow as select id, pg_sleep(1)::text as pause from slow_rows`.execute(db)
    await sql`alter system set max_standby_streaming_delay = 0`.execute(replica)
    await sql`select pg_reload_conf()`.execute(replica)
    const model = defineModel({
      namespace: 'S',
      entityTypes: {
        Row: { key: ['id'], properties: { id: edm.Int32(), pause: edm.String({ nullable: true }) } },
      },
      entityContainer: { entitySets: { slow: { entityType: 'Row' } } },
    }) as EdmModel
    const provider = sqlProvider<EdmModel>(model as EdmModel<EdmModel>, db, { replica })
    await provider.ready()
    live.mount('slow', odataV2(model, provider, { onError: () => undefined }))
    const running = async (): Promise<boolean> => {
      const { rows } =
        await sql`select 1 from pg_stat_activity where query like '%"pause"%' and state = 'active'
        and pid <> pg_backend_pid()`.execute(replica)
      return rows.length > 0
    }
    await until(async () => (await live.get('/slow/slow?$format=json')).status === 200)
    const response = live.get('/slow/slow?$format=json')
    await until(running)
    await sql`alter table slow_rows add column note text`.execute(db)
    expect((await response).status).toBe(200)
  })

  it('MUST see earlier changes of the same change set', async () => {
    const part = (method: string, path: string, id: string, body: object): string =>
      [
        '--changes',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        `Content-ID: ${id}`,
        '',
        `${method} ${path} HTTP/1.1`,
        'Content-Type: application/json',
        'Accept: application/json',
        '',
        JSON.stringify(body),
        '',
      ].join('\r\n')
    const body = [
      '--batch',
      'Content-Type: multipart/mixed; boundary=changes',
      '',
      part('POST', 'Categories', '1', { ID: 4, Name: 'fourth' }),
      part('MERGE', '$1', '2', { Note: 'seen' }),
      part('POST', '$1/Products', '3', { ID: 41, Name: 'wine' }),
      '--changes--',
      '--batch--',
      '',
    ].join('\r\n')
    await heldUp(async () => {
      const response = await fetch(`http://127.0.0.1:${String(live.port)}/shop/$batch`, {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/mixed; boundary=batch' },
        body,
      })
      const statuses = [...(await response.text()).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      expect(statuses).toEqual(['201', '204', '201'])
    })
    expect(await caughtUp("/Categories(4)?$filter=Note%20eq%20'seen'")).toBe(200)
  })
})
