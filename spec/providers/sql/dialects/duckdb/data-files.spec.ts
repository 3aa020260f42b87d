import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { odataV2, writeEdmx } from '../../../../../lib/index.js'
import type { OpenedDatabase } from '../../../../../lib/sql.js'
import { openDatabase } from '../../../../../lib/sql.js'
import type { HttpResponse } from '../../../../support/http-exchange.js'
import { TestServer } from '../../../../support/http-exchange.js'
import { runDuckDb } from '../../../../support/sql/duckdb.js'

const directory = mkdtempSync(join(tmpdir(), 'data-files-'))
const at = (name: string): string => join(directory, name)
const opened: OpenedDatabase[] = []
let servers: TestServer[] = []

afterEach(async () => {
  await Promise.all(servers.map((one) => one.stop()))
  await Promise.all(opened.splice(0).map((one) => one.close()))
  servers = []
})
afterAll(() => rmSync(directory, { recursive: true }))

/** A service of one file. */
async function serve(name: string, options: Parameters<typeof openDatabase>[1] = {}) {
  const database = await openDatabase(name, options)
  opened.push(database)
  const service = odataV2(database.model, database.provider, { onError: () => undefined, pageSize: 1000 })
  const server = await TestServer.start(express().use(service))
  servers.push(server)
  const send = (path: string, method = 'GET'): Promise<HttpResponse> =>
    server.send(encodeURI(`/${path}`), { method, headers: { Accept: 'application/json' } })
  return {
    metadata: writeEdmx(database.model),
    send,
    rows: async (path: string): Promise<readonly Record<string, unknown>[]> => {
      const { status, text } = await send(path)
      expect([path, status, text.slice(0, 300)]).toEqual([path, 200, expect.any(String)])
      const { d } = JSON.parse(text) as { readonly d: { readonly results?: Record<string, unknown>[] } }
      return (d.results ?? [d as Record<string, unknown>]).map(({ __metadata, ...row }) => row)
    },
  }
}

/** The message of an error response. */
function messageOf({ text }: HttpResponse): string {
  return (JSON.parse(text) as { error: { message: { value: string } } }).error.message.value
}

const csv = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

