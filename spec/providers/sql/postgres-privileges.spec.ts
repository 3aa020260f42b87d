import { Kysely, PostgresDialect, sql } from 'kysely'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import { defineModel, edm, writeEdmx } from '../../../lib/index.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { SqlServer } from '../../support/sql/databases.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const postgres = PostgresServer.shared()
const servers: SqlServer[] = []
const opened: AnyDatabase[] = []

afterAll(async () => {
  for (const one of servers) await one.stop()
  for (const db of opened) await db.destroy()
  await postgres.stop()
})

interface Started {
  readonly db: AnyDatabase
  readonly server: SqlServer
  readonly notices: readonly string[]
  readonly metadata: string
}

/** A service on new tables, as a user if one is named. */
async function start(statements: readonly string[], user?: string): Promise<Started> {
  const name = await postgres.newDatabase()
  const owner = postgres.connect(name)
  for (const statement of statements) await sql.raw(statement).execute(owner)
  let db = owner
  if (user !== undefined) {
    const pool = openPool({ connectionString: postgres.addressOf(name), options: `-c role=${user}` })
    db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    opened.push(db)
  }
  const views = statements.flatMap((one) => /^create view (\w+)/.exec(one)?.[1] ?? [])
  const notices: string[] = []
  const model = await introspect(db, {
    keys: Object.fromEntries(views.map((name) => [name, ['id']])),
    onNotice: (notice) => notices.push(notice),
  })
  const server = await SqlServer.start(model, db)
  servers.push(server)
  return { db, server, notices, metadata: writeEdmx(model) }
}

/** Returns the start tag of an element of the metadata document. */
function tagOf(metadata: string, element: string, name: string): string {
  return new RegExp(`<${element} Name="${name}"[^>]*>`).exec(metadata)?.[0] ?? ''
}

