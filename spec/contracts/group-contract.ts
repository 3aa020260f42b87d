import type { Row } from '../../lib/index.js'
import { memoryProvider } from '../../lib/index.js'
import { sqlProvider } from '../../lib/sql.js'
import { decimalOf, expectedGroups, rowOf } from '../support/expected-groups.js'
import type { GroupName, RandomSale } from '../support/expected-groups.js'
import { fc, runs } from '../support/random.js'
import type { GroupFeed } from '../support/services/sales-service.js'
import { salesModel, SalesServer, saleTables } from '../support/services/sales-service.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'

const names = ['Country', 'Customer', 'Currency'] as const
const measures = ['Amount', 'Mean', 'Best', 'Least', 'Quantity', 'Items', 'Customers'] as const
/** Measures by which databases sort: an average would need more digits than they have. */
const sortedMeasures = measures.filter((one) => one !== 'Mean')

const sale: fc.Arbitrary<RandomSale> = fc.record({
  Country: fc.constantFrom('DE', 'de', 'É', 'e', '\u{1F600}', '\uFFFD', '', null),
  Customer: fc.constantFrom('a', 'A', 'a ', null),
  Currency: fc.constantFrom('EUR', 'USD', null),
  cents: fc.option(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), { freq: 4 }),
  Quantity: fc.option(fc.integer({ min: -1000, max: 1000 }), { freq: 4 }),
})

/** A page of groups: what groups, and the terms of `$orderby`. */
const paged = fc
  .record({
    groupBy: fc.subarray([...names], { minLength: 1 }),
    sortedBy: fc.subarray([...names, ...sortedMeasures], { maxLength: 3 }),
    descending: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    skip: fc.nat(3),
  })
  .map(({ groupBy, sortedBy, ...rest }) => ({
    ...rest,
    groupBy,
    sortedBy: sortedBy.filter(
      (name) => !names.some((one) => one === name) || groupBy.some((one) => one === name),
    ),
  }))

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

async function inMemory<T>(rows: readonly Row[], work: (memory: SalesServer) => Promise<T>): Promise<T> {
  const memory = await SalesServer.start(memoryProvider(salesModel, { Sales: rows }), { pageSize: 2 })
  try {
    return await work(memory)
  } finally {
    await memory.stop()
  }
}

/** Follows the next links of a feed. */
async function allPages(service: SalesServer, query: string): Promise<readonly Row[]> {
  const groups: Row[] = []
  let feed: GroupFeed = await service.get(query)
  for (;;) {
    groups.push(
      ...feed.d.results.map(({ __metadata, ID, ...group }) => ({ ...group, hasId: ID !== __metadata })),
    )
    if (feed.d.__next === undefined) return groups.map(normalized)
    feed = await service.follow(feed.d.__next)
  }
}

/**
 * Rules for groups that a database forms itself: the service would exceed its limits.
 *
 * @param open opens an empty database
 */
export function describeGroupsOf(
  kind: 'sqlite' | 'postgres' | 'mysql',
  open: (statements: readonly string[]) => Promise<AnyDatabase>,
): void {
  describe(`Groups of a table without ids in ${kind}`, () => {
    let db: AnyDatabase
    let service: SalesServer
    let pages: SalesServer
    beforeAll(async () => {
      const quote = kind === 'mysql' ? '`' : '"'
      db = await open([...saleTables(kind), `insert into ${quote}Regions${quote} values ('DE')`])
      const provider = sqlProvider(salesModel, db)
      await provider.ready()
      service = await SalesServer.start(provider, { limits: { scannedRows: 0 } })
      pages = await SalesServer.start(provider, { limits: { scannedRows: 0, groups: 3 }, pageSize: 2 })
    })
    afterAll(async () => {
      await service.stop()
      await pages.stop()
    })

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
          const query = `Sales?$select=${[...groupBy, ...measures].join()}&$inlinecount=allpages`
          const found = await service.groups(query)
          const same = await inMemory(rows, (memory) => allPages(memory, query))
          expect(found.map((one) => ({ ...normalized(one), hasId: true }))).toEqual(same)
          expect(sorted(found)).toEqual(sorted(expectedGroups(sales, groupBy)))
        },
      )
      await fc.assert(property, { numRuns: runs(300) })
    })

    it('MUST be sorted, skipped and continued after a page like those of memory, whatever sorts them', async () => {
      const property = fc.asyncProperty(
        fc.array(sale, { maxLength: 12 }),
        paged,
        async (sales, { descending, groupBy, skip, sortedBy }) => {
          const rows = sales.map(rowOf)
          await replaceRows(rows)
          const terms = sortedBy.map((name, index) => `${name}${descending[index] === true ? ' desc' : ''}`)
          const order = terms.length === 0 ? '' : `&$orderby=${terms.join()}`
          const query = `Sales?$select=${[...groupBy, 'Amount', 'Items'].join()}${order}&$skip=${skip}`
          expect(await allPages(pages, query)).toEqual(
            await inMemory(rows, (memory) => allPages(memory, query)),
          )
          const { d } = await pages.get(`${query}&$top=0&$inlinecount=allpages`)
          expect(d.__count).toBe(String(expectedGroups(sales, groupBy).length))
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
      expect((await service.get('Sales?$select=TotaledProperties&$filter=false')).d.results).toEqual([])
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
          { Country: 'FR', Amount: '0.02', Currency: 'EUR' },
        ].slice(kind === 'sqlite' ? 0 : 1),
      )
      const { status, text } = await service.send('GET', 'Sales?$select=Amount')
      if (kind === 'sqlite') expect([status, text]).toEqual([400, expect.stringContaining('scannedRows')])
      else expect(text).toContain('"Amount":"0.03"')
      // The order of a group may depend on values of others.
      const first = await service.send('GET', 'Sales?$select=Country,Amount&$orderby=Amount&$top=1')
      expect(first.status).toBe(kind === 'sqlite' ? 400 : 200)
    })

    it('MUST be refused with the name of a measure whose type is too small, but only where they are shown', async () => {
      const rows = [
        { Country: 'DE', Amount: '9999999999999.99', Currency: 'EUR', Quantity: 2_000_000_000 },
        { Country: 'DE', Amount: '9999999999999.99', Currency: 'EUR', Quantity: 2_000_000_000 },
        { Country: 'FR', Amount: '1.00', Currency: 'EUR', Quantity: 2 },
      ]
      await replaceRows(rows)
      const expectRules = async (one: SalesServer): Promise<void> => {
        for (const query of ['$select=Country,Quantity', '$select=Country,Amount&$orderby=Quantity desc']) {
          const { status, text } = await one.send('GET', `Sales?${query}`)
          expect([status, text]).toEqual([400, expect.stringContaining('LimitExceeded')])
          expect(text).toContain("'Quantity': the sum 4000000000 of a group is not a valid Edm.Int32.")
        }
        for (const query of [
          "$filter=Country eq 'FR'",
          '$orderby=Country desc&$top=1',
          '$orderby=Quantity&$top=1',
        ])
          expect(await one.groups(`Sales?$select=Country,Quantity&${query}`)).toEqual([
            { Country: 'FR', Quantity: 2 },
          ])
        // Facets do not limit exact sums.
        expect(await one.groups('Sales?$select=Amount')).toEqual([{ Amount: '20000000000000.98' }])
      }
      await expectRules(service)
      await inMemory(rows, expectRules)
    })

    it('MUST NOT continue at a position that is not a number', async () => {
      const { status } = await service.send(
        'GET',
        "Sales?$select=Country,Amount&$orderby=Amount&$skiptoken=1m,'x',2",
      )
      expect(status).toBe(400)
    })
  })
}
