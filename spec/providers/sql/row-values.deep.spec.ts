import { codePoint, fc } from '../../support/random.js'
import { sql } from 'kysely'
import { ContractServices } from '../../contracts/contract-service.js'
import { describeDatabases } from '../../support/sql/databases.js'
import type { AnyDatabase, DatabaseKind } from '../../support/sql/model-tables.js'
import { createTables, fillTable } from '../../support/sql/model-tables.js'
import { RowServices } from '../../support/sql/row-services.js'
import { valueModel } from '../../support/sql/value-model.js'
import { alikeStrings } from '../../support/sql/alike-rows.js'

type Row = Readonly<Record<string, unknown>>

const formats = ['application/json', 'application/atom+xml']

const texts = [
  ...alikeStrings,
  '<a href="x">&amp;</a>',
  ']]>',
  'tab\there',
  'line\r\nline',
  '\u0001',
  '\b\f\v\u001f\u007f',
  '\u2028\u2029',
  '\ufffe',
  '\uffff',
  'C:\\backup\\u00ff',
  '\\u0041',
  'é'.repeat(300),
  ' end ',
  '\n',
  'x\n',
  '\u00a0',
  '${x}`',
  '?1 :a @b $c',
]

/** Values that a column of the type holds, by what they are a test of. */
function valuesOf(kind: DatabaseKind): Readonly<Record<string, readonly unknown[]>> {
  const isPostgres = kind === 'postgres'
  const doubles = [
    0,
    0.1,
    1 / 3,
    0.1 + 0.2,
    -2.5,
    100,
    1e15,
    1e16,
    123456789012345680000,
    1e21,
    1e-4,
    1e-6,
    1e-7,
  ]
  const dates = [
    '2012-02-29T00:00:00',
    '2012-02-29T23:59:59.999',
    '0001-01-01T00:00:00',
    '9999-12-31T23:59:59.999',
    '1969-12-31T23:59:59.5',
    '1752-12-31T20:30:00.001',
    '2020-10-31T21:00:00.1200',
    '2020-10-31T21:00:00.123456',
  ]
  return {
    Text: isPostgres ? texts : [...texts, 'a\0b', '\0'],
    Flag: [true, false],
    Byte: [0, 255],
    Small: [-128, 127],
    Short: [-32768, 32767],
    Whole: [-2147483648, 2147483647],
    Long: ['-9223372036854775808', '9223372036854775807', '9007199254740993'],
    Amount: ['0', '1', '-1', '0.10', '-0.5', '12345678901234567890.0123456789', '100.00'],
    Double: [
      ...doubles,
      ...[
        5e-324,
        Number.MAX_VALUE,
        55083694297.218,
        0.5401617784167991,
        4.35,
        -0.29,
        1.005,
        2 ** 53,
        2 ** 63,
      ],
      ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, ...(isPostgres ? [Number.NaN, -0] : [])],
    ],
    Single: [0, 0.5, -2.5, 16777216, 0.1, 1e10, 1e-10, 3.4028234663852886e38].map(Math.fround),
    Code: ['00000000-0000-0000-0000-000000000000', 'ABCDEF01-2345-6789-abcd-ef0123456789'],
    Day: dates,
    Milli: dates,
    Second: dates,
    Zoned: dates.map((date) => `${date}Z`),
    Clock: ['00:00:00', '23:59:59', '09:13:28.5', '12:00:00.123456'],
    Place: [
      { Town: null, Height: null, Spot: { No: null } },
      { Town: ' "<', Height: 1.5, Spot: { No: -5 } },
    ],
    Version: ['1'],
  }
}

