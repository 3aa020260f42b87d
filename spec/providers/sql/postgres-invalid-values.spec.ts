import { sql } from 'kysely'
import type { InvalidValueRow } from '../../support/sql/invalid-value-table.js'
import { checkInvalidAsNull, checkInvalidValue } from '../../support/sql/invalid-value-table.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { TypedTable } from '../../support/sql/type-table.js'

let server: PostgresServer
let db: AnyDatabase

beforeAll(async () => {
  server = PostgresServer.shared()
  db = await server.open()
})

afterEach(async () => {
  await TypedTable.stopAll()
  await sql.raw('drop table if exists things, moments cascade').execute(db)
})

afterAll(() => server.stop())

const day = ["'2024-02-29'", '/Date(1709164800000)/'] as const
const moment = ["'2024-02-29 00:00Z'", '/Date(1709164800000+0000)/'] as const
const clock = ["'10:11:12'", 'PT10H11M12S'] as const
const values: readonly InvalidValueRow[] = [
  { column: 'timestamp', value: "'infinity'", shown: "'infinity'", edm: 'DateTime', valid: day },
  { column: 'timestamp', value: "'-infinity'", shown: "'-infinity'", edm: 'DateTime', valid: day },
  {
    column: 'timestamp',
    value: "'0044-03-15 12:00 BC'",
    shown: '-000043-03-15',
    edm: 'DateTime',
    valid: day,
  },
  { column: 'timestamp', value: "'10000-01-01'", shown: '10000-01-01', edm: 'DateTime', valid: day },
  { column: 'timestamptz', value: "'infinity'", shown: 'infinity', edm: 'DateTimeOffset', valid: moment },
  {
    column: 'timestamptz',
    value: "'10000-01-01 00:00Z'",
    shown: '10000-01-01',
    edm: 'DateTimeOffset',
    valid: moment,
  },
  { column: 'date', value: "'-infinity'", shown: "'-infinity'", edm: 'DateTime', valid: day },
  { column: 'date', value: "'0044-03-15 BC'", shown: '0044-03-15 BC', edm: 'DateTime', valid: day },
  { column: 'date', value: "'10000-01-01'", shown: '10000-01-01', edm: 'DateTime', valid: day },
  { column: 'time', value: "'24:00'", shown: "'24:00:00'", edm: 'Time', valid: clock },
  { column: 'numeric', value: "'NaN'", shown: "'NaN'", edm: 'Decimal', valid: ['1.5', '1.5'] },
  { column: 'numeric', value: "'-Infinity'", shown: "'-Infinity'", edm: 'Decimal', valid: ['1.5', '1.5'] },
  { column: 'numeric(10,2)', value: "'NaN'", shown: "'NaN'", edm: 'Decimal', valid: ['1.5', '1.50'] },
]
const titled = values.map((row) => [`${row.column} ${row.value}`, row] as const)

describe('Values of PostgreSQL that are invalid for their property', () => {
  it.each(titled)('MUST be errors that name entity, property, value and remedy: %s', (_, row) =>
    checkInvalidValue(db, row),
  )

  it.each(titled)("MUST be null on every path with invalidValues 'null': %s", (_, row) =>
    checkInvalidAsNull(db, row),
  )

  it('MUST leave tables alone whose values are all valid', async () => {
    const table = await TypedTable.open(
      db,
      [
        'create table things (id int primary key, v double precision, n bigint, w text, u uuid, b bytea)',
        "insert into things values (1, 'NaN', 1, 'x', null, ''), (2, 'Infinity', 2, '', null, null)",
      ],
      { invalidValues: 'null' },
    )
    expect(await table.values('$orderby=Id')).toEqual(['NaN', 'INF'])
    expect(table.notices).toEqual([])
  })
})
