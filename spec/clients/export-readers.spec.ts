import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'
import type { Row } from '../../lib/index.js'
import { exportShop } from '../support/export-shop.js'
import { TestServer } from '../support/http-exchange.js'
import { readCsv } from '../support/read-csv.js'
import { PostgresServer } from '../support/sql/postgres-server.js'

const run = promisify(execFile)

/** Returns `describe` for programs of Debian that are installed, otherwise `describe.skip`. */
function describeWith(program: string, ...args: readonly string[]): typeof describe.skip {
  return spawnSync(program, args).status === 0 ? describe : describe.skip
}

/** DuckDB examines the first 20,480 lines of a file. */
const PLAIN_ROWS = 20_600
/** Strings that need quotes or resemble syntax of CSV, Excel or PostgreSQL. */
const strings = [
  'say "hi"',
  'a,b',
  'one\ntwo',
  'a\rb',
  ' blank ',
  '\\.',
  '01067',
  '9007199254740993',
  'ä大😀',
]
const rows: readonly Row[] = [
  ...Array.from({ length: PLAIN_ROWS }, (_, ID) => ({ ID, String: 'plain' })),
  ...strings.map((String, index) => ({ ID: PLAIN_ROWS + index, String })),
]
const few: readonly Row[] = [
  ...[...strings, ' a\r\nb ', null, 'last'].map((String, ID) => ({ ID, String })),
  { ID: 20, DateTime: '9999-12-31T23:59:59.9999999', Time: '23:59:59.9999999' },
  { ID: 21, DateTime: '2024-02-29T13:04:59.7', Time: '13:04:59.675' },
  { ID: 22, DateTime: '2024-02-29T13:04:59', Time: '13:04:59' },
]

let directory: string
let server: TestServer

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'readers-'))
  const app = express()
  app.use('/many', exportShop({}, rows))
  app.use('/few', exportShop({}, few))
  app.use('/unmarked', exportShop({ exports: { byteOrderMark: false } }, few))
  server = await TestServer.start(app)
})
afterAll(async () => {
  await server.stop()
  await rm(directory, { recursive: true })
})

/** Downloads a file. */
async function download(path: string, format: string): Promise<string> {
  const file = join(directory, `${path.replace(/\W+/g, '-')}.${format}`)
  const { bytes } = await server.send(`/${path}&$format=${format}`)
  await writeFile(file, bytes)
  return file
}

/** The rows that a reader returns: objects of CSV, arrays of Excel. */
interface Read<RowOfReader> {
  readonly count: number
  readonly rows: readonly RowOfReader[]
}

/** Reads a file with the readers of npm. @param first the first row to return */
async function readFileWithAll<RowOfReader>(
  file: string,
  first = 0,
): Promise<ReadonlyMap<string, Read<RowOfReader>>> {
  const program = join(__dirname, 'support/read-exports.mjs')
  const { stdout } = await run(process.execPath, [program, file, String(first)], {
    maxBuffer: 100_000_000,
  })
  return new Map(Object.entries(JSON.parse(stdout) as Record<string, Read<RowOfReader>>))
}

describe('Readers of CSV from npm', () => {
  const csvReaders = ['DuckDB', 'papaparse', 'csv-parse', 'csvtojson', 'd3-dsv', 'hucre', 'SheetJS']

  it.each([
    ['two columns', 'ID,String'],
    ['one column', 'String'],
  ])('MUST read quoted strings after many lines without quotes, of %s', async (_, select) => {
    const results = await readFileWithAll<Row>(
      await download(`many/Everything?$select=${select}`, 'csv'),
      PLAIN_ROWS,
    )
    expect([...results.keys()]).toEqual(csvReaders)
    for (const [reader, { count, rows: last }] of results) {
      expect([reader, count]).toEqual([reader, rows.length])
      expect([reader, ...last.map((one) => one.String)]).toEqual([reader, ...strings])
    }
  })

  it('MUST have a row for null in one column, unless they skip empty rows', async () => {
    const results = await readFileWithAll<Row>(await download('few/Everything?$select=String', 'csv'))
    for (const [reader, { count }] of results) {
      const skips = reader === 'papaparse' || reader === 'SheetJS'
      expect([reader, count]).toEqual([reader, skips ? few.length - 4 : few.length])
    }
  })
})

