import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { AggregateQuery } from '../../../lib/provider/provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../../contracts/contract-service.js'
import type { OwnLoggedDatabase } from '../../support/sql/logged-database.js'
import { openLogged } from '../../support/sql/logged-database.js'

const dimension = { sap: { aggregationRole: 'dimension' } } as const
const measure = { sap: { aggregationRole: 'measure' } } as const

const model = defineModel({
  namespace: 'G',
  entityTypes: {
    Sale: {
      key: ['GroupID'],
      sap: { semantics: 'aggregate' },
      properties: {
        GroupID: edm.String({ nullable: false }),
        Country: edm.String({ maxLength: 10, ...dimension }),
        Day: edm.DateTime({ precision: 0, ...dimension }),
        Amount: edm.Decimal({ precision: 30, scale: 2, ...measure }),
        Stock: edm.Int64(measure),
        Highest: edm.Int64({ ...measure, aggregate: 'max' }),
      },
    },
  },
  entityContainer: { entitySets: { Sales: { entityType: 'Sale' } } },
})

const rows = [
  `('de', '2026-01-01 00:00:00', 0.1, 1, 5)`,
  `('de', '2026-01-02 00:00:00', 0.2, 2, 6)`,
  `('at', '2026-01-03 00:00:00', -30000000000.01, -9223372036854775808, 1)`,
  `('at', '2026-01-04 00:00:00', -21474836.48, 9223372036854775807, 1)`,
  `('at', '2026-01-05 00:00:00', 0.03, -2147483648, 1)`,
  `('ch', '2026-01-06 00:00:00', null, null, null)`,
  `('ch', '2026-01-07 00:00:00', null, null, null)`,
  `('fr', '2026-01-08 00:00:00', 9999999999999.99, 4294967296, 1)`,
  `('fr', '2026-01-09 00:00:00', 9999999999999.99, 4294967296, 1)`,
]

const table = (type: string): string =>
  `create table "Sales" ("Country" varchar(10), "Day" ${type}, "Amount" decimal(30, 2), "Stock" bigint, "Highest" bigint)`

/** The sums of all countries, in the order of their names. */
const totals = [
  { Country: 'at', Amount: '-30021474836.46', Stock: '-2147483649' },
  { Country: 'ch', Amount: null, Stock: null },
  { Country: 'de', Amount: '0.30', Stock: '3' },
  { Country: 'fr', Amount: '19999999999999.98', Stock: '8589934592' },
]

describe.each(['sqlite', 'postgres'] as const)('Groups on %s', (kind) => {
  let database: OwnLoggedDatabase
  let services: ContractServices

  beforeAll(async () => {
    services = await ContractServices.start()
    database = await openLogged(kind)
    const { db } = database
    await sql.raw(table(kind === 'sqlite' ? 'datetime' : 'timestamp(0)')).execute(db)
    await sql.raw(`insert into "Sales" values ${rows.join(', ')}`).execute(db)
    const provider = sqlProvider(model, db)
    await provider.ready()
    services.mount('all', provider, { pageCache: { maxBytes: 0 } }, model)
    services.mount('pages', provider, { pageSize: 3, pageCache: { maxBytes: 0 } }, model)
  })

  afterAll(async () => {
    await services.close()
    await database.close()
  })

  const read = (service: string, query: string): Promise<unknown> =>
    services.json(service, `/Sales?${query.replaceAll(' ', '%20')}`)

  it('MUST add values exactly, whatever their size and sign', async () => {
    expect(await read('all', '$select=Country,Amount,Stock')).toMatchObject({ results: totals })
  })

  it.each([
    ['Amount', ['ch', 'at', 'de', 'fr']],
    ['Stock', ['ch', 'at', 'de', 'fr']],
    ['Amount desc', ['fr', 'de', 'at', 'ch']],
    ['Stock desc', ['fr', 'de', 'at', 'ch']],
  ])('MUST sort groups by sums: %s', async (order, expected) => {
    expect(await read('all', `$select=Country,Amount,Stock&$orderby=${order}`)).toMatchObject({
      results: expected.map((Country) => ({ Country })),
    })
  })

  it.each([
    ['$select=Country,Amount&$inlinecount=allpages', 4, 1],
    ['$select=Country,Amount&$inlinecount=allpages&$top=2&$orderby=Amount desc', 4, 1],
    ['$select=Country,Amount&$inlinecount=allpages&$top=2&$skip=1', 4, 1],
    ["$select=Country&$inlinecount=allpages&$top=2&$filter=Day gt datetime'2026-01-05T00:00:00'", 2, 1],
    ["$select=Country&$inlinecount=allpages&$filter=Country eq 'xx'", 0, 1],
    // No row has the number.
    ['$select=Country&$inlinecount=allpages&$skip=9', 4, 2],
    ['$select=Country&$inlinecount=allpages&$top=0', 4, 1],
  ])('MUST count all groups by the statement that reads a page: %s', async (query, count, expected) => {
    database.statements()
    expect(await read('all', query)).toMatchObject({ __count: String(count) })
    expect(database.statements()).toHaveLength(expected)
  })

  it('MUST count all groups on later pages', async () => {
    const first = (await read('pages', '$select=Country,Amount,Stock&$inlinecount=allpages')) as {
      readonly __next: string
    }
    expect(first).toMatchObject({ __count: '4', results: totals.slice(0, 3) })
    const { search } = new URL(first.__next)
    expect(await services.json('pages', `/Sales${search}`)).toMatchObject({
      __count: '4',
      results: totals.slice(3),
    })
  })

  if (kind === 'postgres')
    it('MUST convert the time of a condition once, and not for each row', async () => {
      database.statements()
      await read('all', "$select=Country&$filter=Day gt datetime'2026-01-05T00:00:00'")
      expect(database.statements()[0]).toContain('"Day" > $1::timestamp)')
    })
})

