import type { PostgresPool } from 'kysely'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import Cursor from 'pg-cursor'
import { prepareStatements } from '../../../../../lib/providers/sql/dialects/postgres/prepare-statements.js'
import type { AnyDatabase } from '../../../../support/sql/model-tables.js'
import { openPool } from '../../../../support/sql/open-pool.js'
import { PostgresServer } from '../../../../support/sql/postgres-server.js'

describe('prepareStatements', () => {
  let server: PostgresServer
  let pool: pg.Pool
  let db: AnyDatabase

  beforeAll(async () => {
    server = PostgresServer.shared()
  })
  afterAll(() => server.stop())

  beforeEach(async () => {
    pool = openPool({ connectionString: server.addressOf(await server.newDatabase()), max: 1 })
    db = on(prepareStatements(pool))
    await run('create table notes (id integer primary key, body varchar(20))')
    await run(`insert into notes values (1, 'one'), (2, 'two')`)
  })
  afterEach(() => db.destroy())

  const on = (prepared: PostgresPool): AnyDatabase =>
    new Kysely({ dialect: new PostgresDialect({ pool: prepared, cursor: Cursor }) })

  async function run(text: string, parameters: readonly unknown[] = [], within = db): Promise<unknown[]> {
    const { rows } = await within.executeQuery(CompiledQuery.raw(text, [...parameters]))
    return rows
  }

  /** Without parameters it is not prepared itself. */
  async function prepared(): Promise<unknown[]> {
    const found = await run('select statement from pg_prepared_statements order by prepare_time')
    return found.map((row) => (row as { readonly statement: string }).statement)
  }

  const byId = 'select body from notes where id = $1'

  it('MUST prepare a statement when it is repeated, and return the same rows', async () => {
    expect(await run(byId, [1])).toEqual([{ body: 'one' }])
    expect(await prepared()).toEqual([])
    for (const id of [1, 2, 1]) expect(await run(byId, [id])).toEqual([{ body: id === 1 ? 'one' : 'two' }])
    expect(await run(byId, [3])).toEqual([])
    expect(await prepared()).toEqual([byId])
  })

  it('MUST NOT have statements without parameters prepared', async () => {
    for (let times = 0; times < 3; times++) await run('select 1 as one')
    expect(await prepared()).toEqual([])
  })

  it('MUST return the affected rows and errors of a statement, as without it', async () => {
    const insert = 'insert into notes values ($1, $2)'
    for (const id of [3, 4, 5]) {
      const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(insert, [id, 'more']))
      expect(numAffectedRows).toBe(1n)
    }
    await expect(run(insert, [5, 'again'])).rejects.toMatchObject({ code: '23505', table: 'notes' })
    expect(await run(byId, [5])).toEqual([{ body: 'more' }])
  })

  it('MUST support cursors', async () => {
    const bodies: unknown[] = []
    await db.connection().execute(async (connection) => {
      const query = CompiledQuery.raw('select body from notes order by id')
      for await (const { rows } of connection.getExecutor().stream(query, 1)) bodies.push(...rows)
    })
    expect(bodies).toEqual([{ body: 'one' }, { body: 'two' }])
  })

  it('MUST return rows after the type of a column has changed', async () => {
    for (let times = 0; times < 3; times++) await run(byId, [1])
    await run('alter table notes alter column body type char(5)')
    for (let times = 0; times < 3; times++) expect(await run(byId, [1])).toEqual([{ body: 'one  ' }])
    expect(await prepared()).toEqual([byId, byId])
  })

  it('MUST return rows after the session has lost its prepared statements', async () => {
    for (let times = 0; times < 3; times++) await run(byId, [1])
    await run('deallocate all')
    for (let times = 0; times < 3; times++) expect(await run(byId, [2])).toEqual([{ body: 'two' }])
  })

  it('MUST report a lost statement in a transaction, which cannot continue, and prepare it again', async () => {
    for (let times = 0; times < 3; times++) await run(byId, [1])
    await run('deallocate all')
    const transaction = db.transaction().execute((within) => run(byId, [1], within))
    await expect(transaction).rejects.toMatchObject({ code: '26000' })
    expect(await db.transaction().execute((within) => run(byId, [1], within))).toEqual([{ body: 'one' }])
  })

  it('MUST prepare the statements of two wrappers on the same connections separately', async () => {
    const other = on(prepareStatements(pool))
    for (let times = 0; times < 3; times++) {
      expect(await run(byId, [1])).toEqual([{ body: 'one' }])
      expect(await run('select id from notes where body = $1', ['two'], other)).toEqual([{ id: 2 }])
    }
    expect(await prepared()).toHaveLength(2)
  })

  it('MUST close a connection on which many were prepared', async () => {
    db = on(prepareStatements(pool, 2))
    const session = async (): Promise<unknown> => (await run('select pg_backend_pid() as pid'))[0]
    const first = await session()
    for (const n of [1, 2, 3])
      for (let times = 0; times < 2; times++) await run(`select $1::int + ${String(n)} as n`, [1])
    expect(await session()).toEqual(first)
    expect(await prepared()).toHaveLength(3)
    for (let times = 0; times < 2; times++)
      expect(await run(`select $1::int + 4 as n`, [1])).toEqual([{ n: 5 }])
    expect(await session()).not.toEqual(first)
    expect(await prepared()).toEqual([])
  })

  it.each([undefined, {}, 'postgres://'])('MUST reject a value that is not a pool: %p', (what) => {
    expect(() => prepareStatements(what as unknown as PostgresPool)).toThrow(/must be a Pool of pg/)
  })

  it.each([0, -1, 1.5, Number.NaN])('MUST reject an invalid capacity: %p', (capacity) => {
    expect(() => prepareStatements(pool, capacity)).toThrow(/positive whole number/)
  })
})