describe('openDatabase on a CSV file', () => {
  it('MUST serve its rows, with the number of each as the key, and types that have all digits', async () => {
    writeFileSync(
      at("it's.csv"),
      csv(
        'id,zip,card,amount,born,at,ok,note',
        '1,01234,12345678901234567890,1.5,2020-02-29,2020-01-01 10:00:00+02:00,true,"a,b"',
        '2,99999,7,2.25,2021-01-01,2020-01-01 00:00:00Z,false,',
      ),
    )
    const { rows, metadata, send } = await serve(at("it's.csv"))
    const set = /EntitySet Name="(\w+)"/.exec(metadata)?.[1] ?? ''
    expect(await rows(set)).toEqual([
      {
        Rowid: '0',
        Id: '1',
        Zip: '01234',
        Card: '12345678901234567890',
        Amount: '1.5',
        Born: '/Date(1582934400000)/',
        At: '/Date(1577865600000+0000)/',
        Ok: true,
        Note: 'a,b',
      },
      expect.objectContaining({ Rowid: '1', Zip: '99999', Card: '7', Note: null }),
    ])
    expect(await rows(`${set}(1L)`)).toMatchObject([{ Id: '2' }])
    expect(await rows(`${set}?$filter=Card gt 12345678901234567889M and Note eq 'a,b'`)).toHaveLength(1)
    expect((await send(`${set}(1L)`, 'DELETE')).status).toBe(405)
    expect((await send(`${set}(9L)`)).status).toBe(404)
  })

  it('MUST serve the rows of now after the file has changed or was replaced', async () => {
    const file = at('stock.csv')
    writeFileSync(file, csv('id,name', '1,one'))
    const { rows, send } = await serve(file)
    expect(await rows('Stocks')).toHaveLength(1)
    for (let count = 2; count <= 5; count++) {
      appendFileSync(file, csv(`${count},more`))
      const answers = await Promise.all([rows('Stocks'), rows('Stocks?$orderby=Name'), rows('Stocks')])
      expect(answers.map((one) => one.length)).toEqual([count, count, count])
    }
    writeFileSync(at('new.csv'), csv('name,extra,id', 'swapped,x,9'))
    renameSync(at('new.csv'), file)
    expect(await rows('Stocks')).toEqual([{ Rowid: '0', Id: '9', Name: 'swapped' }])
    expect((await send('Stocks/$count')).text).toBe('1')
  })

  it('MUST respond with 503 and the line while a changed file is invalid, and recover', async () => {
    const file = at('prices.csv')
    const lines = ['id,price', ...Array.from({ length: 30_000 }, (_, index) => `${index},${index}`)]
    writeFileSync(file, csv(...lines))
    const { rows, send } = await serve(file)
    appendFileSync(file, csv('30000,secret'))
    for (const path of ['Prices?$top=1', 'Prices(0L)']) {
      const response = await send(path)
      expect([response.status, messageOf(response)]).toEqual([
        503,
        "'prices.csv' is invalid in line 30002: the value of 'price' is not a valid BIGINT.",
      ])
      expect(response.text).not.toContain(directory)
      expect(response.text).not.toContain('secret')
    }
    writeFileSync(file, csv(...lines, '30000,1,2'))
    expect(messageOf(await send('Prices'))).toBe(
      "'prices.csv' is invalid in line 30002: it has 3 columns instead of 2.",
    )
    writeFileSync(file, csv('id', '1'))
    expect(messageOf(await send('Prices'))).toBe("'prices.csv' no longer has the columns of the service.")
    rmSync(file)
    expect(messageOf(await send('Prices'))).toBe("'prices.csv' does not exist.")
    writeFileSync(file, csv(...lines))
    expect(await rows('Prices?$orderby=Price desc&$top=1')).toMatchObject([{ Price: '29999' }])
  })

  it('MUST be refused at the start with the invalid line', async () => {
    writeFileSync(at('late.csv'), csv('n,m', ...Array.from({ length: 30_000 }, () => '1,2'), 'x,2'))
    await expect(openDatabase(at('late.csv'))).rejects.toThrow(
      "cannot be opened: 'late.csv' is invalid in line 30002: the value of 'n' is not a valid BIGINT.",
    )
    await expect(openDatabase(at('missing.csv'))).rejects.toThrow(
      /missing\.csv' cannot be opened: .*no such file/,
    )
  })

  it('MUST have its values without quotation marks, even if the first rows have none', async () => {
    writeFileSync(
      at('quotes.csv'),
      csv(
        'n,note',
        ...Array.from({ length: 30_000 }, (_, index) => `${index},x`),
        '30000,"say ""hi"", please"',
      ),
    )
    const { rows } = await serve(at('quotes.csv'))
    expect(await rows('Quotes(30000L)')).toMatchObject([{ Note: 'say "hi", please' }])
  })

  it('MUST have a row number even if a column has its name', async () => {
    writeFileSync(at('taken.csv'), csv('rowid,x', '7,1', '7,2'))
    const { rows } = await serve(at('taken.csv'))
    expect(await rows('Takens(1L)')).toMatchObject([{ Rowid: '7', X: '2' }])
  })

  it('MUST be read from its own path only, even if that looks like a pattern', async () => {
    writeFileSync(at('a[1]*.csv'), csv('id', '1'))
    writeFileSync(at('a1x.csv'), csv('id', '2'))
    const { rows } = await serve(at('a[1]*.csv'))
    expect(await rows('A1s')).toEqual([{ Rowid: '0', Id: '1' }])
  })

  it('MUST have the key that the application names', async () => {
    writeFileSync(at('orders.csv'), csv('no,total', 'A,1', 'B,2'))
    const { rows, metadata } = await serve(at('orders.csv'), { keys: { orders: ['no'] } })
    expect(metadata).toContain('<PropertyRef Name="No"/>')
    expect(await rows("Orders('B')")).toEqual([{ Rowid: '1', No: 'B', Total: '2' }])
  })
})