describe('Sums of SQLite', () => {
  it('MUST be exact when values exceed 64 bits before others are added', async () => {
    const services = await ContractServices.start()
    const { close, db } = await openLogged('sqlite')
    const [most, least] = ['9223372036854775807', '-9223372036854775807']
    const values = [most, most, least, least, '7'].map((stock) => `('it', 1.5, ${stock})`)
    await sql.raw(table('datetime')).execute(db)
    await sql
      .raw(`insert into "Sales" ("Country", "Amount", "Stock") values ${values.join(', ')}`)
      .execute(db)
    services.mount('sums', sqlProvider(model, db), {}, model)
    expect(
      await services.json('sums', '/Sales?$select=Country,Amount,Stock&$orderby=Stock&$inlinecount=allpages'),
    ).toMatchObject({ __count: '1', results: [{ Country: 'it', Amount: '7.50', Stock: '7' }] })
    await services.close()
    await close()
  })
})

describe('Pages of sums of SQLite', () => {
  // The sums of some countries have more digits than a floating-point number, and more than 64 bits without the point.
  const values = [
    `('at', 1)`,
    `('ch', -923456789012345678.5)`,
    `('de', 12345678901234567.5)`,
    `('es', 923456789012345678.5)`,
    `('fr', 923456789012345678.5)`,
    `('fr', 923456789012345678.5)`,
  ]
  const countries = ['ch', 'at', 'de', 'es', 'fr']

  it.each([
    ['Amount', countries],
    ['Amount desc', countries.toReversed()],
  ])(
    'MUST contain each group once when the database cannot add its values exactly: %s',
    async (order, all) => {
      const services = await ContractServices.start()
      const { close, db } = await openLogged('sqlite')
      await sql.raw(table('datetime')).execute(db)
      await sql.raw(`insert into "Sales" ("Country", "Amount") values ${values.join(', ')}`).execute(db)
      services.mount('sums', sqlProvider(model, db), { pageSize: 1 }, model)
      const found: unknown[] = []
      let search: string | undefined = `?$select=Country,Amount&$orderby=${encodeURIComponent(order)}`
      while (search !== undefined) {
        const { __next, results } = (await services.json('sums', `/Sales${search}`)) as {
          readonly __next?: string
          readonly results: readonly { readonly Country: string }[]
        }
        found.push(...results.map(({ Country }) => Country))
        search = __next === undefined ? undefined : new URL(__next).search
      }
      expect(found).toEqual(all)
      await services.close()
      await close()
    },
  )
})

describe('Groups of a provider with their number', () => {
  const counts: unknown[] = []
  let count: unknown = 7
  const provider = {
    entitySets: {
      Sales: {
        read: () => [],
        aggregate: (query: AggregateQuery) => {
          counts.push(query.count)
          return { rows: [{ Country: 'de' }], count: count as number }
        },
        pushdown: { aggregation: () => true },
      },
    },
  }
  let services: ContractServices

  beforeAll(async () => {
    services = await ContractServices.start()
    services.mount('own', provider, {}, model)
  })

  afterAll(() => services.close())

  it('MUST be requested only with $inlinecount, and be shown', async () => {
    counts.length = 0
    expect(await services.json('own', '/Sales?$select=Country&$top=1&$inlinecount=allpages')).toMatchObject({
      __count: '7',
      results: [{ Country: 'de' }],
    })
    expect(counts).toEqual([true])
  })

  it('MUST be refused as an error of the provider if it is not a number', async () => {
    count = 'many'
    expect(await services.status('own', '/Sales?$select=Country&$top=1&$inlinecount=allpages')).toBe(500)
  })
})
