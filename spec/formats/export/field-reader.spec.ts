import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Provider } from '../../../lib/index.js'
import { defineModel, edm, memoryProvider, requestListener } from '../../../lib/index.js'
import { cacheStatements, sqlProvider } from '../../../lib/sql.js'
import { TestServer } from '../../support/http-exchange.js'
import { codePoint, fc, runs } from '../../support/random.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Text: edm.String(),
        Byte: edm.Byte(),
        Short: edm.Int16(),
        Long: edm.Int64(),
        Price: edm.Decimal({ precision: 12, scale: 2 }),
        Weight: edm.Double(),
        Active: edm.Boolean(),
        Released: edm.DateTime(),
        Code: edm.Guid(),
      },
    },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { nil: null })

const item = fc.record({
  Text: optional(
    fc.string({ unit: fc.oneof(fc.constantFrom('"', ',', '\n', '<', '=', 'a'), codePoint), maxLength: 20 }),
  ),
  Byte: optional(fc.integer({ min: 0, max: 255 })),
  Short: optional(fc.integer({ min: -32_768, max: 32_767 })),
  Long: optional(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  Price: optional(fc.integer({ min: -100_000, max: 100_000 }).map((cents) => (cents / 100).toFixed(2))),
  Weight: optional(fc.double({ noNaN: true, noDefaultInfinity: true })),
  Active: optional(fc.boolean()),
  Released: optional(
    fc
      .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 23)),
  ),
  Code: optional(fc.uuid()),
})

const names = ['Text', 'Byte', 'Short', 'Long', 'Price', 'Weight', 'Active', 'Released', 'Code'] as const

async function exportOf(provider: Provider, target: string): Promise<Buffer> {
  const server = await TestServer.start(requestListener(model, provider, { exports: true }))
  try {
    const { bytes, status } = await server.send(target)
    expect(status).toBe(200)
    return bytes
  } finally {
    await server.stop()
  }
}

describe('An export', () => {
  it('MUST have the same bytes from rows of a database and from objects, for any values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 20 }), async (items) => {
        const rows = items.map((one, index) => ({ ID: index + 1, ...one }))
        const database = new SQLite(':memory:')
        database.exec(
          'create table "Items" ("ID" integer primary key, "Text" text, "Byte" tinyint, "Short" smallint, "Long" bigint, ' +
            '"Price" decimal(12, 2), "Weight" double, "Active" boolean, "Released" datetime, "Code" uuid)',
        )
        const insert = database.prepare('insert into "Items" values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
        for (const row of rows) {
          const { Active, Long } = row
          const stored = {
            ...row,
            Active: Active === null ? null : Number(Active),
            Long: Long === null ? null : BigInt(Long),
          }
          insert.run(row.ID, ...names.map((name) => stored[name]))
        }
        const sqlite = cacheStatements(database)
        const stored = sqlProvider(model, new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), {
          sqlite,
        })
        await stored.ready()
        for (const format of ['csv', 'xlsx']) {
          const target = `/Items?$format=${format}`
          const expected = await exportOf(memoryProvider(model, { Items: rows }), target)
          const actual = await exportOf(stored, target)
          expect(actual.toString('latin1')).toBe(expected.toString('latin1'))
        }
        database.close()
      }),
      { numRuns: runs(100) },
    )
  })
})
