import type { HttpResponse } from '../../support/http-exchange.js'
import type { Respond } from '../../support/v4/faulty-server.js'
import { FaultyServer, json, metadataOf } from '../../support/v4/faulty-server.js'

const measure = '<Annotation Term="com.sap.vocabularies.Analytics.v1.Measure"/>'
const dimension = '<Annotation Term="com.sap.vocabularies.Analytics.v1.Dimension"/>'

const rows = [
  { ID: 'a', Year: 2020, Amount: '0.10' },
  { ID: 'b', Year: 2020, Amount: '0.20' },
  { ID: 'c', Year: 2021, Amount: '5.00' },
]

/** Responds to `$apply` with groups or an error, and to other requests with entities. */
const grouping =
  (groups: unknown, status = 200): Respond =>
  (request, response) => {
    const isGrouped = request.url?.includes('$apply') === true
    if (isGrouped) json(groups, status)(request, response)
    else json({ value: rows })(request, response)
  }

const groupsOf = ({ text }: HttpResponse): unknown =>
  (JSON.parse(text) as { d: { results: { Year: number; Amount: string }[] } }).d.results.map(
    ({ Year, Amount }) => [Year, Amount],
  )

describe('Groups of an analytical set of a V4 service', () => {
  const upstream = new FaultyServer()

  beforeAll(async () => {
    upstream.metadata = metadataOf(
      `<EntityType Name="Sale"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.String" Nullable="false"/>
      <Property Name="Year" Type="Edm.Int32">${dimension}</Property>
      <Property Name="Amount" Type="Edm.Decimal" Precision="10" Scale="2">${measure}</Property></EntityType>`,
      '<EntitySet Name="Sales" EntityType="S.Sale"><Annotation Term="Org.OData.Aggregation.V1.ApplySupported"><Record/></Annotation></EntitySet>',
    )
    await upstream.start()
  })
  afterAll(() => upstream.stop())
  beforeEach(() => upstream.reset())

  const query = '/Sales?$select=Year,Amount&$orderby=Year&$filter=Year%20gt%202000'
  const sums = [
    [2020, '0.30'],
    [2021, '5.00'],
  ]

  it('MUST be those of the service, with the digits of decimals', async () => {
    upstream.respond = grouping({
      value: [
        { Year: 2021, m0: 5 },
        { Year: 2020, m0: 0.30000000000000004 },
      ],
    })
    expect(groupsOf(await upstream.send(query))).toEqual(sums)
    expect(upstream.received).toEqual([
      expect.stringContaining('$apply=filter(Year gt 2000)/groupby((Year),aggregate(Amount with sum as m0))'),
    ])
  })

  it('MUST be made of entities if a value is not exact', async () => {
    upstream.respond = grouping({ value: [{ Year: 2020, m0: 0.304 }] })
    expect(groupsOf(await upstream.send(query))).toEqual(sums)
    expect(upstream.received).toHaveLength(2)
  })

  it('MUST be made of entities if the service refuses them, and not be requested again', async () => {
    upstream.respond = grouping({ error: { message: 'No groups.' } }, 501)
    expect(groupsOf(await upstream.send(query))).toEqual(sums)
    expect(groupsOf(await upstream.send(query))).toEqual(sums)
    expect(upstream.received.filter((one) => one.includes('$apply'))).toHaveLength(1)
  })

  it('MUST be visible in the explanation of a request', async () => {
    upstream.respond = grouping({ value: [] })
    const served = await upstream.serve({}, { explain: true })
    const { text } = await served.send(`/n${query}&explain=true`)
    expect(text).toContain('$apply=filter(Year gt 2000)')
  })
})