describe('Views of PostgreSQL', () => {
  let started: Started
  beforeAll(async () => {
    started = await start([
      `create table orders (id integer primary key, net numeric(10, 2), gross numeric generated always as (net * 2) stored,
        note text, seen integer not null default 0)`,
      'create view open_orders as select id, net, gross, upper(note) as loud, note from orders',
      'create view totals as select id, sum(net) as total from orders group by id',
      "create view parcels as select id, note || '!' as shown from orders",
      `create function route() returns trigger language plpgsql as $$ begin
        if tg_op = 'DELETE' then delete from orders where id = old.id; return old; end if;
        if tg_op = 'INSERT' then insert into orders (id, note) values (new.id, new.shown);
        else update orders set note = new.shown where id = new.id; end if;
        return new; end $$`,
      'create trigger routes instead of insert or update or delete on parcels for each row execute function route()',
      "create view notices as select id, note || '' as note from orders",
      'create rule adds as on insert to notices do instead insert into orders (id, note) values (new.id, new.note)',
      'create rule updates as on update to notices do instead update orders set note = new.note where id = old.id',
      'create rule deletes as on delete to notices do instead delete from orders where id = old.id',
      "create view memos as select id, note || '' as note from orders",
      'create rule adds as on insert to memos do instead insert into orders (id, note) values (new.id, new.note) returning id, note',
      'create rule updates as on update to memos do instead update orders set note = new.note where id = old.id returning id, note',
      'create foreign data wrapper unhandled',
      'create server remote foreign data wrapper unhandled',
      'create foreign table drafts (id integer) server remote',
      'create table archive (id integer primary key, note text)',
      'create rule moves as on insert to archive where new.id > 100 do instead nothing',
    ])
  })

  it('MUST be changed without their expressions and generated columns', async () => {
    const { server } = started
    const created = await server.send('POST', 'OpenOrders', { Id: 1, Net: '1.50', Note: 'a' })
    expect([created.status, created.json]).toEqual([
      201,
      expect.objectContaining({ Gross: '3.00', Loud: 'A' }),
    ])
    expect((await server.send('PUT', 'OpenOrders(1)', { Net: '2', Note: 'b' })).status).toBe(204)
    expect((await server.send('MERGE', 'OpenOrders(1)', { Note: 'c' })).status).toBe(204)
    expect((await server.send('GET', 'OpenOrders(1)')).json).toMatchObject({
      Net: '2.00',
      Gross: '4.00',
      Loud: 'C',
    })
    expect((await server.send('DELETE', 'OpenOrders(1)')).status).toBe(204)
  })

  it('MUST be announced as not changeable when the database cannot change them', async () => {
    const { metadata, server } = started
    expect(tagOf(metadata, 'EntitySet', 'Totals')).toContain(
      'sap:creatable="false" sap:updatable="false" sap:deletable="false"',
    )
    expect(tagOf(metadata, 'EntitySet', 'OpenOrders')).not.toContain('sap:')
    expect((await server.send('POST', 'Totals', { Id: 1 })).status).toBe(405)
  })

  it('MUST be served if a foreign table cannot even be described', () => {
    expect(started.notices).toContainEqual(expect.stringMatching(/^Skipped table 'drafts': it has no key/))
  })

  it('MUST be changed through rules that return the row', async () => {
    const { server, metadata } = started
    expect(tagOf(metadata, 'EntitySet', 'Memos')).not.toContain('sap:')
    expect((await server.send('POST', 'Memos', { Id: 20, Note: 'a' })).json).toMatchObject({ Note: 'a' })
    expect(await server.refusal('POST', 'Memos', { Id: 20, Note: 'a' })).toEqual([409, expect.any(String)])
    expect((await server.send('MERGE', 'Memos(20)', { Note: 'b' })).status).toBe(204)
    expect((await server.send('GET', 'Memos(20)')).json).toMatchObject({ Note: 'b' })
  })

  it('MUST announce that rules without `returning` prevent inserts and updates', async () => {
    const { server, metadata } = started
    const fixed = ' sap:creatable="false" sap:updatable="false"/?>'
    expect(tagOf(metadata, 'EntitySet', 'Notices')).toMatch(new RegExp(`"Database.Notice"${fixed}`))
    expect(tagOf(metadata, 'EntitySet', 'Archives')).toMatch(/"Database.Archive" sap:creatable="false"\/?>/)
    await server.send('POST', 'OpenOrders', { Id: 30 })
    expect((await server.send('DELETE', 'Notices(30)')).status).toBe(204)
    expect((await server.send('GET', 'Notices(30)')).status).toBe(404)
  })

  it('MUST be changed through triggers', async () => {
    const { server, metadata } = started
    expect(tagOf(metadata, 'EntitySet', 'Parcels')).not.toContain('sap:')
    expect((await server.send('POST', 'Parcels', { Id: 7, Shown: 'a' })).status).toBe(201)
    expect((await server.send('MERGE', 'Parcels(7)', { Shown: 'b' })).status).toBe(204)
    expect((await server.send('GET', 'Parcels(7)')).json).toMatchObject({ Shown: 'b!' })
    expect((await server.send('DELETE', 'Parcels(7)')).status).toBe(204)
  })
})