describe('Readers of Excel files from npm', () => {
  it('MUST read text and times', async () => {
    const select = 'ID,String,DateTime,Time'
    const results = await readFileWithAll<(string | null | undefined)[]>(
      await download(`few/Everything?$select=${select}`, 'xlsx'),
    )
    expect([...results.keys()]).toEqual(['SheetJS', 'exceljs', 'hucre'])
    for (const [reader, { count, rows: read }] of results) {
      expect([reader, count]).toEqual([reader, few.length + 1])
      const [, ...texts] = read.map((row) => row[1] || null)
      const expected = [...strings, ' a\r\nb ', null, 'last', null, null, null]
      expect([reader, ...texts]).toEqual([reader, ...expected])
    }
    const shown = results.get('SheetJS')?.rows.slice(-3)
    // SheetJS 0.18 shows nothing after the midnight at which the last day begins.
    expect(shown?.map(([, , dateTime, time]) => [dateTime, time])).toEqual([
      ['', '23:59:59.999'],
      ['2024-02-29 13:04:59.700', '13:04:59.675'],
      ['2024-02-29 13:04:59', '13:04:59'],
    ])
    const dates = results.get('exceljs')?.rows.slice(-3)
    expect(dates?.map((row) => row[2])).toEqual([
      '9999-12-31T23:59:59.999Z',
      '2024-02-29T13:04:59.700Z',
      '2024-02-29T13:04:59.000Z',
    ])
  })
})

describeWith('psql', '--version')('psql', () => {
  const postgres = PostgresServer.shared()

  it.each([
    ['one column', 'String', 'text text'],
    ['two columns', 'ID,String', 'id int, text text'],
  ])('MUST copy every row of %s', async (_, select, columns) => {
    const file = await download(`unmarked/Everything?$select=${select}`, 'csv')
    const address = postgres.addressOf(await postgres.newDatabase())
    const { stdout } = await run('psql', [
      ...['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--dbname', address],
      ...['--command', `create table export (${columns})`],
      ...['--command', `\\copy export from '${file}' csv header`],
      ...['--command', 'select json_agg(text) from export'],
    ])
    const empty = select === 'String' ? '' : null
    const expected = [...strings, ' a\r\nb ', empty, 'last', empty, empty, empty]
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})

const PYTHON = '/usr/bin/python3'

describeWith(
  PYTHON,
  '-c',
  'import openpyxl',
)('openpyxl', () => {
  it('MUST read text and times', async () => {
    const file = await download('few/Everything?$select=String,DateTime,Time', 'xlsx')
    const script = `import json, sys, openpyxl
rows = openpyxl.load_workbook(sys.argv[1]).active.iter_rows(min_row=2, values_only=True)
print(json.dumps([[None if cell is None else str(cell) for cell in row] for row in rows]))`
    const { stdout } = await run(PYTHON, ['-c', script, file])
    const read = JSON.parse(stdout) as readonly (readonly unknown[])[]
    expect(read.slice(0, -3).map(([text]) => text)).toEqual([...strings, ' a\r\nb ', null, 'last'])
    expect(read.slice(-3)).toEqual([
      [null, '9999-12-31 23:59:59.999000', '23:59:59.999000'],
      [null, '2024-02-29 13:04:59.700000', '13:04:59.675000'],
      [null, '2024-02-29 13:04:59', '13:04:59'],
    ])
  })
})

describeWith('ssconvert', '--version')('Gnumeric', () => {
  it('MUST show text and times', async () => {
    const file = await download('few/Everything?$select=String,DateTime,Time&$filter=ID%20ne%203', 'xlsx')
    const target = `${file}.csv`
    // Gnumeric writes carriage returns without quotes.
    await run('ssconvert', [
      '--export-type=Gnumeric_stf:stf_assistant',
      '--export-options=format=preserve',
      file,
      target,
    ])
    const text = (await readFile(target, 'utf8')).replace(/"[^"]*"|\n/g, (part) =>
      part === '\n' ? '\r\n' : part,
    )
    const [, ...lines] = readCsv(text).map((line) => line.map(({ value }) => value))
    const expected = [...strings.filter((one) => one !== 'a\rb'), ' a\r\nb ', '', 'last']
    expect(lines.slice(0, -3).map(([value]) => value)).toEqual(expected)
    expect(lines.slice(-3).map(([, ...times]) => times)).toEqual([
      ['9999-12-31 23:59:59.999', '23:59:59.999'],
      ['2024-02-29 13:04:59.700', '13:04:59.675'],
      ['2024-02-29 13:04:59', '13:04:59'],
    ])
  })
})
