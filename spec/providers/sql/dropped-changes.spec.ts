import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import { batchBody, responsesIn, statusesOf, written } from '../../support/batch-exchange.js'
import { describeDatabases, SqlServer } from '../../support/sql/databases.js'

/** Triggers that drop changes of items with the names `skip` and `keep`, and views. */
const sqlite = [
  'create table log (id integer primary key, event text)',
  'create table items (id mediumint primary key, name text, note text)',
  `create trigger dropped_inserts before insert on items when new.name = 'skip' begin
     insert into log (event) values ('insert'); select raise(ignore); end`,
  `create trigger dropped_updates before update on items when new.name = 'skip' begin
     insert into log (event) values ('update'); select raise /* or fail */ (ignore); end`,
  `create trigger dropped_deletes before delete on items when old.name = 'keep' begin
     insert into log (event) values ('delete'); select raise(ignore); end`,
  `create trigger moved after insert on items when new.name = 'move' begin delete from items where id = new.id; end`,
  'create table soft_items (id mediumint primary key, gone mediumint not null default 0)',
  `create trigger marked before delete on soft_items begin
     update soft_items set gone = 1 where id = old.id; select raise(ignore); end`,
  "create view open_items as select id, name from items where name <> 'closed'",
  `create trigger open_inserts instead of insert on open_items begin
     insert into items (id, name) values (new.id, new.name || '!'); end`,
  `create trigger open_updates instead of update on open_items when new.name <> 'none' begin
     update items set name = new.name where id = old.id; end`,
  `create trigger open_deletes instead of delete on open_items when old.name <> 'keep' begin
     delete from items where id = old.id; end`,
]

