import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import { defineModel, edm, writeEdmx } from '../../../lib/index.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

describe('Views of SQLite', () => {
  const database = new SQLite(':memory:')
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
  let server: SqlServer
  let metadata = ''

  beforeAll(async () => {
    database.exec(`
      create table orders (id integer primary key, note text, state text not null default 'new');
      create view Parcels as select id, note || '!' as shown, state from orders;
      create trigger "instead of delete" /* all columns */ instead of insert on parcels begin
        insert into orders (id, note) values (new.id, new.shown);
      end;
      create trigger parcel_changes instead of update on parcels begin
        update orders set note = rtrim(new.shown, '!') where id = old.id;
      end;
      create trigger parcel_ends instead of delete on PARCELS begin delete from orders where id = old.id; end;
      create view pairs as select id, state, note from orders;
      create trigger pair_notes instead of update of note on pairs begin
        update orders set note = new.note where id = old.id;
      end;
      create view labels as select id, note as "the ""note""", state, id * 2 as twice from orders;
      create trigger label_notes instead of update of /* a, b */ "THE ""note""" , [state]
        on labels begin update orders set note = new."the ""note""", state = new.state where id = old.id; end;
      create trigger label_twice instead of update of twice on labels begin select 1; end;
      create view totals as select state, count(*) as orders from orders group by state`)
    const model = await introspect(db, {
      keys: { labels: ['id'], Parcels: ['id'], pairs: ['id', 'state'], totals: ['state'] },
    })
    metadata = writeEdmx(model)
    server = await SqlServer.start(model, db)
  })

  beforeEach(() => {
    database.exec("delete from orders; insert into orders values (1, 'a', 'new'), (2, 'b', 'new')")
  })

  afterAll(async () => {
    await server.stop()
    database.close()
  })

  const tagOf = (name: string): string =>
    new RegExp(`<EntitySet Name="${name}"[^>]*>`).exec(metadata)?.[0] ?? ''
  const fixed = (type: string): string[] => {
    const [, body = ''] = new RegExp(`<EntityType Name="${type}">(.*?)</EntityType>`).exec(metadata) ?? []
    return [...body.matchAll(/Name="(\w+)"[^>]* sap:updatable="false"/g)].map(([, name]) => String(name))
  }

  it('MUST be announced as changeable by the events of their triggers', () => {
    expect(tagOf('Parcels')).not.toContain('sap:')
    expect(tagOf('Pairs')).toContain('sap:creatable="false" sap:deletable="false"')
    expect(tagOf('Totals')).toContain('sap:creatable="false" sap:updatable="false" sap:deletable="false"')
  })

  it('MUST be changed through triggers, and respond with the rows that they have stored', async () => {
    const created = await server.send('POST', 'Parcels', { Id: '7', Shown: 'x' })
    expect([created.status, created.json]).toEqual([
      201,
      expect.objectContaining({ Shown: 'x!', State: 'new' }),
    ])
    expect((await server.send('POST', 'Parcels', { Shown: 'y' })).json).toMatchObject({ Id: '8' })
    expect((await server.send('MERGE', 'Parcels(7L)', { Shown: 'z!' })).status).toBe(204)
    expect((await server.send('GET', 'Parcels(7L)')).json).toMatchObject({ Shown: 'z!' })
    expect((await server.send('MERGE', 'Parcels(99L)', { Shown: 'z!' })).status).toBe(404)
    expect((await server.send('DELETE', 'Parcels(7L)')).status).toBe(204)
    expect((await server.send('DELETE', 'Parcels(7L)')).status).toBe(404)
    expect(database.prepare('select id, note from orders').all()).toEqual([
      { id: 1, note: 'a' },
      { id: 2, note: 'b' },
      { id: 8, note: 'y' },
    ])
  })

  it('MUST reject existing keys without changing their rows', async () => {
    expect((await server.send('POST', 'Parcels', { Id: '1', Shown: 'other' })).status).toBe(409)
    expect(database.prepare('select note from orders where id = 1').get()).toEqual({ note: 'a' })
  })

  it('MUST be changed by keys of several columns', async () => {
    expect((await server.send('MERGE', "Pairs(Id=2L,State='new')", { Note: 'c' })).status).toBe(204)
    expect(database.prepare('select note from orders order by id').pluck().all()).toEqual(['a', 'c'])
  })

  it('MUST be announced as updatable only in the columns of their triggers', async () => {
    expect([fixed('Parcel'), fixed('Pair'), fixed('Label')]).toEqual([[], ['Id', 'State'], ['Id']])
    const label = 'Labels(2L)'
    expect((await server.send('MERGE', label, { TheNote: 'd', State: 'old' })).status).toBe(204)
    expect((await server.send('GET', label)).json).toMatchObject({ TheNote: 'd', State: 'old' })
    expect((await server.send('MERGE', "Pairs(Id=2L,State='old')", { Note: 'e' })).status).toBe(204)
  })

  it('MUST respond with 403 to changes without a trigger that the model allows', async () => {
    const own = await SqlServer.start(viewModel, db)
    const refused = [403, 'The database does not allow this change.']
    expect(await own.refusal('POST', 'totals', { state: 'x', orders: 1 })).toEqual(refused)
    expect(await own.refusal('DELETE', "totals('new')")).toEqual(refused)
    expect(await own.refusal('MERGE', 'pairs(2)', { state: 'x', note: 'y' })).toEqual([
      403,
      "The database does not allow changes of 'state'.",
    ])
    expect((await own.send('PUT', 'pairs(2)', { state: 'new', note: 'y' })).status).toBe(204)
    expect((await own.send('MERGE', 'pairs(2)', { note: 'f' })).status).toBe(204)
    await own.stop()
  })
})

const viewModel = defineModel({
  namespace: 'N',
  entityTypes: {
    Total: { key: ['state'], properties: { state: edm.String(), orders: edm.Int32() } },
    Pair: { key: ['id'], properties: { id: edm.Int32(), state: edm.String(), note: edm.String() } },
  },
  entityContainer: { entitySets: { totals: { entityType: 'Total' }, pairs: { entityType: 'Pair' } } },
})