describe('A role of PostgreSQL', () => {
  const role = `clerk_${String(process.pid)}_${String(Date.now())}`
  let started: Started
  beforeAll(async () => {
    started = await start(
      [
        `create role ${role}`,
        'create table secrets (id integer primary key)',
        "create table people (id integer primary key, name text, salary integer, grade text not null default 'C')",
        'create table parts (a integer, b integer, c integer unique, primary key (a, b))',
        `grant select (a, c) on parts to ${role}`,
        'create table logs (id integer primary key, line text)',
        'create table reports (id integer primary key, line text)',
        'create table things (id integer primary key, name text, price integer)',
        `grant select, update (name) on things to ${role}`,
        "insert into things values (1, 'a', 4)",
        'create view lines as select distinct id, line from reports',
        `grant all on lines to ${role}`,
        'create table notes (id integer primary key, owner text)',
        `grant select (id, name, grade), insert (id, name), update (name, grade) on people to ${role}`,
        `grant select, insert on logs to ${role}`,
        `grant select on reports to ${role}`,
        `grant all on notes to ${role}`,
        'alter table notes enable row level security',
        "create policy own on notes using (true) with check (owner = 'me')",
        "insert into people values (1, 'Ada', 100, 'A')",
      ],
      role,
    )
  })

  it('MUST not see tables and columns that it may not read, with a notice for each', async () => {
    const { notices, metadata, server } = started
    expect(notices).toEqual([
      "Skipped 'b' of 'parts': the user of the connection may not read it.",
      "Skipped 'salary' of 'people': the user of the connection may not read it.",
      "Skipped 'secrets': the user of the connection may not read it.",
      expect.stringMatching(/^Skipped table 'parts': it has no key/),
    ])
    expect(metadata).not.toMatch(/Secret|Salary/)
    expect((await server.send('GET', 'People')).status).toBe(200)
    expect((await server.send('GET', "People?$filter=Grade%20eq%20'A'&$orderby=Name%20desc")).status).toBe(
      200,
    )
  })

  it('MUST see in annotations which changes it may not make', async () => {
    const { metadata, server } = started
    expect(tagOf(metadata, 'EntitySet', 'Logs')).toContain('sap:updatable="false" sap:deletable="false"')
    expect(tagOf(metadata, 'EntitySet', 'Logs')).not.toContain('creatable')
    expect(tagOf(metadata, 'EntitySet', 'Reports')).toContain(
      'sap:creatable="false" sap:updatable="false" sap:deletable="false"',
    )
    expect(tagOf(metadata, 'EntitySet', 'People')).toContain('sap:deletable="false"')
    expect(tagOf(metadata, 'Property', 'Grade')).toContain('sap:creatable="false"')
    expect((await server.send('POST', 'Logs', { Id: 1, Line: 'x' })).status).toBe(201)
    expect((await server.send('POST', 'People', { Id: 2, Name: 'Bob' })).json).toMatchObject({ Grade: 'C' })
    expect((await server.send('MERGE', 'People(2)', { Grade: 'B' })).status).toBe(204)
    expect((await server.send('DELETE', 'People(2)')).status).toBe(405)
    expect((await server.send('PUT', 'Things(1)', { Name: 'b' })).status).toBe(204)
    expect((await server.send('GET', 'Things(1)')).json).toMatchObject({ Name: 'b', Price: 4 })
  })

  it('MUST learn at the start why a table of the model is missing', async () => {
    const model = defineModel({
      namespace: 'N',
      entityTypes: { Secret: { key: ['id'], properties: { id: edm.Int32() } } },
      entityContainer: { entitySets: { secrets: { entityType: 'Secret' } } },
    })
    await expect(SqlServer.start(model, started.db)).rejects.toThrow(
      "- Skipped 'secrets': the user of the connection may not read it.",
    )
  })

  it('MUST get 403 for changes without a privilege that the model allows', async () => {
    const model = defineModel({
      namespace: 'N',
      entityTypes: {
        Person: { key: ['id'], properties: { id: edm.Int32(), name: edm.String(), grade: edm.String() } },
        Report: { key: ['id'], properties: { id: edm.Int32(), line: edm.String() } },
        Thing: { key: ['id'], properties: { id: edm.Int32(), name: edm.String(), price: edm.Int32() } },
      },
      entityContainer: {
        entitySets: {
          people: { entityType: 'Person' },
          reports: { entityType: 'Report' },
          things: { entityType: 'Thing' },
          lines: { entityType: 'Report' },
        },
      },
    })
    const own = await SqlServer.start(model, started.db)
    servers.push(own)
    expect(await own.refusal('MERGE', 'things(1)', { price: 5 })).toEqual([
      403,
      "The database does not allow changes of 'price'.",
    ])
    const refused = [403, 'The database does not allow this change.']
    expect(await own.refusal('POST', 'people', { id: 9, grade: 'x' })).toEqual(refused)
    expect(await own.refusal('DELETE', 'people(1)')).toEqual(refused)
    expect(await own.refusal('POST', 'reports', { id: 9 })).toEqual(refused)
    expect(await own.refusal('POST', 'lines', { id: 9, line: 'x' })).toEqual(refused)
  })

  it('MUST get 403 for a row that a policy does not allow', async () => {
    const { server } = started
    expect(await server.refusal('POST', 'Notes', { Id: 1, Owner: 'you' })).toEqual([
      403,
      'The database does not allow this change.',
    ])
    expect((await server.send('POST', 'Notes', { Id: 1, Owner: 'me' })).status).toBe(201)
    expect((await server.send('MERGE', 'Notes(1)', { Owner: 'you' })).status).toBe(403)
    expect((await server.send('GET', 'Notes(1)')).json).toMatchObject({ Owner: 'me' })
  })
})

