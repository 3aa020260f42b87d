import { OrderServer } from '../../support/services/order-service.js'

const any = { 'If-Match': '*' }
const d = 'xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices"'
const m = 'xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"'

describe('A change of a property', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())

  it.each(['PUT', 'MERGE', 'PATCH'])('%s MUST write a simple one from JSON and XML', async (method) => {
    const json = await service.send(method, 'Orders(1)/Customer', { Customer: 'Eve' }, any)
    expect([json.status, json.headers.etag]).toEqual([204, 'W/"4"'])
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Eve', RegionID: 1 })
    const xml = await service.send(method, 'Orders(1)/Total', `<Total ${d}>1.25</Total>`, any)
    expect([xml.status, xml.headers.etag]).toEqual([204, 'W/"5"'])
    const inside = { d: { Zip: '9' } }
    expect((await service.send(method, 'Orders(1)/Address/Zip', inside, any)).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({
      Total: '1.25',
      Address: { Street: 'A 1', Zip: '9', Country: 'CH' },
    })
  })

  it('MERGE MUST keep the members of a complex one that PUT sets back', async () => {
    await service.send('MERGE', 'Orders(1)/Address', { Address: { Zip: '9' } }, any)
    expect(await service.read('Orders(1)')).toMatchObject({ Address: { Street: 'A 1', Zip: '9' } })
    const put = await service.send('PUT', 'Orders(1)/Address', { Address: { Zip: '8' } }, any)
    expect(put.status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({
      Address: { Street: null, Zip: '8', Country: 'CH' },
    })
  })

  it('MUST set nullable properties to null', async () => {
    await service.send('MERGE', 'Orders(1)', { Total: '1', Priority: 1 }, any)
    expect((await service.send('PUT', 'Orders(1)/Total', { Total: null }, any)).status).toBe(204)
    const xml = `<Priority ${d} ${m} m:null="true"/>`
    expect((await service.send('PUT', 'Orders(1)/Priority', xml, any)).status).toBe(204)
    expect((await service.send('DELETE', 'Orders(1)/RegionID', undefined, any)).status).toBe(204)
    expect((await service.send('DELETE', 'Orders(1)/Address/Zip/$value', undefined, any)).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({
      Total: null,
      Priority: null,
      RegionID: null,
      Address: { Street: 'A 1', Zip: null },
    })
    expect((await service.send('GET', 'Orders(1)/Total/$value')).status).toBe(404)
  })

  it.each([
    'Orders(1)/Customer',
    'Orders(1)/Customer/$value',
    'Orders(1)/Address/Country',
    'Orders(1)/Address',
  ])('DELETE of %s MUST respond with 405 with Allow: it cannot be null', async (path) => {
    const { status, headers } = await service.send('DELETE', path, undefined, any)
    expect([status, headers.allow]).toEqual([405, expect.stringContaining('PUT')])
    expect(headers.allow).not.toContain('DELETE')
  })

  it.each(['PUT', 'MERGE', 'DELETE'])('%s of a key MUST respond with 405 with Allow', async (method) => {
    for (const path of ['Orders(1)/ID', 'Orders(1)/ID/$value']) {
      const body = method === 'DELETE' ? undefined : { ID: 1 }
      const { status, headers } = await service.send(method, path, body, any)
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('MUST respond with 400 to values that the property cannot have', async () => {
    const bodies = [{ Customer: null }, { Customer: 'x'.repeat(11) }, { Status: 'x' }, {}, { Customer: 1 }]
    for (const body of bodies) {
      expect((await service.send('PUT', 'Orders(1)/Customer', body, any)).status).toBe(400)
    }
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Ann', Ver: 3 })
    expect((await service.send('PUT', 'Orders(7)/Customer', { Customer: 'x' }, any)).status).toBe(404)
    expect((await service.send('PUT', 'Orders(1)/Nope', { Nope: 'x' }, any)).status).toBe(404)
  })
})

describe('PUT of $value', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())
  const text = { ...any, 'Content-Type': 'text/plain' }

  it('MUST write text and bytes', async () => {
    const response = await service.send('PUT', 'Orders(1)/Customer/$value', 'Zoë', text)
    expect([response.status, response.headers.etag]).toEqual([204, 'W/"4"'])
    expect((await service.send('PUT', 'Orders(1)/Total/$value', '2.50', text)).status).toBe(204)
    const bytes = { ...any, 'Content-Type': 'image/png' }
    expect((await service.send('PUT', 'Orders(1)/Seal/$value', 'abc', bytes)).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Zoë', Total: '2.50', Seal: 'YWJj' })
    expect((await service.send('PUT', 'Orders(1)/Customer/$value', '', text)).status).toBe(204)
    expect((await service.send('GET', 'Orders(1)/Customer/$value')).text).toBe('')
  })

  it.each(['MERGE', 'PATCH'])('%s MUST do the same: a value has no parts', async (method) => {
    expect((await service.send(method, 'Orders(1)/Customer/$value', 'Zoë', text)).status).toBe(204)
    expect((await service.send(method, 'Orders(1)/Address/Zip/$value', '9', text)).status).toBe(204)
    const bytes = { ...any, 'Content-Type': 'image/png' }
    expect((await service.send(method, 'Orders(1)/Seal/$value', 'abc', bytes)).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({
      Customer: 'Zoë',
      Seal: 'YWJj',
      Address: { Street: 'A 1', Zip: '9' },
    })
    expect((await service.send(method, 'Orders(1)/Total/$value', 'x', text)).status).toBe(400)
    expect((await service.send(method, 'Orders(1)/Customer/$value', 'x', {})).status).toBe(415)
    const unversioned = { 'Content-Type': 'text/plain' }
    expect((await service.send(method, 'Orders(1)/Customer/$value', 'x', unversioned)).status).toBe(428)
    const key = await service.send(method, 'Orders(1)/ID/$value', '7', text)
    expect([key.status, key.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('MUST accept other charsets, and respond with 415 to unknown ones', async () => {
    const latin = { ...any, 'Content-Type': 'text/plain; charset=ISO-8859-1', 'Content-Length': '1' }
    expect((await service.send('PUT', 'Orders(1)/Customer/$value', 'e', latin)).status).toBe(204)
    const unknown = { ...any, 'Content-Type': 'text/plain;charset=klingon' }
    expect((await service.send('PUT', 'Orders(1)/Customer/$value', 'e', unknown)).status).toBe(415)
  })

  it('MUST respond with 415 without text/plain, and with 400 to an invalid value', async () => {
    for (const type of ['application/json', '*/*', 'text/*', 'nonsense']) {
      const headers = { ...any, 'Content-Type': type }
      expect((await service.send('PUT', 'Orders(1)/Total/$value', '1', headers)).status).toBe(415)
    }
    expect((await service.send('PUT', 'Orders(1)/Total/$value', undefined, any)).status).toBe(415)
    for (const value of ['x', '', '1.234']) {
      expect((await service.send('PUT', 'Orders(1)/Total/$value', value, text)).status).toBe(400)
    }
  })
})
