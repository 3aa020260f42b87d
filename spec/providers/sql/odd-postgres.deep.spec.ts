import { Kysely, PostgresDialect, sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import type { IntrospectOptions } from '../../../lib/providers/sql/introspection/introspect.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

/** Covers features that only PostgreSQL has. */
describe('A PostgreSQL database with ways of its own', () => {
  let server: PostgresServer
  let service: SqlServer | undefined

  beforeAll(async () => {
    server = PostgresServer.shared()
  })

  afterEach(async () => {
    await service?.stop()
    service = undefined
  })

  afterAll(() => server.stop())

  const serve = async (
    statements: readonly string[],
    options: IntrospectOptions = {},
    db?: AnyDatabase,
  ): Promise<SqlServer> => {
    const opened = db ?? (await server.open())
    for (const statement of statements) await sql.raw(statement).execute(opened)
    service = await SqlServer.start(await introspect(opened, options), opened)
    return service
  }

  /** Returns the keys of entities that match a filter, or the error response. */
  const keys = async (on: SqlServer, path: string): Promise<unknown> => {
    const { json, text } = await on.send('GET', path)
    const rows = json.results as readonly Readonly<Record<string, unknown>>[] | undefined
    return rows?.map(({ Id }) => Id) ?? text
  }

  it('MUST compare by code point where a collation treats different strings as equal', async () => {
    const words = await serve([
      `create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      'create table words (id integer primary key, text text collate loose)',
      `insert into words values (1, 'abc'), (2, 'ABC'), (3, 'x')`,
    ])
    const expected = {
      "Text eq 'abc'": [1],
      "Text ne 'abc'": [2, 3],
      "startswith(Text,'ab')": [1],
      "endswith(Text,'BC')": [2],
      "substringof('b',Text)": [1],
      "indexof(Text,'b') eq 1": [1],
      'length(Text) eq 3': [1, 2],
      "trim(Text) eq 'ABC'": [2],
    }
    for (const [condition, found] of Object.entries(expected)) {
      expect([condition, await keys(words, `Words?$filter=${encodeURIComponent(condition)}`)]).toEqual([
        condition,
        found,
      ])
    }
    expect(await keys(words, 'Words?$orderby=Text')).toEqual([2, 1, 3])
  })

  it('MUST sort by code point where the database sorts by a language, whatever its other locale is', async () => {
    const name = await server.newDatabase()
    const main = server.connect('postgres')
    await sql
      .raw(
        `create database ${name}icu template template0 encoding 'UTF8' locale_provider icu icu_locale 'de' locale 'C'`,
      )
      .execute(main)
    const words = await serve(
      [
        'create table words (id integer primary key, text text not null)',
        `insert into words values (1, 'a'), (2, 'B'), (3, 'c'), (4, 'D')`,
      ],
      {},
      server.connect(`${name}icu`),
    )
    expect(await keys(words, 'Words?$orderby=Text')).toEqual([2, 4, 1, 3])
    expect(await keys(words, `Words?$filter=${encodeURIComponent("Text lt 'a'")}`)).toEqual([2, 4])
    expect(await keys(words, `Words?$orderby=Text&$top=2&$skiptoken='D',4`)).toEqual([1, 3])
  })

  it('MUST respond with 404 to keys that the type of a column cannot represent, in change sets too', async () => {
    const moods = await serve([
      `create type mood as enum ('sad', 'ok')`,
      'create table moods (mood mood primary key, size integer)',
      'create table hosts (address inet primary key, size integer)',
      `insert into moods values ('sad', 1)`,
      `insert into hosts values ('10.0.0.1', 1)`,
    ])
    for (const [path, status, changed] of [
      ["Moods('sad')", 200, 204],
      ["Hosts('10.0.0.1')", 200, 204],
      ["Moods('none')", 404, 404],
      ["Hosts('none')", 404, 404],
      ["Hosts('')", 404, 404],
    ] as const) {
      const read = await moods.send('GET', path)
      const merged = await moods.send('MERGE', path, { Size: 2 })
      const deleted = await moods.send('DELETE', path)
      expect([path, read.status, merged.status, deleted.status]).toEqual([path, status, changed, changed])
    }
    expect((await moods.send('POST', 'Moods', { Mood: 'none' })).status).toBe(400)
  })

  it('MUST write types of schemas that are not searched', async () => {
    const shades = await serve([
      'create schema paint',
      `create type paint.shade as enum ('red', 'blue')`,
      'create table walls (id integer primary key, shade paint.shade)',
    ])
    expect((await shades.send('POST', 'Walls', { Id: 1, Shade: 'blue' })).status).toBe(201)
    expect((await shades.send('MERGE', 'Walls(1)', { Shade: 'red' })).status).toBe(204)
    expect((await shades.send('GET', 'Walls(1)')).json).toMatchObject({ Shade: 'red' })
    expect((await shades.send('POST', 'Walls', { Id: 2, Shade: 'green' })).status).toBe(400)
  })

  it('MUST insert into tables with constraints that can be deferred, and into those with rules', async () => {
    const tables = await serve([
      'create table places (id integer primary key, place integer unique deferrable initially deferred)',
      'create table rooms (id integer primary key deferrable, place integer)',
      'create table ruled (id integer primary key, place integer)',
      'create rule note as on insert to ruled where new.place = 5 do also select 1',
    ])
    for (const set of ['Places', 'Rooms', 'Ruleds']) {
      expect([set, (await tables.send('POST', set, { Id: 1, Place: 1 })).status]).toEqual([set, 201])
      expect([set, ...(await tables.refusal('POST', set, { Id: 1, Place: 2 }))]).toEqual([
        set,
        409,
        `${set}(1) already exists.`,
      ])
      expect([set, (await tables.send('POST', set, { Place: 2 })).json.Id]).toEqual([set, 2])
    }
    // This one is looked at when the change ends.
    expect(await tables.refusal('POST', 'Places', { Id: 3, Place: 1 })).toEqual([
      409,
      'Another entity has the same value.',
    ])
    expect(await keys(tables, 'Places')).toEqual([1, 2])
  })

  it('MUST respond with 400 when triggers or the conditions of views reject a change', async () => {
    const tables = await serve(
      [
        'create table parts (id integer primary key, size integer)',
        'create view small_parts as select id, size from parts where size < 5 with check option',
        `create function refuse() returns trigger language plpgsql as
          $$ begin
            if new.size = 1 then raise exception 'words of the database'; end if;
            if new.size = 3 then return null; end if;
            return new;
          end $$`,
        'create trigger refuse before insert or update on parts for each row execute function refuse()',
      ],
      { keys: { small_parts: ['id'] } },
    )
    const refusal = [400, 'The database does not allow this value.']
    expect(await tables.refusal('POST', 'Parts', { Id: 1, Size: 1 })).toEqual(refusal)
    expect(await tables.refusal('POST', 'SmallParts', { Id: 1, Size: 9 })).toEqual(refusal)
    expect(await tables.refusal('POST', 'Parts', { Id: 1, Size: 3 })).toEqual(refusal)
    expect((await tables.send('POST', 'SmallParts', { Id: 1, Size: 2 })).status).toBe(201)
    expect(await tables.refusal('MERGE', 'Parts(1)', { Size: 1 })).toEqual(refusal)
    expect(await tables.refusal('MERGE', 'SmallParts(1)', { Size: 9 })).toEqual(refusal)
    expect((await tables.send('GET', 'Parts(1)')).json).toMatchObject({ Size: 2 })
  })

  it('MUST respond with 400 for text that is too long for an index', async () => {
    const tables = await serve(['create table notes (id integer primary key, note text unique)'])
    const note = Array.from({ length: 20_000 }, (_, index) => ((index * 7919) ** 2).toString(36)).join('')
    expect((await tables.refusal('POST', 'Notes', { Id: 1, Note: note }))[0]).toBe(400)
    expect((await tables.send('POST', 'Notes', { Id: 1, Note: 'short' })).status).toBe(201)
  })

  it('MUST respond with 503 while it cannot be reached, and go on when it can', async () => {
    const name = await server.newDatabase()
    const [admin, pool] = [
      server.connect(name),
      openPool({ connectionString: server.addressOf(name), max: 1, connectionTimeoutMillis: 1_000 }),
    ]
    const db: AnyDatabase = new Kysely({ dialect: new PostgresDialect({ pool }) })
    const slow = await serve(
      [
        'create table slow (id integer primary key, size integer)',
        `create function wait() returns trigger language plpgsql as
          $$ begin perform pg_sleep(case new.size when 0 then 0 else 3600 end); return new; end $$`,
        'create trigger wait before insert on slow for each row execute function wait()',
      ],
      {},
      db,
    )
    const response = slow.refusal('POST', 'Slows', { Id: 1, Size: 1 })
    let killed = 0
    while (killed === 0) {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = ${name} and pid <> pg_backend_pid() and wait_event = 'PgSleep'`.execute(admin)
      if (rows.length === 0) continue
      // A transaction holds the only connection.
      expect((await slow.send('GET', 'Slows')).status).toBe(503)
      for (const { pid } of rows as { readonly pid: number }[]) {
        await sql`select pg_terminate_backend(${pid})`.execute(admin)
        killed += 1
      }
    }
    expect(await response).toEqual([503, 'The database cannot be reached at the moment.'])
    expect(await keys(slow, 'Slows')).toEqual([])
    expect((await slow.send('POST', 'Slows', { Id: 1, Size: 0 })).status).toBe(201)
    await db.destroy()
  })

  it('MUST keep the last moments there are as they can be read again', async () => {
    const db = await server.open()
    await sql`create table times (id integer primary key, moment timestamp, short timestamp(0), zoned timestamptz(3),
      day date, hour time, minute time(0))`.execute(db)
    // Without Precision, the service accepts more digits than the columns store.
    const properties = {
      Id: edm.Int32({ nullable: false }),
      ...{ Moment: edm.DateTime(), Short: edm.DateTime(), Zoned: edm.DateTimeOffset(), Day: edm.DateTime() },
      ...{ Hour: edm.Time(), Minute: edm.Time() },
    }
    const model = defineModel({
      namespace: 'T',
      entityTypes: { Time: { key: ['Id'], properties } },
      entityContainer: { entitySets: { Times: { entityType: 'Time' } } },
    })
    service = await SqlServer.start(model, db)
    const times = service
    const last = '9999-12-31T23:59:59.9999999'
    const entity = {
      Id: 1,
      ...{ Moment: last, Short: last, Zoned: `${last}Z`, Day: last },
      ...{ Hour: 'PT23H59M59.9999999S', Minute: 'PT23H59M59.6S' },
    }
    expect((await times.send('POST', 'Times', entity)).status).toBe(201)
    expect((await times.send('GET', 'Times(1)')).json).toMatchObject({
      Moment: '/Date(253402300799999)/',
      Short: '/Date(253402300799000)/',
      Zoned: '/Date(253402300799999+0000)/',
      Day: '/Date(253402214400000)/',
      Hour: 'PT23H59M59.999999S',
      Minute: 'PT23H59M59S',
    })
    expect(
      (await times.send('MERGE', 'Times(1)', { Moment: last, Hour: 'PT23H59M59.9999999S' })).status,
    ).toBe(204)
    expect(await keys(times, 'Times')).toEqual([1])
  })

  it('MUST compare short floating-point numbers as the database has them', async () => {
    const db = await server.open()
    await sql`create table weights (id integer primary key, weight real)`.execute(db)
    await sql`insert into weights select n, 0.1 + (n % 3) * 0.1 from generate_series(1, 2500) as n`.execute(
      db,
    )
    const model = defineModel({
      namespace: 'Scales',
      entityTypes: {
        Weight: {
          key: ['Id'],
          properties: {
            Id: edm.Int32({ nullable: false }),
            Weight: edm.Single({ concurrencyMode: 'Fixed' }),
          },
        },
      },
      entityContainer: { entitySets: { Weights: { entityType: 'Weight' } } },
    })
    service = await SqlServer.start(model, db, { pageSize: 0 })
    for (const order of ['Weight', 'Weight%20desc']) {
      const found = (await keys(service, `Weights?$orderby=${order}`)) as readonly number[]
      expect([order, found.length, new Set(found).size]).toEqual([order, 2500, 2500])
    }
    const { etag } = await service.send('GET', 'Weights(3)')
    const change = { Weight: '0.7' }
    expect((await service.send('MERGE', 'Weights(3)', change, { 'If-Match': String(etag) })).status).toBe(204)
    expect((await service.send('MERGE', 'Weights(3)', change, { 'If-Match': String(etag) })).status).toBe(412)
  })

  it('MUST find tables of schemas that have a dot in their names', async () => {
    const items = await serve(
      [
        'create schema "b.c"',
        'create table "b.c".items (id integer primary key)',
        'create table items (id integer primary key)',
        'insert into "b.c".items values (7)',
      ],
      { schemas: ['b.c'] },
    )
    expect(await keys(items, 'Items')).toEqual([7])
  })

  it('MUST skip infinite times when a condition selects other rows', async () => {
    const spans = await serve([
      'create table spans (id integer primary key, since timestamp, till timestamptz, day date)',
      `insert into spans values (1, '2012-01-01', '2012-01-01Z', '2012-01-01'), (2, '-infinity', 'infinity', 'infinity')`,
    ])
    for (const property of ['Since', 'Till', 'Day']) {
      expect(await keys(spans, `Spans?$filter=year(${property})%20eq%202012`)).toEqual([1])
      expect(await keys(spans, `Spans?$filter=not%20(month(${property})%20gt%201)&$top=1`)).toEqual([1])
    }
  })
})
