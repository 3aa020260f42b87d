import { Kysely, MysqlDialect, sql } from 'kysely'
import type { PoolOptions } from 'mysql2'
import { createPool } from 'mysql2'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { MysqlWireQuery } from '../../lib/providers/sql/dialects/mysql/wire/mysql-wire-query.js'
import { codePoint, fc, runs } from '../support/random.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { SharingStream } from '../support/sql/sharing-stream.js'
import { isMariaDb } from '../support/sql/model-tables.js'
import { MysqlProxy } from '../support/sql/mysql-proxy.js'
import type { RechunkingProxy } from '../support/sql/rechunking-proxy.js'

let mysql: MysqlProxy
let proxy: RechunkingProxy

beforeAll(async () => {
  mysql = await MysqlProxy.start()
  ;({ proxy } = mysql)
})

afterAll(() => mysql.stop())

describe('A service whose rows stay on the wire of mysql2', () => {
  const opened: Kysely<unknown>[] = []
  const servers: SqlServer[] = []
  const statements: unknown[] = []

  afterAll(async () => {
    for (const server of servers) await server.stop()
    for (const db of opened) await db.destroy()
  })

  const columns = {
    ID: 'int primary key',
    Text: 'longtext character set utf8mb4',
    Latin: 'varchar(50) character set latin1',
    Fixed: 'char(5)',
    Choice: "enum('ä', 'b\"<')",
    Flag: 'tinyint(1)',
    Byte: 'tinyint unsigned',
    Small: 'tinyint',
    Short: 'smallint',
    Whole: 'int',
    Padded: 'int(6) zerofill',
    Year: 'year',
    Long: 'bigint',
    PaddedLong: 'bigint(15) zerofill',
    Amount: 'decimal(40, 10)',
    PaddedAmount: 'decimal(10, 2) zerofill',
    Double: 'double',
    Single: 'float',
    Code: 'char(36)',
    CodeText: 'char(36) character set ascii',
    Bytes: 'longblob',
    Fixed2: 'binary(3)',
    Day: 'date',
    Second: 'datetime',
    Micro: 'datetime(6)',
    Stamp: 'timestamp(3) null',
    Zoned: 'datetime(3)',
    Clock: 'time(6)',
  }

  const model = (): EdmModel =>
    defineModel({
      namespace: 'W',
      entityTypes: {
        Thing: {
          key: ['ID'],
          properties: {
            ID: edm.Int32({ nullable: false }),
            Text: edm.String(),
            Latin: edm.String(),
            Fixed: edm.String(),
            Choice: edm.String(),
            Flag: edm.Boolean(),
            Byte: edm.Byte(),
            Small: edm.SByte(),
            Short: edm.Int16(),
            Whole: edm.Int32(),
            Padded: edm.Int32(),
            Year: edm.Int16(),
            Long: edm.Int64(),
            PaddedLong: edm.Int64(),
            Amount: edm.Decimal({ precision: 38, scale: 10 }),
            PaddedAmount: edm.Decimal(),
            Double: edm.Double(),
            Single: edm.Single(),
            Code: edm.Guid(),
            CodeText: edm.Guid(),
            Bytes: edm.Binary(),
            Fixed2: edm.Binary(),
            Day: edm.DateTime(),
            Second: edm.DateTime({ precision: 0 }),
            Micro: edm.DateTime({ precision: 6 }),
            Stamp: edm.DateTime(),
            Zoned: edm.DateTimeOffset(),
            Clock: edm.Time(),
          },
        },
      },
      entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
    })

  /** Mounts a service on the same tables. */
  async function start(options: PoolOptions): Promise<SqlServer> {
    const pool = createPool(mysql.poolOptions(options))
    const db = new Kysely<unknown>({
      dialect: new MysqlDialect({ pool }),
      log: ({ query }) => void statements.push(query.sql),
    })
    opened.push(db)
    const server = await SqlServer.start(model(), db as unknown as AnyDatabase)
    servers.push(server)
    return server
  }

  async function fill(rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    await sql`drop table if exists Things`.execute(mysql.db)
    const types = { ...columns, Code: (await isMariaDb(mysql.db)) ? 'uuid' : 'char(36)' }
    const list = Object.entries(types).map(([name, type]) => `\`${name}\` ${type}`)
    await sql.raw(`create table Things (${list.join(', ')})`).execute(mysql.db)
    await mysql.db.connection().execute(async (connection) => {
      await sql`set sql_mode = 'ALLOW_INVALID_DATES'`.execute(connection)
      for (const [index, row] of rows.entries()) {
        const names = ['ID', ...Object.keys(row)].map((name) => sql.ref(name))
        const values = [index + 1, ...Object.values(row)].map((one) => sql`${one}`)
        await sql`insert into Things (${sql.join(names)}) values (${sql.join(values)})`.execute(connection)
      }
    })
  }

  const texts = [
    '',
    ' ',
    'a"b',
    '\\',
    '<&>',
    ']]>',
    '\u0001',
    '\u007f',
    '\r\n\t',
    '\0',
    'ä',
    '€',
    '😀',
    '\u2028',
    '\ufffe',
    'x'.repeat(70_000),
    'é'.repeat(300),
  ]
  const odd: Readonly<Record<string, readonly unknown[]>> = {
    Text: texts,
    Latin: ['ä', 'ÿ', '"', '€'],
    Fixed: ['ab', ' x', 'ä'],
    Choice: ['ä', 'b"<', ''],
    Flag: [0, 1, 2, -1],
    Byte: [0, 9, 10, 99, 100, 255],
    Small: [-128, -1, 0, 127],
    Short: [-32768, -999, 0, 9999, 10_000, 32767],
    Whole: [-2147483648, -99_999_999, 0, 999_999_999, 1_000_000_000, 2147483647],
    Padded: [0, 7, 123_456, 1_234_567],
    Year: ['0000', '1901', '2155'],
    Long: [
      '-9223372036854775808',
      '0',
      '-1',
      '999999999999999999',
      '1000000000000000000',
      '9223372036854775807',
    ],
    PaddedLong: ['0', '15', '123456789012345'],
    Amount: ['0', '-0.5', '-1', '123456789012345678901234567890.0123456789', '0.0000000001'],
    PaddedAmount: ['0', '1.5', '12345678.25'],
    Double: [0, -0, 0.1, 1 / 3, 1e15, 1e16, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, -2.5, 123456789.125, 1e100],
    Single: [0, 0.1, 16777217, 1e10, 1e-10, -2.5],
    Code: ['00000000-0000-0000-0000-000000000000', 'ABCDEF01-2345-6789-abcd-ef0123456789'],
    CodeText: [
      '00000000-0000-0000-0000-000000000000',
      'ABCDEF01-2345-6789-ABCD-EF0123456789',
      'nonsense',
      '',
    ],
    Bytes: [Buffer.from([0, 255, 0xfb, 0xfe]), Buffer.alloc(0), Buffer.alloc(300, 0xc3)],
    Fixed2: [Buffer.from([1]), Buffer.from([0xff, 0xfe, 0xfd])],
    Day: ['2012-05-29', '0000-00-00', '2012-00-00', '2012-02-30', '0001-01-01', '9999-12-31'],
    Second: [
      '2012-05-29 09:13:28',
      '0000-00-00 00:00:00',
      '2012-02-31 01:02:03',
      '2012-02-29 23:59:59',
      '1000-01-01 00:00:00',
    ],
    Micro: [
      '2012-05-29 09:13:28.123456',
      '2012-05-29 09:13:28.000000',
      '2012-05-29 09:13:28.120000',
      '0000-00-00',
      '2012-11-31 00:00:00',
      '9999-12-31 23:59:59.999999',
    ],
    Stamp: ['2012-05-29 09:13:28.123', '2012-05-29 09:13:28', '1970-01-02 00:00:00.5'],
    Zoned: ['2012-05-29 09:13:28.5', '0000-00-00', '2012-02-29 00:00:00'],
    Clock: ['00:00:00', '23:59:59.123456', '838:59:59', '-12:00:00', '09:13:28.5'],
  }

  async function expectSame(wire: SqlServer, objects: SqlServer, path: string): Promise<void> {
    for (const Accept of ['application/json', 'application/atom+xml']) {
      const [one, other] = await Promise.all(
        [wire, objects].map((server) => server.send('GET', path, undefined, { Accept })),
      )
      const comparable = ({ status, text, etag }: NonNullable<typeof one>): unknown => ({
        path,
        status,
        etag,
        text: text.replace(/<updated>[^<]*/g, '').replace(/:\d+\/s\//g, ':/s/'),
      })
      expect(one && comparable(one)).toEqual(other && comparable(other))
    }
  }

  const isWire = (): boolean =>
    statements.some((one) => one instanceof MysqlWireQuery && !one.sql.includes('_latin1'))

  it('MUST serialize every value like one that the driver decodes', async () => {
    const rows = Object.entries(odd).flatMap(([name, values]) => values.map((one) => ({ [name]: one })))
    await fill([{}, ...rows])
    const wire = await start({})
    const objects = await start({ disableEval: true })
    for (let id = 1; id <= rows.length + 1; id++) {
      proxy.lengths = [id % 3 === 0 ? 7 : 1000]
      await expectSame(wire, objects, `Things?$filter=ID%20eq%20${String(id)}`)
      await expectSame(wire, objects, `Things(${String(id)})`)
    }
    expect(isWire()).toBe(true)
  })

  it('MUST serialize random rows like those that the driver decodes', async () => {
    const one = fc.record(
      {
        Text: fc.string({ unit: codePoint, maxLength: 300 }),
        Flag: fc.constantFrom(0, 1),
        Whole: fc.integer(),
        Long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
        Amount: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map((n) => `${String(n)}.25`),
        Double: fc.double({ noNaN: true, noDefaultInfinity: true }),
        Bytes: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
        Code: fc.uuid(),
        Micro: fc
          .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
          .map((date) => date.toISOString().slice(0, -1).replace('T', ' ')),
      },
      { requiredKeys: [] },
    )
    await fill(fc.sample(one, runs(300)))
    const wire = await start({})
    const objects = await start({ disableEval: true })
    proxy.lengths = [900, 17, 30_000]
    const names = 'ID,Text,Flag,Whole,Long,Amount,Double,Bytes,Code,Micro'
    for (const path of ['Things', `Things?$select=${names}&$orderby=Double`, 'Things?$filter=Flag&$top=20'])
      await expectSame(wire, objects, path)
  })

  it('MUST serialize the rows that the driver receives, even if the memory of its chunks contains other bytes', async () => {
    await fill(Array.from({ length: 500 }, (_, index) => ({ Text: `Thing ${String(index)}` })))
    proxy.lengths = [65_536]
    const wire = await start({ stream: () => SharingStream.connect(proxy.port) })
    const objects = await start({ disableEval: true })
    statements.length = 0
    await expectSame(wire, objects, 'Things')
    expect(isWire()).toBe(true)
  })

  it.each<[string, PoolOptions]>([
    ['another character set than UTF-8', { charset: 'LATIN1_SWEDISH_CI' }],
    ['a parser of another kind', { disableEval: true }],
  ])('MUST use the values of a driver with %s', async (_, options) => {
    await fill([{ Text: 'ä', Latin: 'ö' }])
    statements.length = 0
    const server = await start(options)
    const { json } = await server.send('GET', 'Things(1)')
    expect(json).toMatchObject({ Text: 'ä', Latin: 'ö' })
    expect(isWire()).toBe(false)
  })
})
