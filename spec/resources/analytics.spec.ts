import type { GroupFeed } from '../support/services/sales-service.js'
import { saleRows, SalesServer, salesProviders } from '../support/services/sales-service.js'

interface GroupEntry {
  readonly d: Readonly<Record<string, unknown>>
}

/** The address of a group whose id a client has written. */
function idOf(content: unknown): string {
  return `Sales('${Buffer.from(JSON.stringify(content)).toString('base64url')}')`
}

describe.each(Object.entries(salesProviders))('Groups of an analytical set from %s', (_name, providerOf) => {
  let service: SalesServer
  beforeAll(async () => {
    service = await SalesServer.start(providerOf())
  })
  afterAll(() => service.stop())

  it('MUST be the distinct combinations of the selected properties with aggregated measures', async () => {
    const { d } = await service.get('Sales?$select=Country,Amount,Currency&$inlinecount=allpages')
    expect(d.__count).toBe('3')
    expect(await service.groups('Sales?$select=Country,Amount,Currency')).toEqual([
      { Country: 'DE', Amount: '30.00', Currency: 'EUR' },
      { Country: 'DE', Amount: '5.00', Currency: 'USD' },
      { Country: 'FR', Amount: '7.50', Currency: 'EUR' },
    ])
  })

  it.each([
    // Amounts of different currencies are null, unless the currency is selected.
    [
      '$select=Country,Amount',
      [
        { Country: 'DE', Amount: null },
        { Country: 'FR', Amount: '7.50' },
      ],
    ],
    [
      '$select=Amount,Currency&$orderby=Amount desc',
      [
        { Amount: '37.50', Currency: 'EUR' },
        { Amount: '5.00', Currency: 'USD' },
      ],
    ],
    // Without grouping properties: the grand total.
    ['$select=Quantity,Items,Customers', [{ Quantity: 7, Items: 4, Customers: 3 }]],
    ['$select=Amount', [{ Amount: null }]],
    ["$select=Quantity&$filter=Country eq 'IT'", []],
    // Every method.
    [
      "$select=Amount,Mean,Best,Least,Items,Customers,Quantity&$filter=Currency eq 'EUR'",
      [{ Amount: '37.50', Mean: '12.50', Best: '20.00', Least: '7.50', Items: 3, Customers: 2, Quantity: 3 }],
    ],
    // 0.1 + 0.2 + 0.3 as fractions, rounded once.
    ["$select=Weight&$filter=Country eq 'DE'", [{ Weight: '0.6' }]],
    ["$select=Quantity,Mean&$filter=Country eq 'FR'", [{ Quantity: null, Mean: '7.50' }]],
    // The dimensions that do not group.
    [
      '$select=Country,TotaledProperties',
      [
        { Country: 'DE', TotaledProperties: 'Customer' },
        { Country: 'FR', TotaledProperties: 'Customer' },
      ],
    ],
    // Measures that are not selected sort groups.
    [
      '$select=Customer&$orderby=Items desc',
      [{ Customer: 'Anna' }, { Customer: 'Ben' }, { Customer: 'Cleo' }],
    ],
    ['$select=Customer&$orderby=Customer desc&$top=1&$skip=1', [{ Customer: 'Ben' }]],
    // UI5 appends filters without a blank.
    ["$select=Customer&$filter=(Country eq 'DE')and (Currency eq 'USD')", [{ Customer: 'Ben' }]],
    [
      "$select=Customer&$filter=(Country eq 'FR')or(Currency eq 'USD')",
      [{ Customer: 'Ben' }, { Customer: 'Cleo' }],
    ],
  ])('MUST follow from the query: %s', async (query, expected) => {
    expect(await service.groups(`Sales?${query}`)).toEqual(expected)
  })

  it('MUST have all properties without $select, with * and with the key alone', async () => {
    const all = await service.groups('Sales')
    expect(all).toHaveLength(3)
    expect(all[0]).toEqual({
      TotaledProperties: '',
      Country: 'DE',
      Customer: 'Anna',
      Currency: 'EUR',
      Amount: '30.00',
      Mean: '15.00',
      Best: '20.00',
      Least: '10.00',
      Weight: '0.30000000000000004',
      Quantity: 3,
      Items: 2,
      Customers: 1,
    })
    expect(await service.groups('Sales?$select=*')).toEqual(all)
    expect(await service.groups('Sales?$select=ID')).toEqual(all)
  })

  it('MUST be counted by __count and /$count, also with $top=0', async () => {
    const { d } = await service.get('Sales?$select=Country&$top=0&$inlinecount=allpages')
    expect(d).toEqual({ results: [], __count: '2' })
    expect((await service.get('Sales?$select=Amount&$filter=false&$inlinecount=allpages')).d.__count).toBe(
      '0',
    )
    expect((await service.send('GET', 'Sales/$count')).text).toBe('3')
    expect((await service.send('GET', "Sales/$count?$filter=Country eq 'FR'")).text).toBe('1')
  })

  it('MUST be readable by their id, with the conditions under which they were found', async () => {
    for (const query of [
      '$select=Country,Quantity',
      "$select=Country,Quantity&$filter=Customer ne 'Ben'",
      '',
    ]) {
      const { d } = await service.get(`Sales?${query}`)
      for (const group of d.results) {
        const { d: entry } = await service.follow<GroupEntry>(group.__metadata.uri)
        expect(entry).toMatchObject(group)
        const quantity = await service.follow<GroupEntry>(`${group.__metadata.uri}/Quantity`)
        expect(quantity.d).toEqual({ Quantity: group.Quantity })
      }
    }
  })

  it('MUST be readable by their id when they were found with search', async () => {
    const searching = await SalesServer.start(providerOf(), {
      search: { Sales: ['Country', 'Customer'] },
      sapRestrictions: false,
    })
    const ids = new Set<unknown>()
    for (const query of [
      'search=an',
      'search=an&search-focus=Customer',
      "search=an&$filter=Country eq 'DE'",
      'search=%22an%20%22',
      'search=%20',
    ]) {
      const { d } = await searching.get(`Sales?$select=Country,Quantity&${query}`)
      for (const group of d.results) {
        ids.add(group.ID)
        const { d: entry } = await searching.follow<GroupEntry>(group.__metadata.uri)
        expect(entry).toMatchObject(group)
      }
    }
    expect(ids.size).toBe(5)
    await searching.stop()
  })

  it('MUST NOT be readable when filter and search have more than 700 characters', async () => {
    const searching = await SalesServer.start(providerOf(), { search: { Sales: ['Customer'] } })
    const statusOf = async (length: number): Promise<number> => {
      const filter = `substringof(Country,'${'x'.repeat(length)}DE')`
      const { d } = await searching.get(`Sales?$select=Country&search=anna&$filter=${filter}`)
      const [group] = d.results
      expect(String(group?.ID)).toMatch(/^[\w-]{1,1024}$/)
      return (await searching.send('GET', `Sales('${String(group?.ID)}')`)).status
    }
    const filterLength = "substringof(Country,'DE')".length
    expect(await statusOf(696 - filterLength)).toBe(200)
    expect(await statusOf(697 - filterLength)).toBe(404)
    await searching.stop()
  })

  it('MUST have ids that differ by properties, values and filter, and not by measures and order', async () => {
    const idsOf = async (query: string): Promise<readonly unknown[]> =>
      (await service.get(`Sales?${query}`)).d.results.map(({ ID }) => ID)
    const ids = await Promise.all(
      [
        '$select=Country',
        '$select=Customer',
        '$select=Country,Customer',
        "$select=Country&$filter=Customer ne 'x'",
        '$select=Items',
      ].map(idsOf),
    )
    const flat = ids.flat()
    expect(new Set(flat).size).toBe(flat.length)
    expect(flat.every((id) => /^[\w-]+$/.test(String(id)))).toBe(true)
    expect(await idsOf('$select=Country,Items&$orderby=Country')).toEqual(ids[0])
  })

  it('MUST be complete over pages', async () => {
    const paged = await SalesServer.start(providerOf(), { pageSize: 1 })
    const names: unknown[] = []
    let next: string | undefined = 'Sales?$select=Customer,Items&$orderby=Items desc'
    while (next !== undefined) {
      const page: GroupFeed = await paged.follow(next)
      names.push(...page.d.results.map(({ Customer }) => Customer))
      next = page.d.__next
    }
    await paged.stop()
    expect(names).toEqual(['Anna', 'Ben', 'Cleo'])
  })

  it('MUST be formed among the rows that a navigation property leads to', async () => {
    expect(await service.groups("Regions('DE')/Sales?$select=Customer,Quantity")).toEqual([
      { Customer: 'Anna', Quantity: 3 },
      { Customer: 'Ben', Quantity: 4 },
    ])
    expect(await service.groups("Regions('IT')/Sales?$select=Quantity")).toEqual([])
  })

  it('MUST have ids of their own over each navigation, and be readable over it', async () => {
    const idOver = async (path: string): Promise<string> => {
      const { d } = await service.get(`${path}?$select=Currency,Quantity&$filter=Currency eq 'EUR'`)
      return String(d.results[0]?.ID)
    }
    const paths = ["Regions('DE')/Sales", "Regions('FR')/Sales", 'Sales']
    const ids = await Promise.all(paths.map(idOver))
    expect(new Set(ids).size).toBe(3)
    for (const path of paths) {
      const statuses = await Promise.all(
        ids.map(async (id) => (await service.send('GET', `${path}('${id}')`)).status),
      )
      expect(statuses).toEqual(paths.map((one) => (one === path ? 200 : 404)))
    }
    const { d } = await service.get<GroupEntry>(`Regions('DE')/Sales('${ids[0] ?? ''}')`)
    expect(d).toMatchObject({ Currency: 'EUR', Quantity: 3 })
  })

  it.each([
    ['Sales?$filter=Amount gt 5', 400, 'Amount'],
    ["Sales?$filter=ID eq 'x'", 400, 'ID'],
    ['Sales?$select=Country&$orderby=Customer', 400, 'Customer'],
    ['Sales?$orderby=ID', 400, 'ID'],
    ['Sales?$orderby=length(Country)', 400, 'expression'],
    ['Sales?$select=Nonsense', 400, 'Nonsense'],
    ['Sales?$expand=Region', 400, '$expand'],
    ['Regions?$expand=Sales', 400, '$expand'],
    ["Sales('x')", 404, 'id'],
    [idOf([['Country'], ['DE'], 'Amount gt 5']), 404, 'id'],
    [idOf([['Country'], ['DE'], 'Country eq 5']), 404, 'id'],
    [idOf([['Country'], ['DE'], '', 'x', 'Customer']), 404, 'id'],
    [idOf([['Country'], ['DE'], '']), 404, 'id'],
    [idOf([['Country'], ['DE'], "Country eq 'DE'", '', '', 'x']), 404, 'id'],
    [idOf([['Country'], ['DE'], "Country eq 'DE'", '', '', 'x', 'y']), 404, 'id'],
    [
      idOf([
        ['Country', 'Country'],
        ['DE', 'DE'],
      ]),
      404,
      'id',
    ],
    [idOf([['Amount'], ['5']]), 404, 'id'],
    [idOf([['Country'], [5]]), 404, 'id'],
    [idOf([['Country'], ['ES']]), 404, 'ResourceNotFound'],
    ["Sales('x')/Region", 404, 'navigation'],
    ["Sales('x')/$links/Region", 404, 'navigation'],
    ["Regions('DE')/$links/Sales", 404, 'navigation'],
    ['Sales?$select=Country&$skiptoken=1,2', 400, '$skiptoken'],
  ])('MUST NOT be returned for %s', async (path, status, word) => {
    const response = await service.send('GET', path)
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(word)])
  })

  it.each([
    'POST Sales',
    "PUT Sales('x')",
    "DELETE Sales('x')",
    "MERGE Sales('x')",
    "PUT Sales('x')/Country",
  ])('MUST refuse changes with 405: %s', async (line) => {
    const [method = '', path = ''] = line.split(' ')
    expect((await service.send(method, path, '{}')).status).toBe(405)
  })

  it('MUST be formed of the rows that authorize allows', async () => {
    const restricted = await SalesServer.start(providerOf(), {
      authorize: ({ kind }) => (kind === 'read' || kind === 'count' ? "Customer ne 'Ben'" : undefined),
    })
    const query = 'Sales?$select=Country,Amount&$inlinecount=allpages'
    expect((await restricted.get(query)).d.__count).toBe('2')
    expect(await restricted.groups(query)).toEqual([
      { Country: 'DE', Amount: '30.00' },
      { Country: 'FR', Amount: '7.50' },
    ])
    const hidden = (await service.get("Sales?$select=Customer&$filter=Customer eq 'Ben'")).d.results[0]
    expect((await restricted.send('GET', `Sales('${String(hidden?.ID)}')`)).status).toBe(404)
    await restricted.stop()
  })

  it('MUST NOT be more than limits.groups, nor of more rows than limits.scannedRows', async () => {
    for (const limits of [{ groups: 1 }, { scannedRows: 3 }]) {
      const limited = await SalesServer.start(providerOf(), { limits })
      const { status, text } = await limited.send('GET', 'Sales?$select=Country')
      expect([status, text]).toEqual([400, expect.stringContaining(Object.keys(limits).join())])
      await limited.stop()
    }
  })

  it('MUST respond with 400 and the name of the measure if its type cannot represent the sum', async () => {
    const small = await SalesServer.start(
      providerOf([...saleRows, { Country: 'DE', Quantity: 2_147_483_647 }]),
    )
    const { status, text } = await small.send('GET', 'Sales?$select=Quantity')
    expect([status, text]).toEqual([400, expect.stringContaining("'Quantity'")])
    expect((await small.send('GET', 'Sales?$select=Amount')).status).toBe(200)
    await small.stop()
  })

  it('MUST be announced in $metadata', async () => {
    const { text } = await service.send('GET', '$metadata')
    expect(text).toMatch(/Name="ID"[^>]*sap:sortable="false" sap:filterable="false"/)
    expect(text).toMatch(/Name="Amount"[^>]*sap:filterable="false"/)
    expect(text).not.toMatch(/Name="Country"[^>]*sap:filterable/)
  })

  it('MUST NOT be formed where analytics are disabled', async () => {
    const rows = saleRows.map((row, index) => ({ ...row, ID: `r${index}` }))
    for (const analytics of [false, { Sales: false }] as const) {
      const plain = await SalesServer.start(providerOf(rows), { analytics })
      expect((await plain.get('Sales?$select=Country')).d.results).toHaveLength(4)
      await plain.stop()
    }
  })
})
