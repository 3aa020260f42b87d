import { messageOf, OrderServer } from '../../support/services/order-service.js'

const atom = { 'Content-Type': 'application/atom+xml;type=entry' }

/** An entry with properties and links as they stand. */
function entry(properties: string, links = ''): string {
  return `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">${links}<content type="application/xml"><m:properties>${properties}</m:properties></content></entry>`
}

function link(name: string, href: string, inner = ''): string {
  const rel = `http://schemas.microsoft.com/ado/2007/08/dataservices/related/${name}`
  return `<link rel="${rel}" href="${href}">${inner}</link>`
}

function inline(name: string, type: 'entry' | 'feed', inner: string): string {
  const rel = `http://schemas.microsoft.com/ado/2007/08/dataservices/related/${name}`
  return `<link rel="${rel}" type="application/atom+xml;type=${type}"><m:inline>${inner}</m:inline></link>`
}

describe('POST', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())

  it('MUST respond with 201 with Location, ETag and the entity as it is stored', async () => {
    const response = await service.send('POST', 'Orders', { ID: 9, Customer: 'Eve', Total: '7.5' })
    expect(response.status).toBe(201)
    expect(response.headers).toMatchObject({
      location: `${service.root}Orders(9)`,
      etag: 'W/"1"',
      'content-type': 'application/json;charset=utf-8',
      dataserviceversion: '2.0',
    })
    expect(JSON.parse(response.text)).toMatchObject({
      d: {
        __metadata: { uri: `${service.root}Orders(9)`, type: 'SH.Order', etag: 'W/"1"' },
        ID: 9,
        Customer: 'Eve',
        Status: 'new',
        Priority: null,
        Address: { Street: null, Zip: null, Country: 'CH' },
        Lines: { __deferred: { uri: `${service.root}Orders(9)/Lines` } },
      },
    })
    expect(await service.read('Orders(9)')).toMatchObject({ Customer: 'Eve', Status: 'new', Total: '7.5' })
  })

  it('MUST accept an Atom entry and return one', async () => {
    const body = entry('<d:ID m:type="Edm.Int32">9</d:ID><d:Customer>Eve</d:Customer>')
    const response = await service.send('POST', 'Orders', body, { ...atom, Accept: 'application/atom+xml' })
    expect([response.status, response.headers['content-type']]).toEqual([
      201,
      'application/atom+xml;type=entry;charset=utf-8',
    ])
    expect(response.text).toContain(`<id>${service.root}Orders(9)</id>`)
    expect(response.text).toContain('<d:Status>new</d:Status>')
  })

  it('MUST create and link over a navigation collection, and name the canonical address', async () => {
    const byKey = await service.send('POST', 'Orders(2)/Lines', { ID: 9, Text: 'x' })
    expect([byKey.status, byKey.headers.location]).toEqual([201, `${service.root}Lines(9)`])
    expect(await service.read('Lines(9)')).toMatchObject({ OrderID: 2 })
    const byLink = await service.send('POST', 'Orders(2)/Tags', { Name: 'new' })
    expect([byLink.status, byLink.headers.location]).toEqual([201, `${service.root}Tags('new')`])
    expect(await service.list("Tags('new')/Orders", 'ID')).toEqual([2])
    expect((await service.send('POST', 'Orders(7)/Tags', { Name: 'lost' })).status).toBe(404)
    expect(await service.read("Tags('lost')")).toBe(404)
  })

  it('MUST refuse that a body puts the entity elsewhere than the address does', async () => {
    const body = { ID: 9, Order: { __metadata: { uri: 'Orders(1)' } } }
    const response = await service.send('POST', 'Orders(2)/Lines', body)
    expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining("'Order'")])
    const same = { ID: 9, Order: { __metadata: { uri: 'Orders(2)' } } }
    expect((await service.send('POST', 'Orders(2)/Lines', same)).status).toBe(201)
  })

  it('MUST generate numbers that were never used, and Guids', async () => {
    const first = await service.send('POST', 'Lines', { OrderID: 1 })
    expect(first.headers.location).toBe(`${service.root}Lines(3)`)
    await service.send('DELETE', 'Lines(3)')
    const second = await service.send('POST', 'Lines', { OrderID: 1 })
    expect(second.headers.location).toBe(`${service.root}Lines(4)`)
    const invoice = await service.send('POST', 'Invoices', { Amount: 1 })
    expect(invoice.headers.location).toMatch(/Invoices\(guid'[0-9a-f]{8}-[0-9a-f]{4}-4/)
  })

  it('MUST ignore values of properties that the store computes', async () => {
    const { text } = await service.send('POST', 'Invoices', { Amount: 1, Serial: 99 })
    expect(JSON.parse(text)).toMatchObject({ d: { Amount: 1, Serial: 7 } })
  })

  it('MUST respond with 409 to a duplicate key, and to a foreign key without a target', async () => {
    expect((await service.send('POST', 'Orders', { ID: 1, Customer: 'x' })).status).toBe(409)
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Ann' })
    expect((await service.send('POST', 'Lines', { ID: 9, OrderID: 77 })).status).toBe(409)
    expect(await service.read('Lines(9)')).toBe(404)
  })

  it.each([
    [{ ID: 9 }, "'Customer' needs a value"],
    [{ ID: 9, Customer: null }, "'Customer' must not be null"],
    [{ ID: 9, Customer: 'x'.repeat(11) }, "'Customer'"],
    [{ ID: 9, Customer: 'x', Status: 'ü' }, "'Status'"],
    [{ ID: 9, Customer: 'x', Total: '1.234' }, "'Total'"],
    [{ ID: 9, Customer: 'x', Total: '12345678.00' }, "'Total'"],
    [{ ID: 9, Customer: 'x', Priority: 256 }, "'Priority'"],
    [{ ID: 9, Customer: 'x', Priority: 'a' }, "'Priority'"],
    [{ ID: 'nine', Customer: 'x' }, "'ID'"],
    [{ ID: 9, Customer: 'x', Address: { Street: 'x'.repeat(21) } }, "'Address.Street'"],
    [{ ID: 9, Customer: 'x', Address: { Country: null } }, "'Address.Country'"],
    [{ ID: 9, Customer: 'x', Custumer: 'y' }, "'Customer'"],
    [
      { ID: 9, Customer: 'x', Tags: [{ Name: 'a' }, { Name: 'b', Orders: [{ ID: 10 }] }] },
      `'Tags[1]/Orders[0]/Customer' needs a value. To link an existing entity, send its address: {"__metadata":{"uri":"Orders(10)"}}.`,
    ],
    [{ ID: 9, Customer: 'x', Invoice: { Amount: '1.2345' } }, "'Invoice/Amount'"],
  ])('MUST respond with 400 to %j and name the property', async (body, named) => {
    const response = await service.send('POST', 'Orders', body)
    expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining(named)])
    expect(await service.list('Orders', 'ID')).toEqual([1, 2])
  })

  it('MUST refuse conditions: a new entity has no version', async () => {
    for (const name of ['If-Match', 'If-None-Match']) {
      expect((await service.send('POST', 'Orders', { Customer: 'x' }, { [name]: '*' })).status).toBe(400)
    }
  })

  it('MUST be refused with 405 and Allow where there is one resource', async () => {
    const response = await service.send('POST', 'Orders(1)', { Customer: 'x' })
    expect([response.status, response.headers.allow]).toEqual([
      405,
      'GET, HEAD, PUT, MERGE, PATCH, DELETE, OPTIONS',
    ])
  })

  it('MUST insert inline entities, on both sides of foreign keys and over links, at any depth', async () => {
    const body = {
      ID: 9,
      Customer: 'Eve',
      Region: { ID: 8, Name: 'West', Depots: [{ ID: 8, Name: 'D' }] },
      Lines: { results: [{ ID: 8, Text: 'a' }, { ID: 9 }] },
      Tags: [{ Name: 'n1', Orders: [{ ID: 10, Customer: 'Joe', Lines: [{ ID: 10 }] }] }, { Name: 'n2' }],
      Invoice: { Amount: 3, Payments: [{ ID: 5 }] },
    }
    const response = await service.send('POST', 'Orders', body)
    expect([response.status, response.text]).toEqual([201, expect.stringContaining('Orders(9)/Region"')])
    expect(await service.list('Orders(9)/Lines', 'ID')).toEqual([8, 9])
    expect(await service.list('Regions(8)/Orders', 'ID')).toEqual([9])
    expect(await service.list('Regions(8)/Depots', 'ID')).toEqual([8])
    expect(await service.list('Orders(9)/Tags', 'Name')).toEqual(['n1', 'n2'])
    expect(await service.list("Tags('n1')/Orders", 'ID')).toEqual([9, 10])
    expect(await service.list('Orders(10)/Lines', 'ID')).toEqual([10])
    expect(await service.list('Orders(9)/Invoice/Payments', 'ID')).toEqual([5])
  })

  it('MUST insert inline entities in Atom', async () => {
    const lines = inline('Lines', 'feed', `<feed>${entry('<d:ID>8</d:ID>')}${entry('<d:ID>9</d:ID>')}</feed>`)
    const region = inline('Region', 'entry', entry('<d:ID>8</d:ID><d:Name>West</d:Name>'))
    const body = entry('<d:ID>9</d:ID><d:Customer>Eve</d:Customer>', lines + region)
    expect((await service.send('POST', 'Orders', body, atom)).status).toBe(201)
    expect(await service.list('Orders(9)/Lines', 'ID')).toEqual([8, 9])
    expect(await service.read('Orders(9)/Region')).toMatchObject({ ID: 8, Name: 'West' })
  })

  it('MUST insert nothing when an inline entity fails', async () => {
    const body = {
      ID: 9,
      Customer: 'Eve',
      Region: { ID: 8 },
      Tags: [{ Name: 'n1' }],
      Lines: [{ ID: 8 }, { ID: 1 }],
    }
    expect((await service.send('POST', 'Orders', body)).status).toBe(409)
    for (const path of ['Orders(9)', 'Regions(8)', "Tags('n1')", 'Lines(8)']) {
      expect([path, await service.read(path)]).toEqual([path, 404])
    }
  })

  it.each(['Regions(2)', '/Regions(2)', '/n/Regions(2)', '{root}Regions(2)', 'Regions(ID=2)'])(
    'MUST bind to %s in both formats',
    async (uri) => {
      const address = uri.replace('{root}', service.root)
      const json = { ID: 8, Customer: 'x', Region: { __metadata: { uri: address } } }
      expect((await service.send('POST', 'Orders', json)).status).toBe(201)
      const deferred = { ID: 9, Customer: 'x', Region: { __deferred: { uri: address } } }
      expect((await service.send('POST', 'Orders', deferred)).status).toBe(201)
      const properties = '<d:ID>10</d:ID><d:Customer>x</d:Customer>'
      const xml = entry(properties, link('Region', address))
      expect((await service.send('POST', 'Orders', xml, atom)).status).toBe(201)
      expect(await service.list('Regions(2)/Orders', 'ID')).toEqual([8, 9, 10])
    },
  )

  it.each([
    'Orders(1)',
    'Regions',
    'Regions(77)',
    'Nothing(1)',
    'http://elsewhere/n/Regions(1)',
    'Regions(',
    '',
  ])('MUST respond with 400 to a link to %p and create nothing', async (uri) => {
    const json = { ID: 9, Customer: 'x', Region: { __metadata: { uri } } }
    expect((await service.send('POST', 'Orders', json)).status).toBe(400)
    const xml = entry('<d:ID>9</d:ID><d:Customer>x</d:Customer>', link('Region', uri))
    expect((await service.send('POST', 'Orders', xml, atom)).status).toBe(400)
    expect(await service.read('Orders(9)')).toBe(404)
  })

  it('MUST bind many, over foreign keys and links', async () => {
    const tags = ['hot', 'cold'].map((name) => ({ __metadata: { uri: `Tags('${name}')` } }))
    const lines = [{ __metadata: { uri: 'Lines(2)' } }]
    const body = { ID: 9, Customer: 'x', Tags: tags, Lines: lines }
    expect((await service.send('POST', 'Orders', body)).status).toBe(201)
    expect(await service.list('Orders(9)/Tags', 'Name')).toEqual(['cold', 'hot'])
    expect(await service.list('Orders(9)/Lines', 'ID')).toEqual([2])
    expect(await service.list('Orders(1)/Lines', 'ID')).toEqual([1])
  })

  it.each([
    ['return-no-content', 204],
    ['return=minimal', 204],
    ['respond-async, return=minimal', 204],
    ['return-content', 201],
    ['return=representation', 201],
  ])('MUST follow Prefer: %s', async (prefer, status) => {
    const response = await service.send('POST', 'Orders', { ID: 9, Customer: 'x' }, { Prefer: prefer })
    expect([response.status, response.headers.location]).toEqual([status, `${service.root}Orders(9)`])
    expect(response.headers['preference-applied']).toBe(prefer.replace('respond-async, ', ''))
    if (status === 204) expect(response.headers.dataserviceid).toBe(`${service.root}Orders(9)`)
  })
})
