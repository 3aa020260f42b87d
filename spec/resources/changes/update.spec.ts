import { invoiceOne, messageOf, OrderServer } from '../../support/services/order-service.js'

const any = { 'If-Match': '*' }

describe('PUT, MERGE and PATCH of an entity', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())

  it.each(['MERGE', 'PATCH'])('%s MUST change the given properties only', async (method) => {
    const body = { Total: '9.00', Address: { Zip: '3000' } }
    const response = await service.send(method, 'Orders(1)', body, any)
    expect([response.status, response.headers.etag, response.text]).toEqual([204, 'W/"4"', ''])
    expect(await service.read('Orders(1)')).toMatchObject({
      Customer: 'Ann',
      Total: '9.00',
      RegionID: 1,
      Address: { Street: 'A 1', Zip: '3000', Country: 'CH' },
      Ver: 4,
    })
  })

  it('PUT MUST reset omitted properties to their default or null', async () => {
    const response = await service.send('PUT', 'Orders(1)', { Customer: 'Eve', Address: { Zip: '3' } }, any)
    expect([response.status, response.headers.etag]).toEqual([204, 'W/"4"'])
    expect(await service.read('Orders(1)')).toMatchObject({
      ID: 1,
      Customer: 'Eve',
      Status: 'new',
      RegionID: null,
      Address: { Street: null, Zip: '3', Country: 'CH' },
      Ver: 4,
    })
    expect(await service.list('Orders(1)/Tags', 'Name')).toEqual(['hot'])
  })

  it('PUT MUST respond with 400 when a property that cannot be null has no default', async () => {
    const response = await service.send('PUT', 'Orders(1)', { Total: '1' }, any)
    expect([response.status, messageOf(response)]).toEqual([400, "'Customer' needs a value."])
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Ann', Ver: 3 })
  })

  it.each(['PUT', 'MERGE'])('%s MUST preserve the key, and ignore its default', async (method) => {
    for (const ID of [1, 0, null]) {
      expect((await service.send(method, 'Orders(1)', { ID, Customer: 'x' }, any)).status).toBe(204)
    }
    const response = await service.send(method, 'Orders(1)', { ID: 5, Customer: 'y' }, any)
    expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining("'ID'")])
    expect(await service.list('Orders', 'Customer')).toEqual(['x', 'Bob'])
  })

  it.each([
    [{ Customer: null }, "'Customer'"],
    [{ Customer: 'x'.repeat(11) }, "'Customer'"],
    [{ Total: '1.234' }, "'Total'"],
    [{ Priority: -1 }, "'Priority'"],
    [{ Address: { Street: 'x'.repeat(21) } }, "'Address.Street'"],
    [{ Nope: 1 }, "'Nope'"],
    [{ Lines: [{ ID: 9 }] }, "'Lines'"],
    [{ Lines: [{ __metadata: { uri: 'Lines(1)' } }] }, "'Lines'"],
    [{ Region: { ID: 9 } }, "'Region'"],
  ])('MERGE MUST respond with 400 to %j and name the property', async (body, named) => {
    const response = await service.send('MERGE', 'Orders(1)', body, any)
    expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining(named)])
    expect(await service.read('Orders(1)')).toMatchObject({ Ver: 3 })
    expect(await service.list('Orders(1)/Lines', 'ID')).toEqual([1, 2])
  })

  it('MUST bind and unlink single-valued navigation properties, with and without a foreign key', async () => {
    const bind = { Region: { __metadata: { uri: 'Regions(2)' } } }
    expect((await service.send('MERGE', 'Orders(1)', bind, any)).status).toBe(204)
    expect(await service.list('Regions(2)/Orders', 'ID')).toEqual([1])
    expect(await service.list('Regions(1)/Orders', 'ID')).toEqual([])
    expect((await service.send('MERGE', 'Orders(1)', { Region: null }, any)).status).toBe(204)
    expect(await service.read('Orders(1)/Region')).toBe(404)
    expect((await service.send('MERGE', 'Orders(1)', { Invoice: null }, any)).status).toBe(204)
    expect(await service.read('Orders(1)/Invoice')).toBe(404)
    const invoice = { Invoice: { __metadata: { uri: `Invoices(guid'${invoiceOne}')` } } }
    expect((await service.send('MERGE', 'Orders(2)', invoice, any)).status).toBe(204)
    expect(await service.read(`Invoices(guid'${invoiceOne}')/Order`)).toMatchObject({ ID: 2 })
  })

  it('PUT MUST bind a foreign key that it would else set back', async () => {
    const body = { Customer: 'x', Region: { __metadata: { uri: 'Regions(1)' } } }
    expect((await service.send('PUT', 'Orders(1)', body, any)).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: 1 })
  })

  it.each(['PUT', 'MERGE'])(
    '%s MUST leave links that a client wrote which had not read them',
    async (method) => {
      const body = { Customer: 'x', RegionID: 1, Region: null, Lines: [], Tags: { results: [] } }
      expect((await service.send(method, 'Orders(1)', body, any)).status).toBe(204)
      expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'x', RegionID: 1 })
      expect(await service.list('Orders(1)/Tags', 'Name')).toEqual(['hot'])
      const both = { ...body, RegionID: null }
      expect((await service.send(method, 'Orders(1)', both, any)).status).toBe(204)
      expect(await service.read('Orders(1)')).toMatchObject({ RegionID: null })
    },
  )

  it('MUST respond with 400 when a required link is removed', async () => {
    expect((await service.send('MERGE', 'Lines(1)', { Order: null })).status).toBe(400)
    expect(await service.read('Lines(1)')).toMatchObject({ OrderID: 1 })
  })

  it('MUST not change the foreign key of an entity that is part of its key', async () => {
    const elsewhere = { Owner: { __metadata: { uri: 'Owners(2)' } } }
    expect((await service.send('MERGE', 'Parts(OwnerID=1,No=1)', elsewhere)).status).toBe(400)
    expect(
      (await service.send('PUT', 'Parts(OwnerID=1,No=1)/$links/Owner', { uri: 'Owners(2)' })).status,
    ).toBe(400)
    const same = { Text: 'b', Owner: { __metadata: { uri: 'Owners(1)' } } }
    expect((await service.send('MERGE', 'Parts(OwnerID=1,No=1)', same)).status).toBe(204)
    expect(await service.read('Parts')).toMatchObject([{ OwnerID: 1, No: 1, Text: 'b' }])
  })

  it('MUST ignore links that repeat those of a response, and properties that the store computes', async () => {
    const read = (await service.read('Orders(1)')) as object
    expect((await service.send('PUT', 'Orders(1)', read, any)).status).toBe(204)
    expect(await service.list('Orders(1)/Lines', 'ID')).toEqual([1, 2])
    const invoice = (await service.read(`Invoices(guid'${invoiceOne}')`)) as object
    const path = `Invoices(guid'${invoiceOne}')`
    expect((await service.send('PUT', path, { ...invoice, Serial: 9 }, any)).status).toBe(204)
    expect(await service.read(path)).toMatchObject({ Amount: 5, Serial: 1 })
    expect((await service.send('PUT', path, { Amount: 6 }, any)).status).toBe(204)
    expect(await service.read(path)).toMatchObject({ Amount: 6, Serial: 1 })
  })

  it('MUST respond with 404 when the entity does not exist, and create nothing', async () => {
    for (const method of ['PUT', 'MERGE', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : { Customer: 'x' }
      expect((await service.send(method, 'Orders(77)', body, any)).status).toBe(404)
    }
    expect(await service.list('Orders', 'ID')).toEqual([1, 2])
  })

  it('MUST change the entity that a navigation property leads to', async () => {
    expect((await service.send('MERGE', 'Orders(1)/Region', { Name: 'Far' })).status).toBe(204)
    expect((await service.send('MERGE', 'Orders(1)/Lines(2)', { Text: 'zwei' })).status).toBe(204)
    expect((await service.send('MERGE', 'Orders(2)/Lines(2)', { Text: 'no' })).status).toBe(404)
    expect(await service.read('Regions(1)')).toMatchObject({ Name: 'Far' })
    expect(await service.read('Lines(2)')).toMatchObject({ Text: 'zwei' })
  })

  it('MUST not change the type of an entity', async () => {
    const special = { __metadata: { type: 'SH.SpecialTag' }, Level: 5 }
    expect((await service.send('MERGE', "Tags('hot')", special)).status).toBe(400)
    expect((await service.send('MERGE', "Tags('rare')", special)).status).toBe(204)
    expect(await service.read("Tags('rare')")).toMatchObject({ Level: 5 })
    expect((await service.send('PUT', "Tags('hot')/Level", { Level: 5 })).status).toBe(404)
  })

  it.each(['PUT', 'MERGE'])('%s MUST use the type of the entity when the body has none', async (method) => {
    expect((await service.send(method, "Tags('rare')", { Level: 5, Note: 'a' })).status).toBe(204)
    expect(await service.read("Tags('rare')")).toMatchObject({ Level: 5, Note: 'a' })
    const data = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
    const entry = `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="${data}"><content type="application/xml">
      <m:properties xmlns:m="${data}/metadata"><d:Level>6</d:Level></m:properties></content></entry>`
    expect((await service.send(method, "Tags('rare')", entry)).status).toBe(204)
    expect(await service.read("Tags('rare')")).toMatchObject({
      Level: 6,
      Note: method === 'PUT' ? null : 'a',
    })
    const response = await service.send(method, "Tags('hot')", { Level: 5 })
    expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining("'Level'")])
    // One that names the base type says only what that has.
    const base = { __metadata: { type: 'SH.Tag' }, Level: 7 }
    expect((await service.send(method, "Tags('rare')", base)).status).toBe(400)
    expect((await service.send(method, "Tags('gone')", { Level: 5 })).status).toBe(404)
  })

  it.each(['return-content', 'return=representation'])('MUST follow Prefer: %s', async (prefer) => {
    const headers = { ...any, Prefer: prefer }
    const response = await service.send('MERGE', 'Orders(1)', { Customer: 'Eve' }, headers)
    expect([response.status, response.headers.etag, response.headers['preference-applied']]).toEqual([
      200,
      'W/"4"',
      prefer,
    ])
    expect(JSON.parse(response.text)).toMatchObject({ d: { ID: 1, Customer: 'Eve' } })
    const refused = { ...headers, Accept: 'image/png' }
    expect((await service.send('MERGE', 'Orders(1)', { Customer: 'Joe' }, refused)).status).toBe(406)
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Eve' })
  })
})

