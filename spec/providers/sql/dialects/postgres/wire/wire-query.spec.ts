import pg from 'pg'
import { dataRowCells } from '../../../../../../lib/providers/sql/dialects/postgres/wire/data-rows.js'
import { WireQuery } from '../../../../../../lib/providers/sql/dialects/postgres/wire/wire-query.js'
import { decodeUtf8 } from '../../../../../../lib/providers/sql/wire/text-cells.js'
import { WireRows } from '../../../../../../lib/providers/sql/wire/wire-rows.js'
import { codePoint, fc, runs } from '../../../../../support/random.js'
import type { RechunkingProxy } from '../../../../../support/sql/rechunking-proxy.js'
import { startRechunkingProxy } from '../../../../../support/sql/rechunking-proxy.js'
import { PostgresServer } from '../../../../../support/sql/postgres-server.js'

type Cells = readonly (string | null)[]

describe('A query whose rows stay on the wire', () => {
  const server = PostgresServer.shared()
  let proxy: RechunkingProxy
  let client: pg.Client
  let address: string

  beforeAll(async () => {
    address = server.addressOf(await server.newDatabase())
    proxy = await startRechunkingProxy(Number(new URL(address).port))
  })
  beforeEach(async () => {
    proxy.lengths = [65_536]
    client = await open()
  })
  afterEach(() => client.end())
  afterAll(async () => {
    await proxy.stop()
    await server.stop()
  })

  async function open(config: pg.ClientConfig = {}): Promise<pg.Client> {
    const url = new URL(address)
    url.port = String(proxy.port)
    const opened = new pg.Client({ connectionString: url.href, ...config })
    opened.on('error', () => undefined)
    await opened.connect()
    return opened
  }

  async function run(text: string, values: readonly unknown[] = [], name = ''): Promise<readonly Cells[]> {
    const query = new WireQuery(text, values, [])
    query.name = name
    const { rows } = await client.query(query as unknown as pg.Submittable & PromiseLike<{ rows: WireRows }>)
    expect(rows).toBeInstanceOf(WireRows)
    return rows.sources.map((source, index) => {
      const at = rows.positions[index] ?? 0
      const cells = dataRowCells.cells(source, at, 0) as Cells
      expect(cells.map((_, column) => dataRowCells.cell(source, at, column))).toEqual(cells)
      return cells.map((cell) => (cell === null ? null : decodeUtf8(cell)))
    })
  }

  const text = fc.option(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 20 }).map((one) => one.replaceAll('\0', '')),
      fc.nat(40_000).map((length) => 'ä'.repeat(length)),
    ),
  )

  it('MUST return the cells that the database stores, however its messages are divided', async () => {
    await client.query('create temporary table notes (n serial, a text, b text)')
    const rows = fc.array(fc.tuple(text, text), { maxLength: 8 })
    const lengths = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 500, max: 70_000 })),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    await fc.assert(
      fc.asyncProperty(rows, lengths, async (stored, chunkLengths) => {
        await client.query('truncate notes')
        for (const [a, b] of stored) await client.query('insert into notes (a, b) values ($1, $2)', [a, b])
        const isLong = stored.flat().some((one) => (one ?? '').length > 1000)
        proxy.lengths = isLong ? chunkLengths.map((length) => Math.max(length, 500)) : chunkLengths
        expect(await run('select a, b from notes order by n')).toEqual(stored)
        expect(
          (await client.query({ text: 'select a, b from notes order by n', rowMode: 'array' })).rows,
        ).toEqual(stored)
      }),
      { numRuns: runs(200) },
    )
  })

  it('MUST send parameters of every kind', async () => {
    const values = ['ä', 1, 2n ** 60n, true, null, Buffer.from([0, 255]), new Uint8Array([1, 2])]
    const statement = 'select $1::text, $2::int, $3::int8, $4::bool, $5::text, $6::bytea, $7::bytea'
    expect(await run(statement, values)).toEqual([
      ['ä', '1', '1152921504606846976', 't', null, '\\x00ff', '\\x0102'],
    ])
  })

  it('MUST return the cells of an encrypted connection', async () => {
    const encrypting = await startRechunkingProxy(Number(new URL(address).port), true)
    encrypting.lengths = [7, 3000]
    await client.end()
    const url = new URL(address)
    url.port = String(encrypting.port)
    client = new pg.Client({ connectionString: url.href, ssl: { rejectUnauthorized: false } })
    await client.connect()
    const rows = await run(`select n, repeat('ü', n) from generate_series(1, 300) n`)
    expect(rows).toEqual(
      Array.from({ length: 300 }, (_, index) => [String(index + 1), 'ü'.repeat(index + 1)]),
    )
    await client.end()
    await encrypting.stop()
    client = await open()
  })

  it('MUST return no rows, and rows without columns', async () => {
    expect(await run('select 1 where false')).toEqual([])
    expect(await run('select from generate_series(1, 2)')).toEqual([[], []])
  })

  it('MUST prepare a statement with a name once', async () => {
    for (const n of [1, 2, 3]) expect(await run('select $1::int', [n], 'one')).toEqual([[String(n)]])
    const { rows } = await client.query<{ readonly name: string }>('select name from pg_prepared_statements')
    expect(rows).toEqual([{ name: 'one' }])
  })

  it('MUST reject with the error of a statement that fails after its first rows, and serve the next query', async () => {
    const failing = run('select 1 / (5000 - n) from generate_series(1, 10000) n')
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await run('select 1')).toEqual([['1']])
    await expect(run('select * from nothing')).rejects.toMatchObject({ code: '42P01' })
    expect((await client.query('select 2 as n')).rows).toEqual([{ n: 2 }])
  })

  it('MUST leave notices and notifications to the driver', async () => {
    const notices: string[] = []
    const payloads: (string | undefined)[] = []
    client.on('notice', ({ message }) => notices.push(String(message)))
    client.on('notification', ({ payload }) => payloads.push(payload))
    await client.query(
      `create function pg_temp.noticed(n int) returns int language plpgsql as
        $$ begin raise notice 'row %', n; return n; end $$`,
    )
    await client.query('listen news')
    proxy.lengths = [3, 11]
    const noticed = 'select pg_temp.noticed(n) from generate_series(1, 3) n'
    expect(await run(noticed)).toEqual([['1'], ['2'], ['3']])
    expect(notices).toEqual(['row 1', 'row 2', 'row 3'])
    await run(`select pg_notify('news', 'hello')`)
    await client.query('select 1')
    expect(payloads).toEqual(['hello'])
  })

  it('MUST run in turn with other queries of the same client', async () => {
    const results = await Promise.all([
      run('select 1'),
      client.query({ text: 'select 2', rowMode: 'array' }).then(({ rows }) => rows as unknown[]),
      run('select 3'),
    ])
    expect(results).toEqual([[['1']], [[2]], [['3']]])
  })

  it('MUST reject when the connection is lost within the rows', async () => {
    const lost = run(`select repeat('x', 1000) from generate_series(1, 100000) n`)
    client.connection.stream.once('data', () => proxy.disconnect())
    await expect(lost).rejects.toThrow('Connection terminated unexpectedly')
  })

  it("MUST end with the driver's timeout", async () => {
    const holder = await open()
    await holder.query('select pg_advisory_lock(1)')
    await client.end()
    client = await open({ query_timeout: 50 })
    await expect(run('select pg_advisory_lock(1)')).rejects.toThrow('Query read timeout')
    await holder.end()
  })

  it('MUST be refused by a driver that pipelines its queries', async () => {
    await client.end()
    client = await open({ pipeline: true })
    await expect(run('select 1')).rejects.toThrow('not supported in pipeline mode')
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  it('MUST be a string to functions that log statements', () => {
    const query = new WireQuery('select 1', [], []) as unknown as string
    expect(`${query}|${query.length}|${query.toUpperCase()}|${JSON.stringify({ query })}`).toBe(
      'select 1|8|SELECT 1|{"query":"select 1"}',
    )
  })
})
