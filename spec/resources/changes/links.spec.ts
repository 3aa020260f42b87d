import { invoiceOne, OrderServer } from '../../support/services/order-service.js'

const any = { 'If-Match': '*' }
const data = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
const one = `Invoices(guid'${invoiceOne}')`

describe('$links', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())

  it.each([
    ['Orders(2)/$links/Tags', "Tags('hot')", 'Orders(2)/Tags', 'Name', ['hot'], "Tags('hot')/Orders"],
    ['Orders(2)/$links/Lines', 'Lines(2)', 'Orders(2)/Lines', 'ID', [2], 'Lines(2)/Order'],
    ['Regions(2)/$links/Orders', 'Orders(1)', 'Regions(2)/Orders', 'ID', [1], 'Orders(1)/Region'],
  ])('POST %s MUST link, seen from both sides, and twice is once', async (...row) => {
    const [links, uri, path, name, expected, back] = row
    for (const body of [
      { uri },
      { d: { uri: `${service.root}${uri}` } },
      `<uri xmlns="${data}">${uri}</uri>`,
    ]) {
      expect((await service.send('POST', links, body)).status).toBe(204)
      expect(await service.list(path, name)).toEqual(expected)
    }
    const metadata = `<m:uri xmlns:m="${data}/metadata">${uri}</m:uri>`
    expect((await service.send('POST', links, metadata)).status).toBe(204)
    expect(JSON.stringify(await service.read(back))).toContain(String(/\d/.exec(links)?.[0]))
  })

  it('PUT MUST replace the link of a single-valued navigation property', async () => {
    expect((await service.send('PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' })).status).toBe(204)
    expect(await service.list('Regions(2)/Orders', 'ID')).toEqual([1])
    expect(await service.list('Regions(1)/Orders', 'ID')).toEqual([])
    expect((await service.send('PUT', 'Orders(2)/$links/Invoice', { uri: one })).status).toBe(204)
    expect(await service.read('Orders(1)/Invoice')).toBe(404)
    expect(await service.read(`${one}/Order`)).toMatchObject({ ID: 2 })
  })

  it('MUST raise the version of an entity whose foreign key changes', async () => {
    await service.send('POST', 'Regions(2)/$links/Orders', { uri: 'Orders(1)' })
    expect((await service.send('GET', 'Orders(1)')).headers.etag).toBe('W/"4"')
  })

  it.each([
    ['Regions(77)', 404],
    ['Orders(1)', 400],
    ['Regions', 400],
    ['http://elsewhere/n/Regions(1)', 400],
  ])('PUT of %s MUST respond with %i', async (uri, status) => {
    expect((await service.send('PUT', 'Orders(1)/$links/Region', { uri })).status).toBe(status)
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: 1 })
  })

  it('MUST respond with 404 when the source does not exist', async () => {
    expect((await service.send('PUT', 'Orders(7)/$links/Region', { uri: 'Regions(1)' })).status).toBe(404)
    expect((await service.send('POST', 'Orders(7)/$links/Tags', { uri: "Tags('hot')" })).status).toBe(404)
    expect((await service.send('DELETE', 'Orders(7)/$links/Region')).status).toBe(404)
  })

  it('DELETE MUST unlink without deleting either entity, and respond with 404 the second time', async () => {
    for (const links of [
      "Orders(1)/$links/Tags('hot')",
      'Orders(1)/$links/Region',
      'Orders(1)/$links/Invoice',
    ]) {
      expect((await service.send('DELETE', links)).status).toBe(204)
      expect((await service.send('DELETE', links)).status).toBe(404)
    }
    expect(await service.list('Orders(1)/Tags', 'Name')).toEqual([])
    expect(await service.list("Tags('hot')/Orders", 'ID')).toEqual([])
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: null })
    expect(await service.read('Regions(1)')).toMatchObject({ ID: 1 })
    expect(await service.read(one)).toMatchObject({ Amount: 5 })
  })

  it('DELETE MUST respond with 400 where a link is required, and with 405 for a whole collection', async () => {
    const mandatory = ['Lines(1)/$links/Order', 'Orders(1)/$links/Lines(1)', `${one}/$links/Payments(1)`]
    for (const path of mandatory) expect((await service.send('DELETE', path)).status).toBe(400)
    expect(await service.list('Orders(1)/Lines', 'ID')).toEqual([1, 2])
    expect(await service.list(`${one}/Payments`, 'ID')).toEqual([1])
    const { status, headers } = await service.send('DELETE', 'Orders(1)/$links/Tags')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })

  it.each([
    ['PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' }],
    ['POST', 'Orders(2)/$links/Tags', { uri: "Tags('hot')" }],
    ['DELETE', 'Orders(1)/$links/Region', undefined],
    ['DELETE', "Orders(1)/$links/Tags('hot')", undefined],
    ['DELETE', "Orders(1)/Tags('hot')", undefined],
    ['DELETE', 'Orders(1)/Region', undefined],
  ])('%s %s MUST respond with 400 to If-None-Match', async (method, path, body) => {
    for (const value of ['*', 'W/"1"']) {
      const headers = { 'If-None-Match': value }
      expect((await service.send(method, path, body, headers)).status).toBe(400)
    }
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: 1, Ver: 3 })
    expect(await service.list("Tags('hot')/Orders", 'ID')).toEqual([1])
  })

  it('MUST refuse PUT to a collection and POST to a single link', async () => {
    expect((await service.send('PUT', 'Orders(1)/$links/Tags', { uri: "Tags('hot')" })).status).toBe(405)
    expect((await service.send('POST', 'Orders(1)/$links/Region', { uri: 'Regions(1)' })).status).toBe(405)
  })
})

