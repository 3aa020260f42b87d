import pg from 'pg'
import { defineModel, edm } from '../../../../../../lib/edm/define-model.js'
import { formatDateTime, formatDateTimeOffset } from '../../../../../../lib/edm/primitive-types/date-time.js'
import type { Column } from '../../../../../../lib/providers/sql/column.js'
import { wireColumn } from '../../../../../../lib/providers/sql/dialects/postgres/wire/wire-columns.js'
import { WireQuery } from '../../../../../../lib/providers/sql/dialects/postgres/wire/wire-query.js'
import type { WireRows } from '../../../../../../lib/providers/sql/wire/wire-rows.js'
import { ByteWriter } from '../../../../../../lib/util/byte-writer.js'
import { fc, runs } from '../../../../../support/random.js'
import { PostgresServer } from '../../../../../support/sql/postgres-server.js'

const properties = {
  Flag: edm.Boolean(),
  Byte: edm.Byte(),
  Small: edm.SByte(),
  Short: edm.Int16(),
  Whole: edm.Int32(),
  Long: edm.Int64(),
  Amount: edm.Decimal(),
  Double: edm.Double(),
  Code: edm.Guid(),
  At: edm.DateTime(),
  Zoned: edm.DateTimeOffset(),
}

const type = defineModel({
  namespace: 'N',
  entityTypes: { Thing: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), ...properties } } },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
}).defaultContainer.entitySet('Things')?.entityType

/** Describes a column with only what the forms of cells depend on. */
function columnOf(name: keyof typeof properties, dataType: string): Column {
  const property = type?.property(name)
  if (property === undefined) throw new Error(`There is no property ${name}.`)
  return { name, path: [name], property, type: property.type, facts: { dataType } } as unknown as Column
}

