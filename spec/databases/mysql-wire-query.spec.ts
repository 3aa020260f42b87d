import type { Duplex } from 'node:stream'
import type { Pool, PoolConnection, PoolOptions } from 'mysql2'
import { createPool } from 'mysql2'
import { MysqlWireQuery } from '../../lib/providers/sql/dialects/mysql/wire/mysql-wire-query.js'
import type { WireRows } from '../../lib/providers/sql/wire/wire-rows.js'
import { codePoint, fc, runs } from '../support/random.js'
import { MysqlProxy } from '../support/sql/mysql-proxy.js'
import { SharingStream } from '../support/sql/sharing-stream.js'
import type { RechunkingProxy } from '../support/sql/rechunking-proxy.js'

type Cells = readonly (string | null)[]

let mysql: MysqlProxy
let proxy: RechunkingProxy

beforeAll(async () => {
  mysql = await MysqlProxy.start()
  ;({ proxy } = mysql)
})

afterAll(() => mysql.stop())

describe('A query of mysql2 whose rows stay on the wire', () => {
  let pool: Pool

  beforeEach(() => {
    proxy.lengths = [65_536]
    pool = open()
  })
  afterEach(() => close(pool))

  function open(options: PoolOptions = {}): Pool {
    return createPool(mysql.poolOptions(options))
  }

  /** @returns the rows of the driver */
  function query(statement: unknown, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      pool.query(statement as string, [...values] as string[], (error, rows) => {
        if (error) reject(error)
        else resolve(rows as unknown[])
      })
    })
  }

  /** Returns cells as strings of bytes. */
  async function run(text: string, count: number): Promise<readonly Cells[]> {
    const statement = new MysqlWireQuery(text)
    await query(statement)
    const { rows } = statement
    expect(statement.again()).toBeUndefined()
    return cellsOf(rows, count)
  }

  function cellsOf(rows: WireRows | undefined, count: number): readonly Cells[] {
    if (rows === undefined) return []
    const { sources, positions, reader } = rows
    return sources.map((source, row) => {
      const at = positions[row] ?? 0
      const cells = reader.cells(source, at, count) as Cells
      expect(cells.map((_, index) => reader.cell(source, at, index))).toEqual(cells)
      return cells
    })
  }

  /** Returns the same cells from the buffers of the driver. */
  async function buffers(text: string): Promise<readonly Cells[]> {
    const rows = await query({ sql: text, rowsAsArray: true, typeCast: false })
    return (rows as readonly (readonly (Buffer | null)[])[]).map((row) =>
      row.map((cell) => cell?.toString('latin1') ?? null),
    )
  }

  const value = fc.option(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 20 }),
      fc.constantFrom(
        '',
        '\0',
        '\u00fb',
        'x'.repeat(250),
        'x'.repeat(251),
        'y'.repeat(65_535),
        'z'.repeat(65_536),
      ),
      fc.nat(40_000).map((length) => 'ä'.repeat(length)),
    ),
  )

  it('MUST return the cells that the database sends, however its packets are divided', async () => {
    await query(
      'create temporary table notes (n int primary key, a longtext, b longblob, c longtext) character set utf8mb4',
    )
    const rows = fc.array(fc.tuple(value, value, value), { maxLength: 8 })
    const lengths = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 500, max: 70_000 })),
      { minLength: 1, maxLength: 6 },
    )
    const text = 'select a, b, c from notes order by n'
    await fc.assert(
      fc.asyncProperty(rows, lengths, async (stored, chunkLengths) => {
        proxy.lengths = [65_536]
        await query('delete from notes')
        for (const [n, row] of stored.entries())
          await query('insert into notes values (?, ?, ?, ?)', [n, ...row])
        const isLong = stored.flat().some((one) => (one ?? '').length > 1000)
        proxy.lengths = isLong ? chunkLengths.map((length) => Math.max(length, 500)) : chunkLengths
        const cells = await run(text, 3)
        expect(cells).toEqual(
          stored.map((row) => row.map((one) => (one === null ? null : Buffer.from(one).toString('latin1')))),
        )
        expect(cells).toEqual(await buffers(text))
      }),
      { numRuns: runs(150) },
    )
  })

  it('MUST return rows of several packets, of 16 MB each', async () => {
    await query('set global max_allowed_packet = 1073741824')
    await close(pool)
    pool = open()
    // Other specs use the same server.
    await query('set global max_allowed_packet = default')
    const lengths = [16_777_200, 16_777_215, 16_777_216, 33_554_500]
    const text = `select null, repeat('x', n), 'ä', n from (${lengths.map((n) => `select ${String(n)} as n`).join(' union all ')}) as l order by n`
    const rows = await run(text, 4)
    expect(rows.map(([first, long, short, n]) => [first, long?.length, long?.at(-1), short, n])).toEqual(
      lengths.map((n) => [null, n, 'x', '\u00c3\u00a4', String(n)]),
    )
  })

  it('MUST return no rows, and rows of nulls', async () => {
    expect(await run('select 1, 2 from dual where 1 = 0', 2)).toEqual([])
    const text =
      "select null as a, null as b, 1 as n union all select null, null, 2 union all select 'x', null, 3 order by n"
    expect(await run(`select a, b from (${text}) as t order by n`, 2)).toEqual([
      [null, null],
      [null, null],
      ['x', null],
    ])
    expect(await run('select null as a, null as b', 2)).toEqual([[null, null]])
    expect(await run("select '', ''", 2)).toEqual([['', '']])
  })

  /** A table expression of numbers from one. */
  const sequence = (count: number): string =>
    `(with recursive seq (seq) as (select 1 union all select seq + 1 from seq where seq < ${String(count)}) select seq from seq) as seq`

  it('MUST return the cells of a compressed connection', async () => {
    await close(pool)
    pool = open({ compress: true })
    proxy.lengths = [700, 3, 20_000]
    const text = `select seq, repeat('ü', seq), null from ${sequence(500)}`
    const rows = await run(text, 3)
    expect(rows).toHaveLength(500)
    expect(rows).toEqual(await buffers(text))
  })

  it('MUST notice that the driver received other bytes than those that follow a row in its memory', async () => {
    await close(pool)
    pool = open({ stream: () => SharingStream.connect(proxy.port) })
    const text = `select seq, repeat('x', 20) from ${sequence(1000)}`
    const statement = new MysqlWireQuery(text)
    await query(statement)
    expect(statement.rows.length).toBeGreaterThan(0)
    const again = statement.again()
    await query(again)
    expect(again?.again()).toBeUndefined()
    expect(cellsOf(again?.rows, 2)).toEqual(await buffers(text))
  })

  it('MUST reject with the error of a statement that fails after its first rows, and serve the next query', async () => {
    const failing = `select seq, repeat('x', 30000), (select 1 union select if(seq < 500, 1, 2)) from ${sequence(1000)}`
    await expect(run(failing, 3)).rejects.toMatchObject({ errno: 1242 })
    expect(await run('select 1', 1)).toEqual([['1']])
    await expect(run('select * from nothing', 1)).rejects.toMatchObject({ errno: 1146 })
    expect(await query('select 2 as n')).toEqual([{ n: 2 }])
  })

  it('MUST run in turn with other queries of the same connection', async () => {
    const results = await Promise.all([run('select 1', 1), query('select 2 as n'), run('select 3', 1)])
    expect(results).toEqual([[['1']], [{ n: 2 }], [['3']]])
  })

  it('MUST reject when the connection is lost within the rows, and use another connection next', async () => {
    const connection = await new Promise<PoolConnection>((resolve, reject) => {
      pool.getConnection((error, opened) => {
        if (error) reject(error)
        else resolve(opened)
      })
    })
    const { stream } = connection as unknown as { readonly stream: Duplex }
    connection.release()
    const lost = run(`select repeat('x', 1000), sleep(0.001) from ${sequence(1000)}`, 2)
    stream.once('data', () => proxy.disconnect())
    await expect(lost).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' })
    expect(await run('select 1', 1)).toEqual([['1']])
  })

  it('MUST be a string to functions that log statements', () => {
    const statement = new MysqlWireQuery('select 1') as unknown as string
    expect(
      `${statement}|${statement.length}|${statement.toUpperCase()}|${JSON.stringify({ statement })}`,
    ).toBe('select 1|8|SELECT 1|{"statement":"select 1"}')
  })
})

function close(pool: Pool): Promise<void> {
  return new Promise((resolve) => {
    pool.end(() => resolve())
  })
}
