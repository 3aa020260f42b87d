import express from 'express'
import type { Row } from '../../../lib/index.js'
import { exportShop } from '../../support/export-shop.js'
import { LiveServer } from '../../support/live-server.js'
import { codePoint, fc, runs } from '../../support/random.js'
import type { Sheet } from '../../support/read-xlsx.js'
import { readXlsx } from '../../support/read-xlsx.js'
import { readCsv } from '../../support/read-csv.js'

/** A value, its field in CSV, and a test of its cell in a workbook. */
interface Sample {
  readonly value: unknown
  readonly field: string
  /** The number that the cell must have; undefined for text. */
  readonly number?: ((cell: number) => boolean) | undefined
}

const number =
  (value: number): Sample['number'] =>
  (cell) =>
    Object.is(cell, value) || cell === value
const MS_PER_DAY = 86_400_000
const significant = (digits: string): number =>
  digits.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length

const text = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('=', '-', '"', ',', '\r', '\n', ' ', '_', 'x', '0', 'D', "'"),
    maxLength: 12,
  }),
  fc.constantFrom('_x000D_', '\u0000', '\uD800', '\uDFFF\uD800', ']]>', '&amp;', '\uFEFF'),
)

function shifted(digits: bigint, scale: number): string {
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  return `${digits < 0n ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
}

const samples: Readonly<Record<string, fc.Arbitrary<Sample>>> = {
  String: text.map((value) => ({ value, field: value })),
  Binary: fc.uint8Array({ maxLength: 9 }).map((bytes) => {
    const value = Buffer.from(bytes)
    return { value, field: value.toString('base64') }
  }),
  Int16: fc.integer({ min: -32_768, max: 32_767 }).map((value) => {
    return { value, field: String(value), number: number(value) }
  }),
  Int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => {
    const field = String(value)
    return { value, field, number: significant(field) <= 15 ? number(Number(field)) : undefined }
  }),
  Decimal: fc
    .oneof(fc.bigInt(-(10n ** 27n), 10n ** 27n), fc.bigInt(-1_000_000n, 1_000_000n))
    .map((digits) => {
      const field = shifted(digits, 3)
      const value = field.replace(/\.?0+$/, '')
      return { value, field, number: significant(field) <= 15 ? number(Number(field)) : undefined }
    }),
  Double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => {
    return {
      value,
      field: String(value)
        .replace('e', 'E')
        .replace(/^0$/, Object.is(value, -0) ? '-0' : '0'),
      number: number(value),
    }
  }),
  DateTime: fc
    .date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    .map((value) => {
      const field = value
        .toISOString()
        .replace('T', ' ')
        .replace('Z', '')
        .replace(/\.000$|(?<=\.\d*)0+$/, '')
      const isNumber = value >= new Date('1900-03-01T00:00:00Z')
      const isSame = (cell: number): boolean =>
        Math.round(cell * MS_PER_DAY) === value.getTime() + 25_569 * MS_PER_DAY
      return { value, field, number: isNumber ? isSame : undefined }
    }),
  Time: fc.integer({ min: 0, max: 86_399 }).map((seconds) => {
    const field = new Date(seconds * 1000).toISOString().slice(11, 19)
    return { value: field, field, number: (cell) => Math.round(cell * 86_400) === seconds }
  }),
}

const names = Object.keys(samples)
const row = fc.tuple(...names.map((name) => fc.option(samples[name] as fc.Arbitrary<Sample>, { freq: 5 })))

let live: LiveServer
beforeAll(async () => {
  live = await LiveServer.start()
})
afterAll(() => live.close())

async function download(format: string, rows: readonly Row[]): Promise<Buffer> {
  live.mount('shop', express().use(exportShop({}, rows)))
  const { status, body } = await live.get(`/shop/Everything?$format=${format}&$select=${names.join(',')}`)
  expect(status).toBe(200)
  return body
}

function checkSheet(sheet: Sheet | undefined, rows: readonly (readonly (Sample | null)[])[]): void {
  for (const [index, cells] of rows.entries()) {
    for (const [column, sample] of cells.entries()) {
      const address = `${String.fromCharCode(65 + column)}${index + 2}`
      const cell = sheet?.cells.get(address)
      if (sample === null) expect([address, cell]).toEqual([address, undefined])
      else if (sample.number === undefined) expect(cell).toMatchObject({ type: 'text', value: sample.field })
      else
        expect([address, cell?.type, sample.number(Number(cell?.value))]).toEqual([address, 'number', true])
    }
  }
}

describe('Random rows', () => {
  it('MUST have all their values in exports, as independent readers read them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const entities = rows.map((cells, ID) =>
          Object.fromEntries([['ID', ID], ...cells.map((one, index) => [names[index], one?.value ?? null])]),
        )
        const [header, ...lines] = readCsv((await download('csv', entities)).toString())
        expect(header).toEqual(names.map((value, index) => ({ value, isQuoted: index > 0 })))
        const isFormula = (field: string, name = ''): boolean =>
          ['String', 'Binary'].includes(name) && /^[=+\-@\t\r\n＝＋－＠]/.test(field)
        expect(lines).toEqual(
          rows.map((cells) =>
            cells.map((one, index) => {
              const field = one?.field ?? ''
              const value = (isFormula(field, names[index]) ? `'${field}` : field).toWellFormed()
              const isEmpty = value === '' && one !== null
              return { value, isQuoted: isEmpty || /[,"\r\n]|^[ \t]|[ \t]$|^\\\.$/.test(value) }
            }),
          ),
        )
        checkSheet(readXlsx(await download('xlsx', entities))[0], rows)
      }),
      { numRuns: runs(200) },
    )
  })
})