describe('Cells of PostgreSQL', () => {
  const server = PostgresServer.shared()
  let client: pg.Client

  beforeAll(async () => {
    client = new pg.Client({ connectionString: server.addressOf(await server.newDatabase()) })
    await client.connect()
    await client.query("set time zone 'America/New_York'")
  })
  afterAll(async () => {
    await client.end()
    await server.stop()
  })

  /** Returns for literals the value of each, and what is copied of its bytes. */
  async function read(
    column: Column,
    literals: readonly string[],
    writer: 'writeText' | 'writeMilliseconds' = 'writeText',
    precision?: number,
  ): Promise<readonly { readonly value: unknown; readonly copied: string | undefined }[]> {
    const { dataType } = column.facts
    const text = `select value::${dataType} from unnest($1::text[]) with ordinality as t(value, n) order by n`
    const { bytes, decode = (cell: unknown) => cell, isBinary = false } = wireColumn(column)
    const query = new WireQuery(text, [`{${literals.map((one) => `"${one}"`).join(',')}}`], [isBinary])
    const { rows } = await client.query(query as unknown as pg.Submittable & PromiseLike<{ rows: WireRows }>)
    const bounds = new Int32Array(2)
    return rows.sources.map((source, index) => {
      const position = rows.positions[index] ?? 0
      rows.reader.locate?.(source, position, bounds)
      const [from = 0, to = 0] = bounds
      const out = new ByteWriter()
      const isCopied = bytes?.[writer]?.(out, source, from, to, precision) === true
      return {
        value: decode(rows.reader.cell(source, position, 0)),
        copied: isCopied ? out.end().toString() : undefined,
      }
    })
  }

  it.each([
    ['Byte', 'int2', 0, 255],
    ['Small', 'int8', -128, 127],
    ['Short', 'int2', -32768, 32767],
    ['Short', 'int4', -32768, 32767],
    ['Whole', 'int2', -32768, 32767],
    ['Whole', 'int4', -2147483648, 2147483647],
  ] as const)('MUST be the numbers of %s in %s', async (name, dataType, min, max) => {
    const numbers = [0, 9, 10, 99, 100, min, max, ...fc.sample(fc.integer({ min, max }), runs(200))]
    const literals = numbers.map(String)
    const found = await read(columnOf(name, dataType), literals)
    // Integers of eight bytes are decoded, and then checked.
    const copied = (one: string): string | undefined => (dataType === 'int8' ? undefined : one)
    expect(found).toEqual(literals.map((one) => ({ value: Number(one), copied: copied(one) })))
  })

  it('MUST NOT be copied if they are out of the range of the property', async () => {
    const literals = ['-32768', '-1', '256', '32767']
    expect(await read(columnOf('Byte', 'int2'), literals)).toEqual(
      literals.map((one) => ({ value: Number(one), copied: undefined })),
    )
  })

  it.each(['Long', 'Amount'] as const)('MUST be the digits of integers for %s', async (name) => {
    const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    const edges = [2n ** 53n, 2n ** 53n - 1n, 2n ** 32n, 2n ** 63n - 1n, 0n].flatMap((one) => [
      one,
      -one,
      -one - 1n,
    ])
    const literals = [
      ...edges,
      ...fc.sample(long, runs(300)),
      ...fc.sample(fc.maxSafeInteger(), runs(300)),
    ].map(String)
    expect(await read(columnOf(name, 'int8'), literals)).toEqual(
      literals.map((one) => ({ value: one, copied: one })),
    )
  })

  it('MUST be true and false', async () => {
    expect(await read(columnOf('Flag', 'bool'), ['t', 'f'])).toEqual([
      { value: true, copied: 'true' },
      { value: false, copied: 'false' },
    ])
  })

  it('MUST be guids in lower case', async () => {
    const literals = fc.sample(fc.uuid(), runs(100))
    expect(await read(columnOf('Code', 'uuid'), literals)).toEqual(
      literals.map((one) => ({ value: one, copied: one })),
    )
  })

  const day = fc.date({
    min: new Date('0001-01-01Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  const timestamp = fc.tuple(day, fc.nat(999)).map(([date, microseconds]) => {
    const digits = `${date.toISOString().slice(0, 23)}${String(microseconds).padStart(3, '0')}`
    return digits.replace(/\.?0+$/, '')
  })
  const timestamps = [
    '0001-01-01T00:00:00',
    '9999-12-31T23:59:59.999999',
    '1999-12-31T23:59:59.999999',
    '2000-01-01T00:00:00',
    '1969-12-31T23:59:59.5',
    '2012-02-29T00:00:00.00001',
    ...fc.sample(timestamp, runs(500)),
  ].filter((one) => one.length >= 19)

  it.each([
    ['At', 'timestamp', ''],
    ['At', 'timestamptz', ''],
    ['Zoned', 'timestamptz', 'Z'],
    ['Zoned', 'timestamp', 'Z'],
  ] as const)(
    'MUST be the times of %s in %s, whatever the time zone of the session',
    async (name, dataType, zone) => {
      const column = columnOf(name, dataType)
      const literals = timestamps.map((one) => (dataType === 'timestamptz' ? `${one}Z` : one))
      const format = name === 'At' ? formatDateTime : formatDateTimeOffset
      for (const precision of [undefined, 0, 2, 6, 7]) {
        const found = await read(column, literals, 'writeText', precision)
        expect(found).toEqual(
          timestamps.map((one) => ({ value: one + zone, copied: format(one + zone, precision) })),
        )
      }
      const milliseconds = await read(column, literals, 'writeMilliseconds')
      expect(milliseconds.map(({ copied }) => copied)).toEqual(
        timestamps.map((one) => String(Date.parse(`${one.slice(0, 23)}Z`))),
      )
    },
  )

  it('MUST NOT be copied if a time has no place in the years 1 to 9999', async () => {
    const literals = [
      'infinity',
      '-infinity',
      '0001-12-31 23:59:59.999999 BC',
      '10000-01-01 00:00:00',
      '294276-12-31',
    ]
    for (const name of ['At', 'Zoned'] as const) {
      const column = columnOf(name, 'timestamp')
      for (const writer of ['writeText', 'writeMilliseconds'] as const) {
        const found = await read(column, literals, writer)
        expect(found.map(({ copied }) => copied)).toEqual(literals.map(() => undefined))
        for (const { value } of found)
          expect(() => formatDateTime(value)).toThrow('is not a valid Edm.DateTime')
      }
    }
  })

  it('MUST be copied if JavaScript formats the number alike', async () => {
    const numbers = [
      ...[
        0,
        -0,
        0.1,
        -2.5,
        100,
        1e15,
        1e16,
        1e21,
        1e-6,
        1e-7,
        5e-324,
        Number.MAX_VALUE,
        2 ** 53,
        2 ** 63,
        1 / 3,
      ],
      ...[12345678.1234567, 123456789.5, 0.0000001, 0.0000012, 999999999999999],
      ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      ...fc.sample(fc.double(), runs(300)),
      ...fc.sample(fc.integer({ min: -1e9, max: 1e9 }), runs(300)).map((value) => value / 1000),
    ]
    const literals = numbers.map((one) => (Object.is(one, -0) ? '-0' : String(one)))
    const found = await read(columnOf('Double', 'float8'), literals)
    expect(found.map(({ value }) => value)).toEqual(numbers)
    for (const [index, { copied }] of found.entries()) {
      if (copied !== undefined) expect(copied).toBe(String(numbers[index]))
    }
    expect(found.filter(({ copied }) => copied !== undefined).length).toBeGreaterThan(10)
  })
})
