import express from 'express'
import type { Row } from '../../../lib/index.js'
import { exportShop } from '../../support/export-shop.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import type { SheetCell } from '../../support/read-xlsx.js'
import { readXlsx, rowsOf, unzip } from '../../support/read-xlsx.js'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

let rows: readonly Row[] = []
let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/shop', (req, res, next) => {
    exportShop({}, rows)(req, res, next)
  })
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

async function download(path: string): Promise<HttpResponse> {
  const response = await server.send(`/shop/${path}`)
  expect(response.status).toBe(200)
  return response
}

/** Returns the cell of one value; undefined when the sheet has none. */
async function cell(property: string, value: unknown): Promise<SheetCell | undefined> {
  rows = [{ ID: 1, [property]: value }]
  const { bytes } = await download(`Everything?$format=xlsx&$select=${property}`)
  return readXlsx(bytes)[0]?.cells.get('A2')
}

describe('A workbook', () => {
  it('MUST have the type and name of a file, and neither length nor ETag', async () => {
    const { headers } = await download('Products?$format=xlsx')
    expect(headers).toMatchObject({
      'content-type': XLSX,
      'content-disposition': 'attachment; filename="Products.xlsx"',
    })
    expect(headers).not.toHaveProperty('content-length')
    expect(headers).not.toHaveProperty('etag')
  })

  it('MUST be chosen by its media type', async () => {
    for (const { headers } of [
      await server.send('/shop/Products', { headers: { Accept: XLSX } }),
      await download(`Products?$format=${XLSX}`),
    ]) {
      expect(headers['content-type']).toBe(XLSX)
    }
  })

  it('MUST have the files of a workbook', async () => {
    const { bytes } = await download('Products?$format=xlsx')
    expect([...unzip(bytes).keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
  })

  it('MUST have the same bytes for the same data', async () => {
    const [{ bytes: first }, { bytes: second }] = [
      await download('Products?$format=xlsx'),
      await download('Products?$format=xlsx'),
    ]
    expect(first.equals(second)).toBe(true)
  })

  it('MUST have a sheet with the name of the set, and a frozen row of bold labels', async () => {
    const { bytes } = await download('Products?$format=xlsx&$select=Name,Category/Name&$expand=Category')
    const [sheet] = readXlsx(bytes)
    expect(sheet?.name).toBe('Products')
    expect(sheet && rowsOf(sheet)).toEqual([
      ['Product', 'Category/Name'],
      ['Gouda', 'Cheese'],
      ['=1+1'],
      ['Recipes', 'Cheese'],
    ])
    expect(sheet?.xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet?.xml).toContain('<c r="A1" s="1"')
    const styles = unzip(bytes).get('xl/styles.xml')?.toString() ?? ''
    expect(/<cellXfs[^>]*><xf [^>]*fontId="0"[^>]*><xf [^>]*fontId="1"/.test(styles)).toBe(true)
    expect(/<fonts count="2"><font><sz[^]*<\/font><font><b\/>/.test(styles)).toBe(true)
  })

  it('MUST never contain a formula', async () => {
    const value = await cell('String', '=1+1')
    expect(value).toEqual({ type: 'text', value: '=1+1', format: undefined })
    const { bytes } = await download('Products?$format=xlsx')
    expect(readXlsx(bytes).some(({ xml }) => xml.includes('<f>'))).toBe(false)
  })

  it('MUST be a workbook with a header when there are no rows', async () => {
    rows = []
    const { bytes } = await download('Everything?$format=xlsx&$select=ID,Byte')
    expect(readXlsx(bytes).map(rowsOf)).toEqual([[['ID', 'Byte']]])
  })
})

describe('A cell', () => {
  it.each([
    ['Guid', '6f0d3f4e-0000-4000-8000-1234567890ab', '6f0d3f4e-0000-4000-8000-1234567890ab'],
    ['Binary', Buffer.from([1, 2, 255]), 'AQL/'],
    ['String', '', ''],
    ['String', ' Größe 大 😀 ', ' Größe 大 😀 '],
    ['String', 'a\tb\nc\rd\r\ne', 'a\tb\nc\rd\r\ne'],
    ['String', '<&>"\'', '<&>"\''],
    ['String', '\u0000\u0001\uFFFE\uFFFF', '\u0000\u0001\uFFFE\uFFFF'],
    ['String', '_x000D_ _x00e4_ _x12_', '_x000D_ _x00e4_ _x12_'],
    ['String', 'lone \uD800 \uDC00', 'lone \uD800 \uDC00'],
    ['String', 'x'.repeat(32_768), 'x'.repeat(32_767)],
    ['String', `${'x'.repeat(32_766)}😀`, 'x'.repeat(32_766)],
    ['Double', Number.NaN, 'NaN'],
    ['Double', Number.NEGATIVE_INFINITY, '-INF'],
    ['Int64', 9007199254740993n, '9007199254740993'],
    ['Decimal', '1234567890123456.5', '1234567890123456.500'],
    ['DateTime', '1900-02-28T23:59:59', '1900-02-28 23:59:59'],
    ['Day', '1899-12-31T00:00:00', '1899-12-31'],
    ['DateTimeOffset', '1582-10-15T00:00:00Z', '1582-10-15T00:00:00Z'],
  ])('MUST be text where a number would not be exact: %s %#', async (property, value, expected) => {
    expect(await cell(property, value)).toMatchObject({ type: 'text', value: expected })
  })

  it.each([
    ['Byte', 255, '255', undefined],
    ['SByte', -5, '-5', undefined],
    ['Int16', -32768, '-32768', undefined],
    ['Int64', '123456789012345', '123456789012345', '0'],
    ['Int64', '-1230000000000000000', '-1230000000000000000', '0'],
    ['Decimal', '12.5', '12.500', '0.000'],
    ['Decimal', '-999999999999.999', '-999999999999.999', '0.000'],
    ['Double', 0.1, '0.1', undefined],
    ['Double', 1e300, '1E+300', undefined],
    ['Single', Math.fround(0.1), '0.1', undefined],
    ['DateTime', '1900-03-01T00:00:00', '61', 'yyyy-mm-dd hh:mm:ss'],
    ['DateTime', '1970-01-01T12:00:00', '25569.5', 'yyyy-mm-dd hh:mm:ss'],
    ['DateTime', '2024-02-29T18:00:00', '45351.75', 'yyyy-mm-dd hh:mm:ss'],
    ['Day', '2024-02-29T18:00:00', '45351', 'yyyy-mm-dd'],
    ['DateTimeOffset', '2024-02-29T02:00:00+02:00', '45351', 'yyyy-mm-dd hh:mm:ss'],
    ['Time', '18:00:00', '0.75', 'hh:mm:ss'],
    [
      'DateTime',
      '1970-01-01T00:00:00.675',
      String((25_569 * 86_400 + 0.675) / 86_400),
      'yyyy-mm-dd hh:mm:ss.000',
    ],
    ['DateTimeOffset', '1970-01-01T00:00:00.0009999Z', '25569', 'yyyy-mm-dd hh:mm:ss'],
    ['Time', '00:00:00.5', String(0.5 / 86_400), 'hh:mm:ss.000'],
  ])('MUST be a number with a format: %s %s', async (property, value, expected, format) => {
    expect(await cell(property, value)).toEqual({ type: 'number', value: expected, format })
  })

  it('MUST be a Boolean, and missing for null', async () => {
    expect(await cell('Boolean', true)).toEqual({ type: 'boolean', value: '1', format: undefined })
    expect(await cell('Boolean', false)).toMatchObject({ value: '0' })
    expect(await cell('Boolean', null)).toBeUndefined()
  })
})

describe('The time of a cell', () => {
  const day = 86_400_000
  it.each([
    ['DateTime', '9999-12-31T23:59:59.9999999', (2_958_466 * day - 1) / day],
    ['DateTimeOffset', '9999-12-31T23:59:59.9999999Z', (2_958_466 * day - 1) / day],
    ['DateTime', '2024-02-29T23:59:59.9996', (45_352 * day - 1) / day],
    ['Time', '23:59:59.9999999', (day - 1) / day],
  ])('MUST be cut to milliseconds, so that it stays on its day: %s %s', async (property, value, expected) => {
    const { value: serial } = (await cell(property, value)) ?? {}
    expect(Number(serial)).toBe(expected)
  })
})

describe('The text of a cell', () => {
  it.each([
    ['a  b', '<t>a  b</t>'],
    [' a', '<t xml:space="preserve"> a</t>'],
    ['a\t', '<t xml:space="preserve">a\t</t>'],
    ['a\nb', '<t xml:space="preserve">a\nb</t>'],
    ['a\r\nb', '<t xml:space="preserve">a&#13;\nb</t>'],
    ['\u0001', '<t>_x0001_</t>'],
    ['_x000D_', '<t>_x005F_x000D_</t>'],
  ])('MUST have attributes and escapes only where they are needed: %j', async (value, expected) => {
    rows = [{ ID: 1, String: value }]
    const { bytes } = await download('Everything?$format=xlsx&$select=String')
    expect(readXlsx(bytes)[0]?.xml).toContain(`<is>${expected}</is>`)
  })
})
