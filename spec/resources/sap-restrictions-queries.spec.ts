import { messageOf } from '../support/services/order-service.js'
import { responsesTo, get, statusesOf } from '../support/batch-exchange.js'
import { RestrictedServer, restrictedModels } from '../support/services/restricted-service.js'

describe.each(Object.entries(restrictedModels))(
  'Queries that the annotations of a model from %s restrict',
  (_name, modelOf) => {
    let service: RestrictedServer
    beforeAll(async () => {
      service = await RestrictedServer.start({}, modelOf())
    })
    afterAll(() => service.stop())

    it.each([
      // The set as a whole.
      ['Untopable?$top=1', '$top', 'Untopable', 'sap:topable'],
      ['Uncountable?$inlinecount=allpages', '$inlinecount', 'Uncountable', 'sap:countable'],
      ['Uncountable/$count', '$count', 'Uncountable', 'sap:countable'],
      ['Unaddressable', 'Unaddressable', 'sap:addressable', ''],
      ['Unaddressable?$filter=ID eq 1', 'Unaddressable', 'sap:addressable', ''],
      ['Unaddressable/$count', 'Unaddressable', 'sap:addressable', ''],
      ['Unsearchable?search=x', 'search', 'Unsearchable', 'sap:searchable'],
      ['Filtered', 'Filtered', '$filter', 'sap:requires-filter'],
      ['Regions(1)/Rows/$count', '$count', 'Inner', 'sap:countable'],
      ['Regions(1)/$links/Rows/$count', '$count', 'Inner', 'sap:countable'],
      ['Regions(1)/$links/Rows?$inlinecount=allpages', '$inlinecount', 'Inner', 'sap:countable'],
      ['Filtered?$skiptoken=1', 'Filtered', '$filter', 'sap:requires-filter'],
      ['Filtered/$count', 'Filtered', '$filter', 'sap:requires-filter'],
      ['Cases', 'Cases', "'Client'", 'sap:required-in-filter'],
      ["Cases?$filter=Client eq '100'", 'Cases', "'Place/Zip'", 'sap:required-in-filter'],
      ["Cases/$count?$filter=Place/Zip eq '1'", 'Cases', "'Client'", 'sap:required-in-filter'],
      // Properties.
      ["Orders?$filter=Secret eq 's'", '$filter', "'Secret'", 'sap:filterable'],
      ["Orders?$filter=ID eq 1 or not startswith(Secret,'s')", '$filter', "'Secret'", 'sap:filterable'],
      ["Orders(1)?$filter=Secret eq 's'", '$filter', "'Secret'", 'sap:filterable'],
      ["Orders/$count?$filter=Secret eq 's'", '$filter', "'Secret'", 'sap:filterable'],
      ["Orders?$filter=Region/Name eq 'North'", '$filter', "'Region/Name'", 'sap:filterable'],
      ["Orders?$filter=Address/Zip eq '8000'", '$filter', "'Address/Zip'", 'sap:filterable'],
      ["Orders?$filter=Home/Street eq 'x'", '$filter', "'Home/Street'", 'sap:filterable'],
      ["Regions(1)/Orders?$filter=Secret eq 's'", '$filter', "'Secret'", 'sap:filterable'],
      ["Regions(1)/$links/Orders?$filter=Secret eq 's'", '$filter', "'Secret'", 'sap:filterable'],
      ["Orders(1)/$links/Region?$filter=Name eq 's'", '$filter', "'Name'", 'sap:filterable'],
      ['Orders?$filter=Bill/Amount gt 1', '$filter', "'Bill'", 'sap:filterable'],
      ['Orders?$filter=Bill eq null', '$filter', "'Bill'", 'sap:filterable'],
      ['Orders?$orderby=ID,Secret desc', '$orderby', "'Secret'", 'sap:sortable'],
      ['Orders?$orderby=length(Secret)', '$orderby', "'Secret'", 'sap:sortable'],
      ['Orders?$orderby=Address/Zip', '$orderby', "'Address/Zip'", 'sap:sortable'],
      ['Orders?$orderby=Home/Street', '$orderby', "'Home/Street'", 'sap:sortable'],
      ['Orders?$filter=Single gt 1', '$filter', "'Single'", 'single-value'],
      ["Orders?$filter=Multi ne 'a'", '$filter', "'Multi'", 'multi-value'],
      ['Orders?$filter=Range gt 1', '$filter', "'Range'", 'interval'],
    ])('GET %s MUST get 400 with the reason', async (path, ...words) => {
      const response = await service.send('GET', path)
      expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining('sap:')])
      for (const word of words) expect(messageOf(response)).toContain(word)
    })

    it.each([
      'Unpageable?$filter=ID eq 1&$orderby=Name&$inlinecount=allpages',
      'Unpageable?$skip=0&$top=100&$inlinecount=allpages',
      'Unpageable/$count?$top=1',
      'Untopable?$skip=1',
      'Uncountable?$top=1&$inlinecount=none',
      'Uncountable(1)/$count',
      'Unaddressable(1)',
      'Unaddressable(1)/Name',
      'Unsearchable?searched=x',
      'Free?search=x',
      'Filtered?$filter=ID eq 1',
      'Filtered/$count?$filter=ID eq 1',
      'Filtered(1)',
      'Regions(1)/Rows',
      'Regions(1)/Rows(2)',
      'Regions(1)/$links/Rows',
      'Regions(1)?$expand=Rows',
      "Cases?$filter=Client eq '100' and Place/Zip ne '1'",
      'Cases(1)',
      'Orders?$orderby=Region/Name,Bill/Amount',
      'Orders?$filter=Region/Code eq null&$select=Secret&$expand=Bill',
      "Orders?$filter=Address/Street eq 'x'",
      'Everything?search=%27x%27&$top=1',
    ])('GET %s MUST get 200', async (path) => {
      const { status, text } = await service.send('GET', path)
      expect([status, text]).toEqual([200, expect.any(String)])
    })

    it('MUST be refused within a batch, and by HEAD', async () => {
      const { port } = service.server
      const responses = await responsesTo(
        port,
        get('Untopable?$top=1'),
        get('Untopable'),
        get('Unaddressable'),
      )
      expect(statusesOf(responses)).toEqual([400, 200, 400])
      expect(await service.status('HEAD', 'Uncountable/$count')).toBe(400)
    })

    it('MUST be rejected at every request', async () => {
      for (let time = 0; time < 3; time++) expect(await service.status('GET', 'Filtered')).toBe(400)
    })
  },
)