describe('openDatabase on a JSON file', () => {
  it('MUST serve nested values as JSON, and long integers exactly', async () => {
    const rows = [
      { a: 1, b: { c: [1, 2] }, u: '00000000-0000-0000-0000-00000000000a', big: 1 },
      { a: 2, b: null, tags: ['x', 'y'] },
    ]
    const text = JSON.stringify(rows).replace('"big":1', '"big":123456789012345678901')
    writeFileSync(at('data.json'), text)
    const expected = [
      {
        Rowid: '0',
        A: '1',
        B: '{"c":[1,2]}',
        U: '00000000-0000-0000-0000-00000000000a',
        Big: '123456789012345678901',
        Tags: null,
      },
      { Rowid: '1', A: '2', B: null, U: null, Big: null, Tags: '["x","y"]' },
    ]
    const service = await serve(at('data.json'))
    expect(await service.rows('Data')).toEqual(expected)
    expect(await service.rows(`Data?$filter=B eq '{"c":[1,2]}' and substringof('2',B)`)).toHaveLength(1)
    writeFileSync(at('lines.ndjson'), csv(...rows.map((row) => JSON.stringify(row))))
    expect(await (await serve(at('lines.ndjson'))).rows('Lines?$orderby=A desc')).toMatchObject([
      { A: '2' },
      { A: '1' },
    ])
  })
})

describe('openDatabase on Parquet files', () => {
  const types: readonly (readonly [sql: string, type: string, json: unknown])[] = [
    [
      '12345678901234567890123456789012345.678::decimal(38,3)',
      'Edm.Decimal',
      '12345678901234567890123456789012345.678',
    ],
    ['18446744073709551615::ubigint', 'Edm.Decimal', '18446744073709551615'],
    ['170141183460469231731687303715884105727::hugeint::decimal(38,0) - 1', 'Edm.Decimal', undefined],
    ['9223372036854775807::bigint', 'Edm.Int64', '9223372036854775807'],
    ['4294967295::uinteger', 'Edm.Int64', '4294967295'],
    ['65535::usmallint', 'Edm.Int32', 65535],
    ['255::utinyint', 'Edm.Byte', 255],
    ["date '2020-02-29'", 'Edm.DateTime', '/Date(1582934400000)/'],
    ["timestamp_ms '2020-01-01 00:00:00.123'", 'Edm.DateTime', '/Date(1577836800123)/'],
    ["timestamptz '2020-01-01 02:00:00+02'", 'Edm.DateTimeOffset', '/Date(1577836800000+0000)/'],
    ["time '13:20:00'", 'Edm.Time', 'PT13H20M00S'],
    ["uuid '00000000-0000-0000-0000-00000000000A'", 'Edm.Guid', '00000000-0000-0000-0000-00000000000a'],
    [String.raw`'\x01\xFF'::blob`, 'Edm.Binary', 'Af8='],
    ["'ok'::enum('sad', 'ok')", 'Edm.String', 'ok'],
    ['[1, null]', 'Edm.String', '[1,null]'],
    ["{'a': date '2020-01-01'}", 'Edm.String', '{"a":"2020-01-01"}'],
    ["map {'k': 1}", 'Edm.String', '{"k":1}'],
    ['0.1::float', 'Edm.Single', '0.1'],
    ["interval '1 day'", 'Edm.String', '1 day'],
  ]

  it('MUST be served with their types and digits', async () => {
    const own = types.filter(([, , json]) => json !== undefined)
    const list = own.map(([sql], index) => `${sql} as c${index}`).join(', ')
    await runDuckDb(`copy (select ${list}) to '${at('types.parquet')}'`)
    const { rows, metadata } = await serve(at('types.parquet'))
    const [row = {}] = await rows('Types')
    own.forEach(([sql, type, json], index) => {
      const found = new RegExp(`Name="C${index}" Type="([\\w.]+)"`).exec(metadata)?.[1]
      expect([sql, found, row[`C${index}`]]).toEqual([sql, type, json])
    })
    expect(await rows("Types?$filter=C12 eq 'ok'")).toHaveLength(1)
    expect(await rows('Types?$filter=C0 gt 12345678901234567890123456789012345.67M')).toHaveLength(1)
    expect(await rows('Types?$filter=C0 lt 0.001M or C1 lt -1')).toHaveLength(0)
  })

  it('MUST be one set for a directory, whose partitions are columns and conditions', async () => {
    const select = 'select i as id, i % 3 as region, 2020 + i % 2 as year from range(10) t(i)'
    await runDuckDb(`copy (${select}) to '${at('sales')}' (format parquet, partition_by (year, region))`)
    const { rows, send } = await serve(`parquet:${at('sales')}`)
    expect(await rows('Sales?$filter=Year eq 2021 and Region eq 0&$orderby=Id')).toMatchObject([
      { Id: '3', Year: '2021', Rowfile: 'year=2021/region=0/data_0.parquet', Rowid: '0' },
      { Id: '9' },
    ])
    expect(await rows("Sales(Rowfile='year=2021/region=0/data_0.parquet',Rowid=1L)")).toMatchObject([
      { Id: '9' },
    ])
    await runDuckDb(`copy (select 77 as id) to '${at('sales/year=2020/region=1/more.parquet')}'`)
    expect((await send('Sales/$count')).text).toBe('11')
  })

  it('MUST serve the rows of now, and refuse files with other columns', async () => {
    const file = at('live.parquet')
    await runDuckDb(`copy (select 1 as a, 'x' as b) to '${file}'`)
    const { rows, send } = await serve(file)
    expect(await rows('Lives')).toEqual([{ Rowid: '0', A: 1, B: 'x' }])
    await runDuckDb(`copy (select 2::bigint as a, 'y' as b, 3 as c) to '${file}'`)
    expect(await rows('Lives')).toEqual([{ Rowid: '0', A: 2, B: 'y' }])
    await runDuckDb(`copy (select 2 as a) to '${file}'`)
    expect(messageOf(await send('Lives'))).toBe("'live.parquet' no longer has the columns of the service.")
    writeFileSync(file, 'PAR1')
    const broken = await send('Lives')
    expect([broken.status, messageOf(broken)]).toEqual([503, "'live.parquet' cannot be read."])
  })
})

