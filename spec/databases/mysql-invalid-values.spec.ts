import { sql } from 'kysely'
import type { InvalidValueRow } from '../support/sql/invalid-value-table.js'
import { checkInvalidAsNull, checkInvalidValue } from '../support/sql/invalid-value-table.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { TypedTable } from '../support/sql/type-table.js'

let db: AnyDatabase

beforeEach(async () => {
  db = await openMysql()
  await sql`set global sql_mode = 'ALLOW_INVALID_DATES'`.execute(db)
  await db.destroy()
  db = await openMysql()
})

afterEach(async () => {
  await TypedTable.stopAll()
  await sql`set global sql_mode = default`.execute(db)
  await db.destroy()
})

const day = ["'2024-02-29'", '/Date(1709164800000)/'] as const
const values: readonly InvalidValueRow[] = [
  { column: 'date', value: "'0000-00-00'", shown: "'0000-00-00'", edm: 'DateTime', valid: day },
  { column: 'date', value: "'2024-00-00'", shown: "'2024-00-00'", edm: 'DateTime', valid: day },
  { column: 'date', value: "'2024-05-00'", shown: "'2024-05-00'", edm: 'DateTime', valid: day },
  { column: 'date', value: "'2024-02-30'", shown: "'2024-02-30'", edm: 'DateTime', valid: day },
  {
    column: 'datetime(3)',
    value: "'0000-00-00'",
    shown: "'0000-00-00T00:00:00.000'",
    edm: 'DateTime',
    valid: day,
  },
  {
    column: 'timestamp',
    value: '0',
    shown: "'0000-00-00T00:00:00Z'",
    edm: 'DateTimeOffset',
    valid: ["'2024-02-29'", '/Date(1709164800000+0000)/'],
  },
  {
    column: 'time',
    value: "'25:00:00'",
    shown: "'25:00:00'",
    edm: 'Time',
    valid: ["'10:11:12'", 'PT10H11M12S'],
  },
  {
    column: 'time(1)',
    value: "'-00:00:01'",
    shown: "'-00:00:01.0'",
    edm: 'Time',
    valid: ["'10:11:12'", 'PT10H11M12S'],
  },
]
const titled = values.map((row) => [`${row.column} ${row.value}`, row] as const)

describe('Values of MySQL and MariaDB that are invalid for their property', () => {
  it.each(titled)('MUST be errors that name entity, property, value and remedy: %s', (_, row) =>
    checkInvalidValue(db, row),
  )

  it.each(titled)("MUST be null on every path with invalidValues 'null': %s", (_, row) =>
    checkInvalidAsNull(db, row),
  )
})