describe('Queries that annotations do not restrict', () => {
  let service: RestrictedServer
  afterEach(() => service.stop())

  it('MUST apply server-driven paging to sets with sap:pageable="false"', async () => {
    service = await RestrictedServer.start({ pageSize: 1 })
    const { d } = JSON.parse((await service.send('GET', 'Unpageable')).text) as { d: { __next: string } }
    expect(d.__next).toContain('$skiptoken')
    expect(await service.status('GET', d.__next.split('/n/')[1] ?? '')).toBe(200)
  })

  it('MUST allow the application to filter by properties that clients cannot', async () => {
    service = await RestrictedServer.start({
      authorize: ({ kind, ...operation }) =>
        kind === 'read' && 'entitySet' in operation && operation.entitySet === 'Orders'
          ? "Secret eq 's' and Bill/Amount gt 1 and (Single gt 0 or Single lt 9)"
          : undefined,
    })
    const { text } = await service.send('GET', 'Orders?$select=ID&$filter=ID gt 0&$orderby=Customer')
    expect(JSON.parse(text)).toMatchObject({ d: { results: [{ ID: 1 }] } })
    expect(await service.status('GET', 'Orders(2)')).toBe(404)
    expect(await service.status('GET', "Orders?$filter=Secret eq 's'")).toBe(400)
  })

  it.each(['Unaddressable', 'Unaddressable/$count', 'Filtered', 'Cases'])(
    'GET %s MUST be accepted where sapRestrictions is relaxed',
    async (path) => {
      service = await RestrictedServer.start({ sapRestrictions: 'relaxed' })
      expect(await service.status('GET', path)).toBe(200)
      expect(await service.status('GET', 'Uncountable/$count')).toBe(400)
    },
  )

  it.each([
    'Untopable?$top=1',
    'Unaddressable',
    'Filtered',
    'Cases',
    "Orders?$filter=Secret eq 's'",
    'Uncountable/$count',
  ])('GET %s MUST be accepted where sapRestrictions is false', async (path) => {
    service = await RestrictedServer.start({ sapRestrictions: false })
    expect(await service.status('GET', path)).toBe(200)
  })
})
