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

/** LibreOffice, from Debian's package `libreoffice-calc-nogui`. The specs are skipped where it is not installed. */
const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0
const describeWithLibreOffice = hasLibreOffice ? describe : describe.skip

const run = promisify(execFile)

/** Comma, quotes, UTF-8, from line 1, all fields as they are shown. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1'

const everything: readonly Row[] = [
  {
    ID: 1,
    String: 'Größe 大 😀 "a",b',
    Boolean: true,
    Int64: 123456789012345n,
    Decimal: '12.5',
    Double: 0.1,
    DateTime: '2024-02-29T13:45:59',
    Day: '2024-02-29T00:00:00',
    DateTimeOffset: '2024-02-29T02:00:00+02:00',
    Time: '13:45:59',
  },
  { ID: 2 },
  {
    ID: 3,
    String: '=1+1',
    Boolean: false,
    Int64: 9007199254740993n,
    Decimal: '-1234567890123456.789',
    Double: Number.NaN,
    DateTime: '1900-03-01T00:00:00',
    Day: '1900-02-28T00:00:00',
    DateTimeOffset: '9999-12-31T23:59:59Z',
    Time: '00:00:00',
  },
  {
    ID: 4,
    DateTime: '2024-02-29T23:59:59.9996',
    Time: '13:04:59.7',
    String: ' _x000D_ <&>\u0001\n',
    Decimal: '-0.001',
    Double: -2.5,
    Day: '1999-12-31T00:00:00',
  },
]

const shown = [
  ['ID', 'String', 'Boolean', 'Int64', 'Decimal', 'Double', 'DateTime', 'Day', 'DateTimeOffset', 'Time'],
  ['1', 'Größe 大 😀 "a",b', 'TRUE', '123456789012345', '12.500', '0.1', '2024-02-29 13:45:59'],
  ['2', '', '', '', '', '', '', '', '', ''],
  ['3', '=1+1', 'FALSE', '9007199254740993', '-1234567890123456.789', 'NaN', '1900-03-01 00:00:00'],
  [
    '4',
    ' _x000D_ <&>\u0001\n',
    '',
    '',
    '-0.001',
    '-2.5',
    '2024-02-29 23:59:59.999',
    '1999-12-31',
    '',
    '13:04:59.700',
  ],
]
shown[1]?.push('2024-02-29', '2024-02-29 00:00:00', '13:45:59')
shown[3]?.push('1900-02-28', '9999-12-31 23:59:59', '00:00:00')

describeWithLibreOffice('LibreOffice Calc', () => {
  let directory: string
  let server: TestServer

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'libreoffice-'))
    server = await TestServer.start(express().use('/shop', exportShop({}, everything)))
  })
  afterAll(async () => {
    await server.stop()
    await rm(directory, { recursive: true })
  })

  /** Downloads a file and returns its cells as LibreOffice shows them. */
  async function open(path: string, name: string): Promise<readonly (readonly string[])[]> {
    const { bytes } = await server.send(`/shop/${path}`)
    await writeFile(join(directory, name), bytes)
    const profile = `-env:UserInstallation=file://${directory}/profile`
    const args = [
      profile,
      '--headless',
      '--convert-to',
      CSV_FILTER,
      '--outdir',
      directory,
      join(directory, name),
    ]
    const { stdout } = await run('soffice', args)
    const [, file = ''] = /-> (\S+\.csv)/.exec(stdout) ?? []
    const text = (await readFile(file, 'utf8')).replace(/"[^"]*"|\n/g, (part) =>
      part === '\n' ? '\r\n' : part,
    )
    return readCsv(text).map((line) => line.map(({ value }) => value))
  }

  it('MUST show every value of a workbook', async () => {
    const select = shown[0]?.join(',') ?? ''
    const cells = await open(`Everything?$format=xlsx&$select=${select}`, 'all.xlsx')
    expect(cells).toEqual(shown)
  })

  it('MUST show labels and related entities', async () => {
    const options = '$select=Name,Price,Category/Name&$expand=Category'
    expect(await open(`Products?$format=xlsx&${options}`, 'products.xlsx')).toEqual([
      ['Product', 'Price', 'Category/Name'],
      ['Gouda', '12.50', 'Cheese'],
      ['=1+1', '', ''],
      ['Recipes', '8.00', 'Cheese'],
    ])
  })
})