describe('DELETE of an entity', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())

  it('MUST delete it, its links, and dependents with onDelete Cascade', async () => {
    expect((await service.send('DELETE', 'Orders(1)', undefined, any)).status).toBe(204)
    expect(await service.read('Orders(1)')).toBe(404)
    expect(await service.list('Lines', 'ID')).toEqual([])
    expect(await service.list("Tags('hot')/Orders", 'ID')).toEqual([])
    expect(await service.list('Regions(1)/Orders', 'ID')).toEqual([])
    expect(await service.read(`${one}/Order`)).toBe(404)
  })

  it('MUST clear foreign keys that may be null', async () => {
    expect((await service.send('DELETE', 'Depots(1)')).status).toBe(204)
    expect((await service.send('DELETE', 'Regions(1)')).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: null, Ver: 4 })
  })

  it('MUST respond with 409 and change nothing when other entities depend on it, over a foreign key and over links', async () => {
    expect((await service.send('DELETE', 'Regions(1)')).status).toBe(409)
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: 1, Ver: 3 })
    expect((await service.send('DELETE', one, undefined, any)).status).toBe(409)
    expect(await service.read(`${one}/Order`)).toMatchObject({ ID: 1 })
    expect(await service.list(`${one}/Payments`, 'ID')).toEqual([1])
  })

  it('MUST only unlink an entity that is addressed over a navigation property', async () => {
    expect((await service.send('DELETE', "Orders(1)/Tags('hot')")).status).toBe(204)
    expect((await service.send('DELETE', 'Regions(1)/Orders(1)')).status).toBe(204)
    expect((await service.send('DELETE', 'Orders(1)/Invoice')).status).toBe(204)
    expect(await service.list('Orders(1)/Tags', 'Name')).toEqual([])
    expect(await service.list('Tags', 'Name')).toEqual(['cold', 'hot', 'rare'])
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: null })
    expect(await service.read(one)).toMatchObject({ Amount: 5 })
    expect((await service.send('DELETE', "Orders(1)/Tags('hot')")).status).toBe(404)
    expect((await service.send('DELETE', 'Orders(1)/Lines(1)')).status).toBe(400)
  })
})
