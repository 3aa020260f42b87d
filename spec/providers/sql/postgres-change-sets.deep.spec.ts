import type { PostgresPool } from 'kysely'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { ServiceOptions } from '../../../lib/options.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { prepareStatements } from '../../../lib/providers/sql/dialects/postgres/prepare-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { single } from '../../support/batch-exchange.js'
import { Failures } from '../../support/failures.js'
import { change, changeSetModel, changeSetTables, identified } from '../../support/sql/change-set-model.js'
import type { Responses } from '../../support/sql/change-set-services.js'
import { ChangeSetService, oneByOne, parts, statuses } from '../../support/sql/change-set-services.js'
import { statementLog } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

/** The sessions of this database that wait for a lock: other specs use the same server. */
const waitingHere = sql`from pg_locks
  where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`

describe('Change sets of sqlProvider on PostgreSQL', () => {
  const postgres = PostgresServer.shared()
  const opened: { stop: () => Promise<unknown> }[] = []
  let other: AnyDatabase
  let name: string
  let failures: Failures
  let log: ReturnType<typeof statementLog>

  afterAll(() => postgres.stop())

  beforeEach(async () => {
    name = await postgres.newDatabase()
    other = postgres.connect(name, { max: 2, application_name: 'other' })
    for (const statement of changeSetTables('postgres')) await sql.raw(statement).execute(other)
    failures = new Failures()
    log = statementLog()
  })

  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.stop()
  })

  const connect = (use: (pool: pg.Pool) => PostgresPool = (pool) => pool): AnyDatabase => {
    const pool = openPool({ connectionString: postgres.addressOf(name), max: 2 })
    return new Kysely({ dialect: new PostgresDialect({ pool: use(pool) }), log: log.note })
  }

  const serve = async (
    options: ServiceOptions = {},
    {
      db = connect(),
      wrap = (provider) => provider,
      ...more
    }: Pick<SqlProviderOptions, 'statementTimeout'> & {
      readonly db?: AnyDatabase
      readonly wrap?: (provider: Provider) => Provider
    } = {},
  ): Promise<ChangeSetService> => {
    const provider = sqlProvider(changeSetModel, db, more)
    await provider.ready()
    const service = await ChangeSetService.of(wrap(provider), { onError: failures.onError, ...options }, db)
    log.statements()
    opened.push(service)
    return service
  }

  /** The statements since the last call, without those that are sent once. */
  const statements = (): string[] => log.statements().filter((one) => !one.includes('current_setting'))

  const count = async (table = 'Shelves'): Promise<number> => {
    const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(other)
    return Number(rows[0]?.n)
  }

  const shelf = (ID: number, Name = 'x', more = {}): string => change('POST', 'Shelves', { ID, Name }, more)
  const item = (ID: number, ShelfID: number): string => change('POST', 'Items', { ID, ShelfID })
  const note = (ID: number, ShelfID: number): string => change('POST', 'Notes', { ID, ShelfID })

  it.each([
    ['statements of a pool', undefined],
    ['prepared statements', prepareStatements],
  ])('MUST send inserts together with the begin of the transaction, as %s', async (_name, use) => {
    const service = await serve({}, { db: connect(use) })
    for (const first of [1, 11, 21]) {
      const changes = [shelf(first), item(first, first), shelf(first + 1), item(first + 1, 1)]
      expect(statuses(await service.send(...changes))).toEqual([[201, 201, 201, 201]])
      expect(statements()).toEqual([
        expect.stringMatching(
          /^begin[^;]*; insert into "Shelves" [^;]*; insert into "Items" [^;]*; insert into "Shelves" [^;]*; insert into "Items" [^;]*$/,
        ),
        'commit',
      ])
    }
    expect([await count(), await count('Items')]).toEqual([6, 6])
  })

  it('MUST send as many changes together as precede the first that needs more than one statement', async () => {
    const service = await serve()
    const responses = await service.send(
      shelf(1, 'one', { 'Content-ID': 'a' }),
      change('POST', 'Entries', { Name: 'generated' }),
      change('POST', '$a/Items', { ID: 1 }),
      shelf(3),
    )
    expect(parts(responses)).toEqual([
      [
        expect.arrayContaining([201, 'a', 'http://127.0.0.1/s/Shelves(1)']),
        expect.arrayContaining([201, 'http://127.0.0.1/s/Entries(1)']),
        expect.arrayContaining([201, 'http://127.0.0.1/s/Items(1)']),
        expect.arrayContaining([201, 'http://127.0.0.1/s/Shelves(3)']),
      ],
    ])
    const sent = statements()
    expect(sent[0]).toMatch(/^begin[^;]*; insert into "Shelves" [^;]*; insert into "Entries" [^;]*$/)
    expect(sent.slice(1).every((one) => !one.includes(';'))).toBe(true)
    expect(sent.at(-1)).toBe('commit')
    const { rows } = await sql`select "ShelfID" from "Items"`.execute(other)
    expect(rows).toEqual([{ ShelfID: 1 }])
  })

  it('MUST make many changes', async () => {
    const service = await serve()
    const many = Array.from({ length: 120 }, (_, index) => shelf(index + 1))
    expect(statuses(await service.send(...many))).toEqual([many.map(() => 201)])
    expect(statements()).toHaveLength(4)
    expect(statuses(await service.send(...many.map((_, index) => shelf(index + 201)), shelf(7)))).toEqual([
      409,
    ])
    expect(await count()).toBe(120)
  })

  const refused: readonly (readonly [string, number, readonly string[]])[] = [
    ['a key that is taken', 409, [shelf(1), shelf(2), shelf(9), shelf(3)]],
    ['a key that an earlier change has taken', 409, [shelf(1), shelf(2), shelf(1), shelf(3)]],
    ['a reference to an absent entity', 409, [shelf(1), item(1, 8), shelf(3)]],
    ['a reference to an entity that a later change inserts', 409, [shelf(1), item(1, 2), shelf(2)]],
    ['a reference that the database does not check', 409, [shelf(1), note(1, 2), shelf(2)]],
    ['the first of several errors', 409, [shelf(1), note(1, 7), shelf(9), change('POST', 'Nothing', {})]],
    ['an invalid body', 400, [shelf(1), change('POST', 'Shelves', '{'), shelf(9)]],
    ['an unknown reference', 404, [shelf(1), change('POST', '$x/Items', { ID: 1 })]],
    ['an insert that a trigger refuses', 400, [shelf(1), shelf(2, 'bad'), shelf(3)]],
    ['an insert that a trigger drops', 400, [shelf(1), shelf(2, 'dropped'), shelf(3)]],
  ]

  it.each(refused)('MUST report %s as if changes were made one by one', async (_name, status, changes) => {
    await sql
      .raw(
        `insert into "Shelves" values (9, 'nine');
         create function refuse() returns trigger language plpgsql as $$ begin
           if new."Name" = 'bad' then raise exception 'no'; end if;
           if new."Name" = 'dropped' then return null; end if;
           return new; end $$;
         create trigger refuse before insert on "Shelves" for each row execute function refuse()`,
      )
      .execute(other)
    const named = identified(changes)
    const service = await serve()
    const response = await service.send(...named)
    expect(statuses(response)).toEqual([status])
    expect(statements()[0]).toMatch(/^begin[^;]*;/)
    const single = await serve({}, { wrap: oneByOne })
    expect(parts(response)).toEqual(parts(await single.send(...named)))
    expect(await count()).toBe(1)
    expect(failures.errors).toEqual([])
    expect(statuses(await service.send(shelf(1), shelf(2)))).toEqual([[201, 201]])
  })

  it('MUST report a reference that the database checks at the commit', async () => {
    await sql
      .raw(
        `alter table "Items" alter constraint "Items_ShelfID_fkey" deferrable initially deferred;
         create table "Parts" ("ShelfID" integer references "Shelves" ("ID") deferrable initially deferred);
         create function part() returns trigger language plpgsql as
           $$ begin insert into "Parts" values (new."ID" + 100); return new; end $$;
         create trigger part after insert on "Notes" for each row execute function part()`,
      )
      .execute(other)
    const service = await serve()
    expect(statuses(await service.send(item(1, 2), shelf(9)))).toEqual([409])
    expect(statuses(await service.send(item(1, 2), shelf(2)))).toEqual([[201, 201]])
    expect(statuses(await service.send(shelf(3), note(1, 2)))).toEqual([409])
    expect(statuses(await service.send(shelf(3), note(3, 2), shelf(103)))).toEqual([[201, 201, 201]])
    expect(await count('Notes')).toBe(1)
  })

  it('MUST call hooks after the changes before them, once', async () => {
    const seen: unknown[] = []
    const beforeInsert = async (
      { ID }: { readonly ID?: unknown },
      call: { readonly changeSet?: unknown },
    ): Promise<void> => {
      const { rows } = await sql<{ n: string }>`select count(*) as n from "Shelves"`.execute(
        provider.connectionOf(call as never),
      )
      seen.push([ID, Number(rows[0]?.n)])
    }
    const db = connect()
    const provider = sqlProvider(changeSetModel, db)
    const service = await ChangeSetService.of(provider, { hooks: { Items: { beforeInsert } } }, db)
    opened.push(service)
    expect(statuses(await service.send(shelf(1), shelf(2), item(1, 1), shelf(3), item(2, 3)))).toEqual([
      [201, 201, 201, 201, 201],
    ])
    expect(seen.splice(0)).toEqual([
      [1, 2],
      [2, 3],
    ])
    expect(statuses(await service.send(shelf(4), shelf(1), item(3, 1)))).toEqual([409])
    expect(seen).toEqual([])
  })

  it('MUST call authorize before each change', async () => {
    const seen: number[] = []
    const authorize = async (): Promise<undefined> => {
      seen.push(await count())
      return undefined
    }
    const service = await serve({ authorize })
    expect(statuses(await service.send(shelf(1), shelf(2)))).toEqual([[201, 201]])
    expect(statements().some((one) => one.includes(';'))).toBe(false)
    expect(seen.length).toBeGreaterThan(1)
  })

  it('MUST resolve a context that is a promise, and its rejection', async () => {
    const service = await serve({ context: async () => Promise.resolve({}) })
    expect(statuses(await service.send(shelf(1), shelf(2)))).toEqual([[201, 201]])
    expect(statements()).toHaveLength(2)
    const context = async (): Promise<never> => Promise.reject(new Error('unknown user'))
    const refusing = await serve({ context })
    expect(statuses(await refusing.send(shelf(3), shelf(4)))).toEqual([500])
    expect(failures.errors).toHaveLength(1)
  })

  /** Lets a change set with shelves 1, 2 and 3 wait for another transaction that inserts shelf 2. */
  const blocked = async (
    service: ChangeSetService,
    during: () => Promise<unknown>,
  ): Promise<{ readonly responses: Responses; readonly release: () => Promise<void> }> => {
    const transaction = await other.startTransaction().execute()
    await sql`insert into "Shelves" values (2, 'locked')`.execute(transaction)
    const sending = service.send(shelf(1), shelf(2), shelf(3))
    await until(async () => {
      const { rows } = await sql`select 1 ${waitingHere}`.execute(transaction)
      return rows.length > 0
    })
    await during()
    const responses = await sending
    return { responses, release: async () => void (await transaction.rollback().execute()) }
  }

  it('MUST report the statement timeout once, and roll back', async () => {
    const service = await serve({}, { statementTimeout: 200 })
    const { responses, release } = await blocked(service, () => Promise.resolve())
    expect(single(responses[0])).toMatchObject({
      status: 503,
      body: expect.stringContaining('timed out') as string,
    })
    expect(failures.errors).toHaveLength(1)
    await release()
    expect(await count()).toBe(0)
    expect(statuses(await service.send(shelf(1), shelf(2), shelf(3)))).toEqual([[201, 201, 201]])
  })

  it('MUST cancel the statements of an aborted request, and roll back', async () => {
    const service = await serve({ limits: { requestTime: 300 } })
    const transaction = await other.startTransaction().execute()
    await sql`insert into "Shelves" values (2, 'locked')`.execute(transaction)
    expect(await service.statusOf(shelf(1), shelf(2), shelf(3))).toBe(503)
    await until(async () => {
      const { rows } = await sql`select 1 ${waitingHere}`.execute(transaction)
      return rows.length === 0
    })
    await transaction.rollback().execute()
    expect(await count()).toBe(0)
    expect(statuses(await service.send(shelf(1), shelf(2), shelf(3)))).toEqual([[201, 201, 201]])
  })

  it('MUST report a lost connection, and use another one', async () => {
    const service = await serve()
    const { responses, release } = await blocked(service, () =>
      sql`select pg_terminate_backend(pid) ${waitingHere}`.execute(other),
    )
    expect(statuses(responses)).toEqual([503])
    await release()
    expect(await count()).toBe(0)
    expect(statuses(await service.send(shelf(1), shelf(2), shelf(3)))).toEqual([[201, 201, 201]])
  })

  it('MUST repeat a change set after a conflict with another transaction', async () => {
    await sql
      .raw(`alter database "${name}" set default_transaction_isolation = 'serializable'`)
      .execute(other)
    const service = await serve()
    const sent = Array.from({ length: 10 }, (_, index) =>
      service.send(shelf(2 * index + 1), item(index, 2 * index + 1), shelf(2 * index + 2)),
    )
    for (const responses of await Promise.all(sent)) expect(statuses(responses)).toEqual([[201, 201, 201]])
    expect(await count()).toBe(20)
  })

  it('MUST repeat a change set whose prepared statements are outdated', async () => {
    const service = await serve({}, { db: connect(prepareStatements) })
    for (const first of [1, 11, 21]) {
      expect(statuses(await service.send(shelf(first), shelf(first + 1)))).toEqual([[201, 201]])
    }
    await sql`alter table "Shelves" alter column "Name" type text`.execute(other)
    for (const first of [31, 41, 51]) {
      expect(statuses(await service.send(shelf(first), shelf(first + 1)))).toEqual([[201, 201]])
    }
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name <> 'other' and datname = ${name}`.execute(
      other,
    )
  })

  it('MUST make changes one by one with a driver that accepts only statements as strings', async () => {
    const plain = (pool: pg.Pool): PostgresPool => ({
      connect: async () => {
        const client = await pool.connect()
        const query = (text: string, values: unknown[]): unknown => client.query(String(text), values)
        return { query, release: () => client.release() } as never
      },
      end: () => pool.end(),
    })
    const service = await serve({}, { db: connect(plain) })
    expect(statuses(await service.send(shelf(1), item(1, 1)))).toEqual([[201, 201]])
    expect(statuses(await service.send(shelf(2), item(2, 3)))).toEqual([409])
    expect(statements().some((one) => one.includes(';'))).toBe(false)
  })
})