describe('The conditions of a change', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())

  const changes = [
    ['PUT', 'Orders(1)', { Customer: 'x' }],
    ['MERGE', 'Orders(1)', { Customer: 'x' }],
    ['PATCH', 'Orders(1)', { Customer: 'x' }],
    ['DELETE', 'Orders(1)', undefined],
    ['PUT', 'Orders(1)/Customer', { Customer: 'x' }],
    ['MERGE', 'Orders(1)/Address', { Address: { Zip: 'x' } }],
    ['DELETE', 'Orders(1)/Total/$value', undefined],
  ] as const

  it.each(changes)('%s %s MUST need If-Match where the type has a concurrency token', async (...change) => {
    const [method, path, body] = change
    const refusals = [
      [{}, 428],
      [{ 'If-Match': 'W/"2"' }, 412],
      [{ 'If-Match': '"x", W/"9"' }, 412],
      [{ 'If-None-Match': '*', 'If-Match': '*' }, 400],
    ] as const
    for (const [headers, status] of refusals) {
      expect((await service.send(method, path, body, { ...headers })).status).toBe(status)
    }
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Ann', Ver: 3 })
    const response = await service.send(method, path, body, { 'If-Match': 'W/"1", "3"' })
    expect(response.status).toBe(204)
    expect(response.headers.etag).toBe(path === 'Orders(1)' && method === 'DELETE' ? undefined : 'W/"4"')
  })

  it('MUST be none, or *, where the type has no token', async () => {
    const tag = { 'If-Match': 'W/"1"' }
    expect((await service.send('MERGE', 'Lines(1)', { Text: 'x' }, tag)).status).toBe(400)
    expect((await service.send('MERGE', 'Lines(1)', { Text: 'x' }, any)).status).toBe(204)
    expect((await service.send('MERGE', 'Lines(1)', { Text: 'x' })).status).toBe(204)
    expect((await service.send('DELETE', 'Lines(1)', undefined, tag)).status).toBe(400)
  })

  it('MUST see another version after every change, also of bytes that the client repeats', async () => {
    const path = `Invoices(guid'${invoiceOne}')`
    const tags = new Set<unknown>()
    for (let index = 0; index < 3; index++) {
      const { headers, text } = await service.send('GET', path)
      tags.add(headers.etag)
      const { d } = JSON.parse(text) as { d: { Stamp: string } }
      const tag = { 'If-Match': String(headers.etag) }
      const response = await service.send('MERGE', path, { Stamp: d.Stamp }, tag)
      expect(response.status).toBe(204)
      tags.add(response.headers.etag)
    }
    expect(tags.size).toBe(4)
  })
})