const functionOf = (name: string, body: string): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$`

const postgres = [
  'create table log (id serial primary key, event text)',
  'create table items (id integer primary key, name text, note text)',
  functionOf(
    'drop_some',
    `if new.name = 'skip' or tg_op = 'DELETE' and old.name = 'keep' then
       insert into log (event) values (tg_op); return null; end if;
     if tg_op = 'DELETE' then return old; end if;
     return new;`,
  ),
  'create trigger dropped before insert or update or delete on items for each row execute function drop_some()',
  functionOf('move', "if new.name = 'move' then delete from items where id = new.id; end if; return null;"),
  'create trigger moved after insert on items for each row execute function move()',
  'create table soft_items (id integer primary key, gone integer not null default 0)',
  functionOf('mark', 'update soft_items set gone = 1 where id = old.id; return new;'),
  'create trigger marked before delete on soft_items for each row execute function mark()',
  "create view open_items as select id, name from items where name <> 'closed'",
  functionOf(
    'change_open',
    `if tg_op = 'INSERT' then insert into items (id, name) values (new.id, new.name || '!'); return new; end if;
     if tg_op = 'UPDATE' then
       if new.name <> 'none' then update items set name = new.name where id = old.id; end if; return new; end if;
     if old.name <> 'keep' then delete from items where id = old.id; end if; return old;`,
  ),
  `create trigger changed_open instead of insert or update or delete on open_items
     for each row execute function change_open()`,
]

const notAllowed = [400, 'The database does not allow this value.']
const forbidden = [403, 'The database does not allow this change.']

describeDatabases(({ kind, open }) => {
  describe('A change that a trigger drops without an error', () => {
    let server: SqlServer

    beforeAll(async () => {
      const db = await open(kind === 'sqlite' ? sqlite : postgres)
      server = await SqlServer.start(await introspect(db, { keys: { open_items: ['id'] } }), db)
      for (const [Id, Name] of [
        [1, 'one'],
        [2, 'keep'],
      ])
        await server.send('POST', 'Items', { Id, Name })
    })

    afterAll(() => server.stop())

    const all = async (set: string): Promise<unknown> => {
      const { results } = (await server.send('GET', set)).json as { results: Record<string, unknown>[] }
      return results.map(({ __metadata: _, ...rest }) => rest)
    }

    it('MUST be 400 or 403, and leave no changes of other rows', async () => {
      expect(await server.refusal('POST', 'Items', { Id: 3, Name: 'skip' })).toEqual(notAllowed)
      expect(await server.refusal('MERGE', 'Items(1)', { Name: 'skip' })).toEqual(notAllowed)
      expect(await server.refusal('PUT', 'Items(1)', { Name: 'skip' })).toEqual(notAllowed)
      expect(await server.refusal('DELETE', 'Items(2)')).toEqual(forbidden)
      expect(await all('Logs')).toEqual([])
      expect(await all('Items')).toEqual([
        { Id: 1, Name: 'one', Note: null },
        { Id: 2, Name: 'keep', Note: null },
      ])
    })

    it('MUST fail its change set', async () => {
      const add = written('POST Items', JSON.stringify({ Id: 4, Name: 'four' }))
      const body = batchBody([add, written('DELETE Items(2)')])
      const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
      const response = await server.server.send('/s/$batch', { method: 'POST', headers, body })
      expect(statusesOf(responsesIn({ headers: response.headers, text: response.text } as never))).toEqual([
        403,
      ])
      expect((await server.send('GET', 'Items(4)')).status).toBe(404)
    })

    it('MUST be 400 if the inserted entity does not exist afterwards', async () => {
      expect(await server.refusal('POST', 'Items', { Id: 5, Name: 'move' })).toEqual(notAllowed)
      expect(await server.refusal('POST', 'Items', { Id: 5, Name: 'move' })).toEqual(notAllowed)
    })

    it('MUST succeed if the trigger marks the entity as deleted instead', async () => {
      await server.send('POST', 'SoftItems', { Id: 1 })
      expect((await server.send('DELETE', 'SoftItems(1)')).status).toBe(204)
      expect(await all('SoftItems')).toEqual([{ Id: 1, Gone: 1 }])
    })

    it('MUST succeed if the column of the mark is not in the model', async () => {
      const entityTypes = { SoftItem: { key: ['Id'], properties: { Id: edm.Int32({ nullable: false }) } } }
      const entityContainer = { entitySets: { SoftItems: { entityType: 'SoftItem' } } }
      const db = await open([
        ...(kind === 'sqlite' ? sqlite : postgres),
        'insert into soft_items (id) values (2)',
      ])
      const other = await SqlServer.start(defineModel({ namespace: 'M', entityTypes, entityContainer }), db)
      expect((await other.send('DELETE', 'SoftItems(2)')).status).toBe(204)
      expect(await sql`select gone from soft_items`.execute(db)).toMatchObject({ rows: [{ gone: 1 }] })
      await other.stop()
    })

    it('MUST be rejected in views too, which respond with the stored entity', async () => {
      const created = await server.send('POST', 'OpenItems', { Id: 6, Name: 'six' })
      expect([created.status, created.json]).toEqual([201, expect.objectContaining({ Id: 6, Name: 'six!' })])
      expect(await server.refusal('MERGE', 'OpenItems(6)', { Name: 'none' })).toEqual(notAllowed)
      expect(await server.refusal('DELETE', 'OpenItems(2)')).toEqual(forbidden)
      expect((await server.send('MERGE', 'OpenItems(6)', { Name: 'six!' })).status).toBe(204)
      expect((await server.send('MERGE', 'OpenItems(6)', { Name: 'closed' })).status).toBe(204)
      expect((await server.send('GET', 'OpenItems(6)')).status).toBe(404)
      expect((await server.send('DELETE', 'OpenItems(1)')).status).toBe(204)
    })
  })

  if (kind === 'sqlite') return

  it('MUST succeed if a trigger drops an update that changes nothing', async () => {
    const db = await open([
      'create table notes (id integer primary key, note text, size numeric(5, 2))',
      "insert into notes values (1, 'a', 1.5)",
      `create trigger redundant before update on notes for each row
         execute function suppress_redundant_updates_trigger()`,
    ])
    const server = await SqlServer.start(await introspect(db), db)
    expect((await server.send('MERGE', 'Notes(1)', { Note: 'a', Size: '1.50' })).status).toBe(204)
    expect((await server.send('MERGE', 'Notes(1)', { Note: 'b' })).status).toBe(204)
    expect((await server.send('GET', 'Notes(1)')).json).toMatchObject({ Note: 'b' })
    await server.stop()
  })

  it('MUST respond with rows as triggers and rules of the tables below a view have stored them', async () => {
    const db = await open([
      'create table notes (id integer primary key, note text)',
      'create view notes_view as select id, note from notes',
      'create view outer_notes as select id, note from notes_view',
      'create function shout() returns trigger language plpgsql as $$ begin update notes set note = upper(note) where id = new.id and note <> upper(note); return null; end $$',
      'create trigger shout after insert or update on notes for each row execute function shout()',
      'create table ruled (id integer primary key, note text)',
      'create rule shout as on insert to ruled do also update ruled set note = upper(note) where id = new.id',
    ])
    const server = await SqlServer.start(await introspect(db, { keys: { outer_notes: ['id'] } }), db)
    expect((await server.send('POST', 'OuterNotes', { Id: 1, Note: 'a' })).json).toMatchObject({ Note: 'A' })
    expect((await server.send('POST', 'Ruleds', { Id: 1, Note: 'a' })).json).toMatchObject({ Note: 'A' })
    await server.stop()
  })
})
