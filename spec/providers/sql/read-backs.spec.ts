import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { required } from '../../../lib/util/required.js'
import { ContractServices } from '../../contracts/contract-service.js'
import {
  batchBody,
  get,
  jsonOf,
  postBatch,
  responsesIn,
  statusesOf,
  written,
} from '../../support/batch-exchange.js'
import { fc, runs } from '../../support/random.js'
import { loggedDatabase, statementLog } from '../../support/sql/logged-database.js'
import type { LoggedDatabase } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Note: edm.String(),
        Price: edm.Decimal({ precision: 5, scale: 2 }),
        Changes: edm.Int32({ concurrencyMode: 'Fixed' }),
        ParentID: edm.Int32(),
      },
      navigationProperties: { Parent: { relationship: 'Tree', fromRole: 'Child', toRole: 'Parent' } },
    },
  },
  associations: {
    Tree: {
      ends: {
        Child: { type: 'Item', multiplicity: '*' },
        Parent: { type: 'Item', multiplicity: '0..1' },
      },
      referentialConstraint: {
        principal: { role: 'Parent', properties: ['ID'] },
        dependent: { role: 'Child', properties: ['ParentID'] },
      },
    },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

const table = `
  create table "Items" (
    "ID" integer primary key, "Note" text unique, "Price" decimal(5, 2) check ("Price" <> 13),
    "Changes" integer not null default 0, "ParentID" integer references "Items" ("ID")
  )`

const raisePrice = `
  create function raise_price() returns trigger language plpgsql as $$ begin
    update "Items" set "Price" = "Price" + 1 where "ID" = new."ID" and new."Note" = 'dear' and old."Note" <> 'dear';
    return null;
  end $$;`

/** An entity can refer to its own version, which each change raises. */
const cascading = table.replace('default 0', 'unique').replace('("ID")', '("Changes") on update cascade')

const tables: Readonly<Record<string, string>> = {
  triggers: `${table}; ${raisePrice}
    create trigger raise_price after update of "Note" on "Items" for each row execute function raise_price();`,
  'constraint-triggers': `${table}; ${raisePrice}
    create constraint trigger raise_price after update on "Items" deferrable initially deferred
      for each row execute function raise_price();`,
  partitions: `
    create table "Items" (
      "ID" integer primary key, "Note" text, "Price" decimal(5, 2), "Changes" integer, "ParentID" integer
    ) partition by range ("ID");
    create table "Some" partition of "Items" for values from (0) to (100); ${raisePrice}
    create trigger raise_price after update on "Some" for each row execute function raise_price();`,
  deferred: table.replace('unique', 'unique references "Notes" deferrable initially deferred'),
  'changed-keys': `${table};
    create function renumber() returns trigger language plpgsql as $$ begin
      if new."Note" = 'dear' then new."ID" = 50; end if;
      return new;
    end $$;
    create trigger renumber before update on "Items" for each row execute function renumber();`,
  ...Object.fromEntries(['postgres', 'sqlite'].map((name) => [`cascading-${name}`, cascading])),
}

const rows = `insert into "Items" values (1, 'one', 1.5, 0, null), (2, 'two', null, 0, 1), (3, null, 0, 0, 2)`

describe('The read of an entity after its change in a batch', () => {
  const server = PostgresServer.shared()
  const logs = new Map<string, LoggedDatabase['statements']>()
  const databases = new Map<string, AnyDatabase>()
  let services: ContractServices

  const mount = async (
    name: string,
    db: AnyDatabase,
    options: SqlProviderOptions<typeof model> = {},
    serviceOptions: ODataV2Options = {},
  ): Promise<void> => {
    await sql.raw(tables[name] ?? table).execute(db)
    databases.set(name, db)
    const provider = sqlProvider(model, db, options)
    await provider.ready()
    services.mount(name, provider, serviceOptions, model)
  }
  const mountPostgres = async (name: string, ...options: unknown[]): Promise<void> => {
    const { db, statements } = loggedDatabase(server.addressOf(await server.newDatabase()))
    logs.set(name, statements)
    await mount(name, db, ...(options as []))
  }

  beforeAll(async () => {
    services = await ContractServices.start()
    await mountPostgres('postgres')
    for (const name of [
      'triggers',
      'constraint-triggers',
      'partitions',
      'changed-keys',
      'cascading-postgres',
    ])
      await mountPostgres(name)
    await mountPostgres('sessions', { session: () => sql`select 1` })
    await mountPostgres('rights', {}, { authorize: () => undefined })
    for (const name of ['sqlite', 'deferred', 'cascading-sqlite']) {
      const file = new SQLite(':memory:')
      file.exec(`create table "Notes" ("Text" text primary key); insert into "Notes" values ('one'), ('two')`)
      const sqlite = cacheStatements(file)
      const { note, statements } = statementLog()
      logs.set(name, statements)
      await mount(name, new Kysely({ dialect: new SqliteDialect({ database: sqlite }), log: note }), {
        sqlite,
      })
    }
  })

  afterAll(async () => {
    await services.close()
    for (const db of databases.values()) await db.destroy()
    await server.stop()
  })

  type Responses = ReturnType<typeof responsesIn>
  const send = async (name: string, ...parts: readonly (string | readonly string[])[]): Promise<Responses> =>
    responsesIn(await postBatch(services.port, batchBody(...parts), {}, `/${name}/$batch`))

  const merge = (ID: number, values: object, version = 0): string =>
    written(`MERGE Items(${String(ID)})`, JSON.stringify(values), { 'If-Match': `W/"${String(version)}"` })

  const reset = async (name: string, inserted = rows): Promise<void> => {
    const db = required(databases.get(name))
    await sql`delete from "Items"`.execute(db)
    await sql.raw(inserted).execute(db)
    logs.get(name)?.()
  }

  it('MUST respond with the entity that the change returns, without a statement', async () => {
    await reset('postgres')
    const responses = await send('postgres', [merge(1, { Note: 'new' })], get('Items(1)'))
    expect(statusesOf(responses)).toEqual([[204], 200])
    expect(jsonOf(responses[1])).toMatchObject({ ID: 1, Note: 'new', Changes: 1 })
    expect(logs.get('postgres')?.()).toEqual([expect.stringMatching(/^update .* returning /)])
  })

  it.each(['triggers', 'constraint-triggers', 'partitions'])(
    'MUST include the changes of %s',
    async (name) => {
      await reset(name)
      const responses = await send(name, [merge(1, { Note: 'dear' })], get('Items(1)'))
      expect(statusesOf(responses)).toEqual([[204], 200])
      expect(jsonOf(responses[1])).toMatchObject({ Note: 'dear', Price: '2.50' })
    },
  )

  it('MUST be 404 if a trigger gives the entity another key', async () => {
    await reset('changed-keys', `insert into "Items" values (1, 'one', 1.5, 0, null)`)
    const responses = await send('changed-keys', [merge(1, { Note: 'dear' })], get('Items(1)'))
    expect(statusesOf(responses)).toEqual([[204], 404])
    expect(statusesOf(await send('changed-keys', get('Items(50)'), get('Items(1)')))).toEqual([200, 404])
  })

  it.each(['postgres', 'sqlite'])('MUST include changes that cascade to the entity: %s', async (name) => {
    await reset(
      `cascading-${name}`,
      `insert into "Items" values (1, 'one', 1.5, 0, 0), (2, 'two', 2.5, 7, 0)`,
    )
    const responses = await send(`cascading-${name}`, [merge(1, { Note: 'new' })], get('Items(1)'))
    expect(statusesOf(responses)).toEqual([[204], 200])
    expect(jsonOf(responses[1])).toMatchObject({ Note: 'new', Changes: 1, ParentID: 1 })
  })

  it('MUST have the former values if the change is rejected when it is committed', async () => {
    await reset('deferred')
    const responses = await send('deferred', [merge(1, { Note: 'new' })], get('Items(1)'))
    expect(statusesOf(responses)).toEqual([409, 200])
    expect(jsonOf(responses[1])).toMatchObject({ Note: 'one', Changes: 0 })
  })

  it.each(['sessions', 'rights'])('MUST be read for a caller with its own view: %s', async (name) => {
    await reset(name)
    const responses = await send(name, [merge(1, { Note: 'new' })], get('Items(1)'))
    expect(statusesOf(responses)).toEqual([[204], 200])
    expect(jsonOf(responses[1])).toMatchObject({ Note: 'new' })
    expect(logs.get(name)?.().at(-1)).toMatch(/select .* where "ID" = /)
  })

  it('MUST have the entity as it is stored after the columns of its table have changed', async () => {
    const change = async (version: number, expected: string): Promise<void> => {
      const responses = await send('postgres', [merge(1, { Note: 'n' }, version)], get('Items(1)'))
      expect(statusesOf(responses)).toEqual([[204], 200])
      expect(jsonOf(responses[1])).toMatchObject({ Price: expected })
    }
    await reset('postgres')
    for (const version of [0, 1, 2]) await change(version, '1.50')
    const db = required(databases.get('postgres'))
    await sql`alter table "Items" alter column "Price" type numeric(6, 3)`.execute(db)
    await change(3, '1.500')
    await sql`alter table "Items" alter column "Price" type numeric(5, 2)`.execute(db)
    await change(4, '1.50')
  })

  it.each(['postgres', 'sqlite', 'triggers'])(
    'MUST have the response of a batch of its own: %s',
    async (name) => {
      const values = fc.record(
        {
          Note: fc.constantFrom('one', 'two', 'dear', 'other', null),
          Price: fc.constantFrom('1', '13', '99999', 'x', null),
          Changes: fc.constantFrom(5, 0),
          ID: fc.constantFrom(1, 2),
        },
        { requiredKeys: [] },
      )
      const change = fc.tuple(
        fc.constantFrom('MERGE', 'PUT'),
        fc.constantFrom('Items(1)', 'Items(2)', 'Items(9)', 'Items(2)/Parent', 'Items(x)'),
        values,
        fc.constantFrom('W/"0"', 'W/"1"', 'W/"2"', '*', '', 'x'),
        fc.constantFrom('', '', '?$expand=Parent', '?$select=Note', '?$expand=None'),
        fc.boolean(),
      )
      const plain = (responses: Responses): unknown =>
        JSON.parse(JSON.stringify(responses).replaceAll(/"body":"\{\\"error\\".*?\}\}"/g, '"body":"error"'))
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          const outcome = async (isTogether: boolean): Promise<unknown> => {
            await reset(name)
            const all: Responses[] = []
            for (const [method, path, body, etag, options, isLone] of changes) {
              const headers = etag === '' ? undefined : { 'If-Match': etag }
              const one = written(`${method} ${path}`, JSON.stringify(body), headers)
              const sent = [isLone ? one : [one], get(path + options)]
              const parts = [...sent, get('Items(1)')]
              if (isTogether) all.push(await send(name, ...parts))
              else for (const part of parts) all.push(await send(name, part))
            }
            return plain(all.flat())
          }
          expect(await outcome(true)).toEqual(await outcome(false))
        }),
        { numRuns: runs(300) },
      )
    },
  )
})