describeDatabases(({ kind, open }) => {
  let services: ContractServices

  beforeAll(async () => {
    services = await ContractServices.start()
  })

  afterAll(() => services.close())

  /** One entity for each value. */
  const mount = async (
    rows: readonly Row[],
    name: string,
  ): Promise<{ both: RowServices; db: AnyDatabase }> => {
    const model = valueModel()
    const db = await open([])
    await createTables(db, model, kind)
    const things = model.defaultContainer.entitySet('Things')
    if (things === undefined) throw new Error('There are no things.')
    await fillTable(db, things, [{ ID: 0, Text: 'plain' }, ...rows], kind)
    return { both: await RowServices.mount(services, db, valueModel, {}, name), db }
  }

  const expectSame = async (services: RowServices, path: string, row: unknown = path): Promise<void> => {
    for (const accept of formats) {
      const { direct, objects } = await services.both(path, accept)
      expect({ row, accept, pages: direct }).toEqual({ row, accept, pages: objects })
    }
  }

  it('MUST serialize every value like one in an object', async () => {
    const rows = Object.entries(valuesOf(kind)).flatMap(([name, values]) =>
      values.map((value) => ({ [name]: value })),
    )
    const { both } = await mount(
      rows.map((row, index) => ({ ID: index + 1, ...row })),
      `values-${kind}`,
    )
    for (const [index, row] of rows.entries()) {
      await expectSame(both, `/Things?$filter=ID%20eq%20${String(index + 1)}`, row)
    }
  })

  it('MUST serialize random numbers and strings like those in objects', async () => {
    const random = fc.record({
      Text: fc.string({ unit: codePoint, maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
      Double: fc.double({ noNaN: true }),
      Amount: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map((value) => `${String(value)}.5`),
      Milli: fc.date({ min: new Date(-6e13), max: new Date(2.5e14), noInvalidDate: true }),
      Whole: fc.integer(),
    })
    const rows = [
      ...fc.sample(random, 60),
      ...fc.sample(fc.integer({ min: -1e9, max: 1e9 }), 60).map((value) => ({ Double: value / 1000 })),
      ...fc
        .sample(fc.double({ min: -1000, max: 1000, noNaN: true }), 60)
        .map((Double) => ({ Double: Double + 0 })),
    ]
    const { both } = await mount(
      rows.map((row, index) => ({ ID: index + 1, ...row })),
      `random-${kind}`,
    )
    for (const [index, row] of rows.entries()) {
      await expectSame(both, `/Things?$filter=ID%20eq%20${String(index + 1)}`, row)
    }
  })

  if (kind === 'sqlite') {
    it('MUST respond alike to values of other types than that of the column', async () => {
      const odd: Readonly<Record<string, readonly string[]>> = {
        Text: ["x'ff'", "cast(x'eda080' as text)", "cast(x'c328' as text)", '5'],
        Flag: ["'true'", '2', '0.0', '1.0'],
        Whole: ["'abc'", '2.5', '3000000000', '-2147483649', '9007199254740993', "x'01'", '5.0'],
        Long: ["'5'", '2.5', "'abc'"],
        Amount: [
          "'abc'",
          "'1e5'",
          "'--5'",
          "'5-'",
          "'.5'",
          "'5.'",
          "'1.2.3'",
          "'+5'",
          "''",
          "x'35'",
          "'5' || char(0) || '\"'",
        ],
        Double: ["'abc'", '5', "x'01'"],
        Code: [
          "'nonsense'",
          "'ABCDEF01-2345-6789-abcd-ef01234567\"9'",
          "'0000-0000-0000-0000-0000-0000-0000--'",
          "'00000000-0000-0000-0000-00000000--00'",
          '\'00000000-0000-0000-0000-000000000000\' || char(0) || \'","x":"\'',
        ],
        Milli: [
          ...[
            "'2024-02-30T10:00:00'",
            "'2023-02-29T10:00:00.000'",
            "'2024-01-02T24:00:00'",
            "'2024-01-02T24:00:00.000'",
          ],
          ...[
            "'2024-01-02'",
            "'2024-01-02 03:04'",
            "'2024-01-02 03:04:05'",
            "'2024-01-02T03:04:05Z'",
            "'2024-01-02T03:04:05.12Z'",
          ],
          ...[
            "'2024-01-02T03:04:05.1234567'",
            "'2024-01-02T03:04:05.12345678'",
            "'2024-01-02T03:04:05+02:00'",
            "'2024-01-02T03:04:05.   '",
          ],
          ...[
            "'0000-01-01T00:00:00.000'",
            "'-001-01-01T00:00:00.000'",
            "'now'",
            "'2024-01-02T03:04:05.12\"'",
            "'2024-01-02T03:04:05.'",
            "'2024-01-02T03:04:05ZZ'",
            "'2024-01-02T03:04:05.123' || char(0) || '\"'",
            "'2024-01-02T03:04:05' || char(0) || '\"'",
            "'2024-01-02T03:04:05Z' || char(0)",
          ],
        ],
        Clock: [
          "'24:00:00'",
          "'9:13:28'",
          "'09:13'",
          "'09:13:28.50'",
          "'09:13:28.'",
          "'09:13:28 '",
          "'09:13:60'",
          "'09:13:28' || char(0) || '\"'",
        ],
      }
      const values = Object.entries(odd).flatMap(([name, all]) => all.map((value) => ({ name, value })))
      const { both, db } = await mount(
        values.map((_, index) => ({ ID: index + 1 })),
        'odd',
      )
      for (const [index, { name, value }] of values.entries()) {
        await sql
          .raw(`update "Things" set "${name}" = ${value} where "ID" = ${String(index + 1)}`)
          .execute(db)
      }
      for (const [index, value] of values.entries()) {
        await expectSame(both, `/Things?$filter=ID%20eq%20${String(index + 1)}`, value)
      }
    })
  }
})