describe('openDatabase on a DuckDB database', () => {
  it('MUST serve tables with keys, foreign keys and row ids, without other files', async () => {
    const file = at('shop.duckdb')
    writeFileSync(at('private.csv'), csv('secret', '1'))
    await runDuckDb(
      `attach '${file}' as shop`,
      'use shop',
      'create table categories (id integer primary key, name varchar not null)',
      'create table products (id integer primary key, category_id integer references categories (id), price decimal(10, 2))',
      'create table log (line varchar)',
      `create view leak as select secret as id from read_csv('${at('private.csv')}')`,
      "insert into categories values (1, 'Cheese')",
      'insert into products values (7, 1, 2.5)',
      "insert into log values ('a'), ('b')",
      'use memory',
      'detach shop',
    )
    const { rows, send } = await serve(file)
    expect(await rows('Products(7)?$expand=Category')).toMatchObject([
      { Price: '2.50', Category: { Name: 'Cheese' } },
    ])
    expect(await rows("Logs?$filter=Line eq 'b'")).toEqual([{ Rowid: '1', Line: 'b' }])
    expect((await send('Products(7)', 'DELETE')).status).toBe(405)
    await expect(openDatabase(file, { keys: { leak: ['id'] } })).rejects.toThrow(
      'file system operations are disabled by configuration',
    )
  })
})

describe('The options of openDatabase for DuckDB', () => {
  it('MUST be checked', async () => {
    await expect(openDatabase(at('a.csv'), { memoryLimit: 'lots' })).rejects.toThrow(
      "openDatabase: memoryLimit must be a number with a unit, such as '256MB'.",
    )
    await expect(openDatabase(at('a.csv'), { threads: 0 })).rejects.toThrow(
      'openDatabase: threads must be a whole number greater than 0.',
    )
  })
})

describe('A request that takes too long', () => {
  it('MUST free its connection, although its statement would run for hours', async () => {
    const file = at('endless.duckdb')
    await runDuckDb(
      `attach '${file}' as shop`,
      'use shop',
      'create table small (id integer primary key)',
      'insert into small values (1)',
      'create view endless as select range as id, range % 7 as rest from range(90000000000000)',
      'use memory',
      'detach shop',
    )
    const { model, provider, close } = await openDatabase(file, { keys: { endless: ['id'] } })
    const service = odataV2(model, provider, { limits: { requestTime: 500 }, onError: () => undefined })
    const server = await TestServer.start(express().use(service))
    servers.push(server)
    // As many as the database has connections.
    const endless = Array.from({ length: 4 }, () => server.send('/Endlesses?$filter=Rest%20eq%208'))
    expect((await Promise.all(endless)).map(({ status }) => status)).toEqual([503, 503, 503, 503])
    // The statements are interrupted a little later.
    let count = ''
    while (count !== '1') count = (await server.send('/Smalls/$count')).text
    await close()
  })
})