describe('PostgreSQL 18', () => {
  let started: Started
  beforeAll(async () => {
    started = await start([
      "create domain code as varchar(4) not null check (value <> '')",
      'create domain short_code as code check (length(value) < 4)',
      'create table rooms (id int4range, during daterange, name text, primary key (id, during without overlaps))',
      'create table stays (id integer primary key, room int4range, during daterange, foreign key (room, period during) references rooms (id, period during))',
      'create table things (id integer primary key, code short_code, old text, price integer, twice integer generated always as (price * 2) virtual)',
      "insert into things values (1, 'abc', null, 4)",
      'alter table things add constraint old_known not null old not valid',
      'create table slots (id integer primary key, during int4range, exclude using gist (during with &&))',
    ])
  })

  it('MUST read domains of domains, and columns whose constraint is not valid yet', async () => {
    const { metadata, server } = started
    expect(tagOf(metadata, 'Property', 'Code')).toContain('Nullable="false" MaxLength="4"')
    expect((await server.send('GET', 'Things(1)')).json).toMatchObject({ Code: 'abc', Old: null, Twice: 8 })
    expect((await server.send('POST', 'Things', { Id: 2, Code: 'abcd', Old: 'x' })).status).toBe(400)
    expect((await server.send('POST', 'Things', { Id: 2, Code: 'ab' })).status).toBe(400)
    const { status, json } = await server.send('POST', 'Things', { Id: 2, Code: 'ab', Old: 'x', Price: 3 })
    expect([status, json]).toEqual([201, expect.objectContaining({ Twice: 6 })])
  })

  it('MUST not read foreign keys of periods as equality', () => {
    expect(started.metadata).not.toContain('ReferentialConstraint')
  })

  it('MUST report overlapping values as such', async () => {
    const { server } = started
    expect((await server.send('POST', 'Slots', { Id: 1, During: '[1,5)' })).status).toBe(201)
    const overlap = "the value overlaps, or excludes, that of another entity of 'Slots'."
    expect(await server.refusal('POST', 'Slots', { Id: 2, During: '[4,6)' })).toEqual([
      409,
      `Property 'During': ${overlap}`,
    ])
    expect((await server.refusal('POST', 'Slots', { Id: 1, During: '[10,11)' }))[1]).toContain(
      'already exists',
    )
    expect(
      (await server.send('POST', 'Rooms', { Id: '[1,2)', During: '[2020-01-01,2021-01-01)' })).status,
    ).toBe(201)
    const [status, message] = await server.refusal('POST', 'Rooms', {
      Id: '[1,2)',
      During: '[2020-06-01,2022-01-01)',
    })
    expect([status, message]).toEqual([409, expect.stringContaining('overlaps')])
    const room = "Rooms(Id='[1,2)',During='[2020-01-01,2021-01-01)')"
    expect((await server.send('MERGE', room, { Name: 'blue' })).status).toBe(204)
    expect((await server.send('GET', room)).json).toMatchObject({ Name: 'blue' })
  })
})
