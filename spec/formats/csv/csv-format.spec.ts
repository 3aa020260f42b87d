import express from 'express'
import type { ExportOptions, Row } from '../../../lib/index.js'
import { exportShop } from '../../support/export-shop.js'
import { TestServer } from '../../support/http-exchange.js'

let rows: readonly Row[] = []
let server: TestServer
beforeAll(async () => {
  const shops: Record<string, ExportOptions> = {
    shop: {},
    plain: { formulas: 'keep' },
    semicolon: { separator: ';' },
    tab: { separator: '\t' },
    unmarked: { byteOrderMark: false },
  }
  const app = express()
  for (const [name, exports] of Object.entries(shops)) {
    app.use(`/${name}`, (req, res, next) => {
      exportShop({ exports }, rows)(req, res, next)
    })
  }
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

/** Returns the field of one value, in a file with a second column. */
async function field(property: string, value: unknown, service = 'shop'): Promise<string> {
  rows = [{ ID: 1, [property]: value }]
  const { status, text } = await server.send(`/${service}/Everything?$format=csv&$select=${property},ID`)
  const separator = service === 'semicolon' ? ';' : service === 'tab' ? '\t' : ','
  const [prefix, suffix] = [`\uFEFF${property}${separator}"ID"\r\n`, `${separator}1\r\n`]
  expect([status, text.slice(0, prefix.length), text.slice(-suffix.length)]).toEqual([200, prefix, suffix])
  return text.slice(prefix.length, -suffix.length)
}

/** Returns the text of a file. */
async function file(select: string, values: readonly Row[], service = 'shop'): Promise<string> {
  rows = values
  return (await server.send(`/${service}/Everything?$format=csv&$select=${select}`)).text
}

describe('A CSV field', () => {
  it.each([
    ['String', 'Gouda', 'Gouda'],
    ['String', 'Größe 大 😀', 'Größe 大 😀'],
    ['String', null, ''],
    ['String', '', '""'],
    ['Guid', '6f0d3f4e-0000-4000-8000-1234567890ab', '6f0d3f4e-0000-4000-8000-1234567890ab'],
    ['Binary', Buffer.from([1, 2, 255]), 'AQL/'],
    ['Boolean', true, 'true'],
    ['Boolean', false, 'false'],
    ['Byte', 255, '255'],
    ['SByte', -5, '-5'],
    ['Int16', -32768, '-32768'],
    ['Int64', 9007199254740993n, '9007199254740993'],
    ['Decimal', '12.5', '12.500'],
    ['Decimal', '-7', '-7.000'],
    ['Decimal', '123456789012345678901234567.125', '123456789012345678901234567.125'],
    ['Double', 0.1, '0.1'],
    ['Double', 1e21, '1E+21'],
    ['Double', Number.NaN, 'NaN'],
    ['Double', Number.POSITIVE_INFINITY, 'INF'],
    ['Single', Math.fround(0.1), '0.1'],
    ['DateTime', new Date('2024-02-29T13:45:00Z'), '2024-02-29 13:45:00'],
    ['DateTime', '2024-02-29T13:45:00.1234567', '2024-02-29 13:45:00.1234567'],
    ['Day', new Date('2024-02-29T00:00:00Z'), '2024-02-29'],
    ['DateTimeOffset', new Date('2024-02-29T13:45:00Z'), '2024-02-29T13:45:00Z'],
    ['Time', '13:45:00', '13:45:00'],
    ['Time', null, ''],
  ])('MUST show a value of Edm.%s exactly: %p', async (property, value, expected) => {
    expect(await field(property, value)).toBe(expected)
  })

  it.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['a b;c', 'a b;c'],
    ['\\.', '"\\."'],
    ['\\.\\.', '\\.\\.'],
  ])('MUST be quoted where RFC 4180 requires it, and around blanks: %p', async (value, expected) => {
    expect(await field('String', value)).toBe(expected)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['\uFF1D1', "'\uFF1D1"],
    ['\uFF0B1', "'\uFF0B1"],
    ['\uFF0D1', "'\uFF0D1"],
    ['\uFF201', "'\uFF201"],
    ['=1,"a"', '"\'=1,""a"""'],
    ['a=1', 'a=1'],
    ["'=1", "'=1"],
    // Lists within a string are not changed.
    ['a\n- b', '"a\n- b"'],
  ])('MUST not be a formula in a spreadsheet: %p', async (value, expected) => {
    expect(await field('String', value)).toBe(expected)
  })

  it('MUST leave formulas unchanged with formulas: keep', async () => {
    expect(await field('String', '=1+1', 'plain')).toBe('=1+1')
  })

  it.each([
    ['semicolon', 'a;b', '"a;b"'],
    ['semicolon', 'a,b', 'a,b'],
    ['tab', 'a\tb', '"a\tb"'],
  ])('MUST be quoted when it contains the separator of the service: %s', async (service, value, expected) => {
    expect(await field('String', value, service)).toBe(expected)
  })

  it('MUST be an error of the service that names the property when its value is invalid', async () => {
    rows = [{ ID: 1, Int16: 'abc' }]
    expect((await server.send('/shop/Everything?$format=csv')).status).toBe(500)
  })
})

describe('A CSV file', () => {
  it('MUST have quotes around all headings but the first, so that readers recognize them', async () => {
    expect(await file('ID,String,Int16', [{ ID: 1 }])).toBe('\uFEFFID,"String","Int16"\r\n1,,\r\n')
  })

  it('MUST have neither empty lines nor unquoted strings if it has one column', async () => {
    const values = ['a', null, '', '\\.', '=1'].map((String, ID) => ({ ID, String }))
    expect(await file('String', values)).toBe('\uFEFFString\r\n"a"\r\n""\r\n""\r\n"\\."\r\n"\'=1"\r\n')
    const numbers = [1, null].map((Int16, ID) => ({ ID, Int16 }))
    expect(await file('Int16', numbers)).toBe('\uFEFFInt16\r\n1\r\n""\r\n')
  })

  it('MUST have no byte order mark with byteOrderMark: false', async () => {
    expect(await file('ID', [{ ID: 1 }], 'unmarked')).toBe('ID\r\n1\r\n')
  })
})
