import { sql } from 'kysely'
import { fc, runs } from '../../random.js'
import type { AnyDatabase, DatabaseKind } from '../model-tables.js'
import { isMariaDb } from '../model-tables.js'
import { checkColumnType, checkKey, checkRoundTrip } from './check-column-type.js'
import { checkInvalidAsNull, checkInvalidValue } from './check-invalid-value.js'
import type { ColumnTypeRow } from './column-type-row.js'
import { columnTypesOf } from './column-types-of.js'
import { TypedTable } from './typed-table.js'

/** The number of random values of a table. */
const VALUES = 6

/** Tests the rows of the table of types on a database. */
export function describeColumnTypes(kind: DatabaseKind, open: () => Promise<AnyDatabase>): void {
  const rows = columnTypesOf[kind]

  describe(`A column type of ${kind}`, () => {
    let db: AnyDatabase

    beforeAll(async () => {
      db = await open()
    })

    afterEach(async () => {
      await TypedTable.stopAll()
      for (const table of ['things', 'moments']) await sql.raw(`drop table if exists ${table}`).execute(db)
    })

    const titled = rows.map((row) => [row.column === '' ? 'none' : row.column, row] as const)
    const test = (title: string, check: (row: ColumnTypeRow) => Promise<void>): void => {
      it.each(titled)(`${title}: %s`, async (_, row) => {
        if (await isAvailable(db, kind, row)) await check(row)
      })
    }

    test('MUST have its property, and refuse other values', (row) => checkColumnType(db, kind, row))
    test('MUST be a key where the database accepts it', (row) => checkKey(db, row))
    test('MUST preserve stored values that clients send back', (row) => checkRoundTrip(db, kind, row))

    test('MUST preserve random values that clients send back', async (row) => {
      if (row.random === undefined) return
      const values = fc.array(row.random, { minLength: VALUES, maxLength: VALUES })
      const property = fc.asyncProperty(values, async (literals) => {
        await checkRoundTrip(db, kind, row, literals)
        await TypedTable.stopAll()
      })
      await fc.assert(property, { numRuns: runs(10), endOnFailure: true })
    })

    const invalid = rows.flatMap(({ column, edm, values: [valid], invalid: all = [] }) =>
      all.map(([value, shown]) => {
        if (valid === undefined || typeof valid === 'string')
          throw new Error(`The first value of ${column} has no JSON.`)
        return [`${column} ${value}`, { column, edm, value, shown, valid }] as const
      }),
    )
    if (invalid.length === 0) return

    it.each(invalid)(
      'MUST respond with 500 to invalid values, naming entity, property and remedy: %s',
      (_, row) => checkInvalidValue(db, kind, row),
    )

    it.each(invalid)(
      "MUST show invalid values as null on every path with invalidValues 'null': %s",
      (_, row) => checkInvalidAsNull(db, kind, row),
    )
  })
}

async function isAvailable(
  db: AnyDatabase,
  kind: DatabaseKind,
  { requires }: ColumnTypeRow,
): Promise<boolean> {
  if (requires === undefined) return true
  if (kind === 'mysql') return isMariaDb(db)
  const { rows } = await sql`select 1 from pg_available_extensions where name = ${requires}`.execute(db)
  if (rows.length > 0) await sql.raw(`create extension if not exists ${requires}`).execute(db)
  return rows.length > 0
}