describe('X-HTTP-Method', () => {
  let service: OrderServer
  beforeAll(async () => {
    service = await OrderServer.start()
  })
  afterAll(() => service.stop())

  it.each([
    [{ 'X-HTTP-Method': 'MERGE' }, 204],
    [{ 'X-HTTP-Method': 'patch' }, 204],
    [{ 'X-HTTP-Method-Override': 'MERGE' }, 204],
    [{ 'X-HTTP-Method': 'MERGE', 'X-HTTP-Method-Override': 'merge' }, 204],
    [{ 'X-HTTP-Method': 'MERGE', 'X-HTTP-Method-Override': 'PUT' }, 400],
    [{ 'X-HTTP-Method': 'GET' }, 501],
    [{ 'X-HTTP-Method': 'FROB' }, 501],
  ])('POST with %j MUST respond with %i', async (headers, status) => {
    const response = await service.send('POST', 'Lines(1)', { Text: 'x' }, headers)
    expect(response.status).toBe(status)
  })

  it('MUST be refused on other methods than POST', async () => {
    const headers = { 'X-HTTP-Method': 'MERGE' }
    expect((await service.send('PUT', 'Lines(1)', { Text: 'x' }, headers)).status).toBe(400)
    expect((await service.send('GET', 'Lines(1)', undefined, headers)).status).toBe(400)
  })

  it('MUST tunnel DELETE, and return the errors of the method', async () => {
    const headers = { 'X-HTTP-Method': 'DELETE' }
    const collection = await service.send('POST', 'Lines', undefined, headers)
    expect([collection.status, collection.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect((await service.send('POST', 'Lines(2)', undefined, headers)).status).toBe(204)
    expect(await service.read('Lines(2)')).toBe(404)
  })
})
