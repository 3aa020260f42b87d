import type { Row } from '../../../lib/index.js'
import { memoryProvider } from '../../../lib/index.js'
import { sqlProvider } from '../../../lib/sql.js'
import { expectedGroups, decimalOf, rowOf } from '../../support/expected-groups.js'
import type { GroupName, RandomSale } from '../../support/expected-groups.js'
import { fc, runs } from '../../support/random.js'
import { salesModel, SalesServer } from '../../support/services/sales-service.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { describeDatabases } from '../../support/sql/databases.js'

const names = ['Country', 'Customer', 'Currency'] as const
const measures = 'Amount,Mean,Best,Least,Quantity,Items,Customers'

const sale: fc.Arbitrary<RandomSale> = fc.record({
  Country: fc.constantFrom('DE', 'de', 'É', 'e', '\u{1F600}', '', null),
  Customer: fc.constantFrom('a', 'A', 'a ', null),
  Currency: fc.constantFrom('EUR', 'USD', null),
  cents: fc.option(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), { freq: 4 }),
  Quantity: fc.option(fc.integer({ min: -1000, max: 1000 }), { freq: 4 }),
})

/** Brings decimals to two digits: SQLite does not store trailing zeros. */
function normalized(group: Row): Row {
  return Object.fromEntries(
    Object.entries(group).map(([name, value]) => {
      const isDecimal = ['Amount', 'Mean', 'Best', 'Least'].includes(name) && typeof value === 'string'
      return [name, isDecimal ? decimalOf(Math.round(Number(value) * 100)) : value]
    }),
  )
}

function sorted(groups: readonly Row[]): readonly Row[] {
  const keyOf = (group: Row): string => JSON.stringify(names.map((name) => group[name] ?? null))
  return [...groups].map(normalized).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

describeDatabases(({ kind, open }) => {
  describe(`Groups of a table without ids in ${kind}`, () => {
    let db: AnyDatabase
    let service: SalesServer
    beforeAll(async () => {
      const number = kind === 'sqlite' ? 'decimal(15,2)' : 'numeric(15,2)'
      db = await open([
        `create table "Sales" ("Country" text, "Customer" text, "Currency" text, "Amount" ${number},
          "Best" ${number}, "Quantity" integer, "Weight" double precision)`,
        `create table "Regions" ("Name" text primary key)`,
        `insert into "Regions" values ('DE')`,
      ])
      // Rows that the service groups would exceed the limit.
      const provider = sqlProvider(salesModel, db)
      await provider.ready()
      service = await SalesServer.start(provider, { limits: { scannedRows: 0 } })
    })
    afterAll(() => service.stop())

    const replaceRows = async (rows: readonly Row[]): Promise<void> => {
      await db.deleteFrom('Sales').execute()
      if (rows.length > 0) await db.insertInto('Sales').values(rows).execute()
    }

    it('MUST be those of memory and of the protocol, in the same order', async () => {
      const property = fc.asyncProperty(
        fc.array(sale, { maxLength: 12 }),
        fc.subarray([...names]),
        async (sales: readonly RandomSale[], groupBy: readonly GroupName[]) => {
          const rows = sales.map(rowOf)
          await replaceRows(rows)
          const query = `Sales?$select=${[...groupBy, measures].join()}&$inlinecount=allpages`
          const found = await service.groups(query)
          const memory = await SalesServer.start(memoryProvider(salesModel, { Sales: rows }))
          const inMemory = await memory.groups(query)
          await memory.stop()
          expect(found.map(normalized)).toEqual(inMemory.map(normalized))
          expect(sorted(found)).toEqual(sorted(expectedGroups(sales, groupBy)))
        },
      )
      await fc.assert(property, { numRuns: runs(300) })
    })

    it('MUST be filtered, sorted, counted, and readable by their ids', async () => {
      await replaceRows([
        { Country: 'DE', Customer: 'Anna', Amount: '10.00', Currency: 'EUR', Quantity: 1 },
        { Country: 'DE', Customer: 'Anna', Amount: '20.10', Currency: 'EUR', Quantity: 2 },
        { Country: 'DE', Customer: 'Ben', Amount: '5.00', Currency: 'USD', Quantity: 4 },
        { Country: 'FR', Customer: 'Cleo', Amount: '7.50', Currency: 'EUR', Quantity: null },
      ])
      expect(await service.groups('Sales?$select=Customer,Amount&$orderby=Items desc,Customer desc')).toEqual(
        [
          { Customer: 'Anna', Amount: '30.10' },
          { Customer: 'Cleo', Amount: '7.50' },
          { Customer: 'Ben', Amount: '5.00' },
        ],
      )
      expect((await service.send('GET', 'Sales/$count')).text).toBe('3')
      expect(await service.groups("Regions('DE')/Sales?$select=Items")).toEqual([{ Items: 3 }])
      const { d } = await service.get("Sales?$select=Country,Amount&$filter=Currency eq 'EUR'")
      for (const group of d.results) {
        expect(await service.follow(`${group.__metadata.uri}?$select=Country,Amount`)).toMatchObject({
          d: group,
        })
      }
    })

    it('MUST be exact where the database is not: then the service groups', async () => {
      await replaceRows(
        [
          { Country: 'DE', Amount: '9007199254740993.01', Currency: 'EUR' },
          { Country: 'DE', Amount: '0.01', Currency: 'EUR' },
        ].slice(kind === 'sqlite' ? 0 : 1),
      )
      const { status, text } = await service.send('GET', 'Sales?$select=Amount')
      if (kind === 'sqlite') expect([status, text]).toEqual([400, expect.stringContaining('scannedRows')])
      else expect(text).toContain('"Amount":"0.01"')
    })
  })
})
