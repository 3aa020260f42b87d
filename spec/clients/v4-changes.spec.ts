import { Failures } from '../support/failures.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { ada, entryOf, ServedCap } from './support/served-cap.js'

let cap: ServedCap
let failures: Failures

beforeAll(async () => {
  cap = await ServedCap.start([], {
    onError: (error) => {
      failures.onError(error)
    },
  })
})
afterAll(() => cap.stop())
beforeEach(async () => {
  failures = new Failures()
  await send('POST', '/reset')
})

const send: ServedCap['send'] = (...request) => cap.send(...request)

const errorOf = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { error: unknown }).error

describe('Changes of a service of CAP', () => {
  it('MUST insert entities with all types, and return them as they are stored', async () => {
    const values = {
      ID: 100,
      name: "O'Neil 日本",
      price: '12.50',
      stock: '9007199254740993',
      weight: '0.5',
      active: false,
      released: '/Date(1714608000000)/',
      opens: 'PT08H30M00S',
      changed: '/Date(1717236001000+0000)/',
      measured: '/Date(1717236001123+0000)/',
      code: '00000000-0000-4000-8000-0000000000ff',
      category_ID: 1,
    }
    const response = await send('POST', '/Products', {}, JSON.stringify(values))
    expect([response.status, response.headers.location]).toEqual([
      201,
      `http://${cap.server.host}/n/Products(100)`,
    ])
    const { name, price, stock, released, opens, code } = entryOf(response)
    expect({ name, price, stock, released, opens, code }).toEqual({
      name: values.name,
      price: '12.50',
      stock: values.stock,
      released: values.released,
      opens: values.opens,
      code: values.code,
    })
  })

  it('MUST let the service generate keys and defaults', async () => {
    const response = await send('POST', '/Orders', {}, '{"customer":"eve"}')
    expect([response.status, entryOf(response)]).toEqual([
      201,
      expect.objectContaining({ customer: 'eve', status: 'open', createdBy: 'anonymous' }),
    ])
    const { __metadata } = entryOf(response) as { __metadata: { etag: string } }
    expect(__metadata.etag).toBe(response.headers.etag)
  })

  it('MUST insert entities with their compositions in one request', async () => {
    const deep = {
      customer: 'eve',
      items: [
        { quantity: 1, product_ID: 1 },
        { quantity: 2, product_ID: 2 },
      ],
    }
    const response = await send('POST', '/Orders', {}, JSON.stringify(deep))
    expect([response.status, entryOf(response)]).toEqual([
      201,
      expect.objectContaining({ customer: 'eve', status: 'open' }),
    ])
    const { ID } = entryOf(response) as { ID: string }
    const { text } = await send(
      'GET',
      `/Orders(guid'${ID}')/items?$orderby=quantity&$select=quantity,product_ID`,
    )
    const { d } = JSON.parse(text) as { d: { results: object[] } }
    expect(d.results).toEqual([
      expect.objectContaining({ quantity: 1, product_ID: 1 }),
      expect.objectContaining({ quantity: 2, product_ID: 2 }),
    ])
    const refused = { customer: 'eve', items: [{ quantity: 1_000 }] }
    expect((await send('POST', '/Orders', {}, JSON.stringify(refused))).status).toBe(400)
    expect((await send('GET', '/Orders/$count', { Accept: 'text/plain' })).text).toBe('3')
  })

  it('MUST refuse entities nested under associations, which the service would ignore', async () => {
    const deep = { ID: 9, name: 'New', products: [{ ID: 900, name: 'Nested' }] }
    expect((await send('POST', '/Categories', {}, JSON.stringify(deep))).status).toBe(501)
    expect((await send('GET', '/Categories(9)')).status).toBe(404)
  })

  it('MUST protect entities with ETags of the service', async () => {
    const etag = (await send('GET', ada)).headers.etag ?? ''
    expect((await send('MERGE', ada, {}, '{"status":"x"}')).status).toBe(428)
    expect((await send('MERGE', ada, { 'If-Match': 'W/"2020"' }, '{"status":"x"}')).status).toBe(412)
    const changed = await send('MERGE', ada, { 'If-Match': etag }, '{"status":"x"}')
    expect([changed.status, changed.headers.etag === etag]).toEqual([204, false])
    expect((await send('GET', ada, { 'If-None-Match': changed.headers.etag ?? '' })).status).toBe(304)
    expect((await send('DELETE', ada, { 'If-Match': etag })).status).toBe(412)
    expect((await send('DELETE', ada, { 'If-Match': '*' })).status).toBe(204)
    expect((await send('GET', ada)).status).toBe(404)
  })

  it('MUST replace entities with PUT: absent values get their defaults', async () => {
    await send('MERGE', ada, { 'If-Match': '*' }, '{"status":"x"}')
    await send('PUT', ada, { 'If-Match': '*' }, '{"customer":"ada2"}')
    expect(entryOf(await send('GET', ada))).toMatchObject({ customer: 'ada2', status: 'open' })
  })

  it('MUST NOT insert entities that an update addresses', async () => {
    expect((await send('MERGE', '/Products(999)', {}, '{"name":"x"}')).status).toBe(404)
    expect((await send('PUT', '/Products(999)', {}, '{"name":"x"}')).status).toBe(404)
    expect((await send('DELETE', '/Products(999)')).status).toBe(404)
    expect((await send('GET', '/Products(999)')).status).toBe(404)
  })

  it('MUST set foreign keys for links', async () => {
    const put = await send('PUT', '/Products(1)/$links/category', {}, '{"uri":"Categories(1)"}')
    expect([put.status, entryOf(await send('GET', '/Products(1)')).category_ID]).toEqual([204, 1])
    expect((await send('DELETE', '/Products(1)/$links/category')).status).toBe(204)
    expect(entryOf(await send('GET', '/Products(1)')).category_ID).toBeNull()
    const created = await send('POST', '/Categories(2)/products', {}, '{"ID":101,"name":"in"}')
    expect([created.status, entryOf(created).category_ID]).toEqual([201, 2])
  })

  it('MUST respond with status, code, details and targets of its errors', async () => {
    const response = await send('POST', '/Orders', {}, '{"customer":"bad"}')
    expect([response.status, errorOf(response)]).toEqual([
      422,
      {
        code: 'MULTIPLE_ERRORS',
        message: { lang: 'en', value: 'Multiple errors occurred, see details below.' },
        innererror: {
          errordetails: [
            { code: 'C1', message: 'Unknown customer.', target: 'customer', severity: 'error' },
            { code: 'C2', message: 'No items.', target: 'items', severity: 'error' },
          ],
        },
      },
    ])
  })

  it('MUST NOT show messages of errors that are not of the client', async () => {
    const response = await send('POST', '/Orders', {}, '{"customer":"crash"}')
    expect([response.status, response.text.includes('secret')]).toEqual([502, false])
    expect(failures.errors).toHaveLength(1)
  })
})

describe('Operations of a service of CAP', () => {
  it('MUST call functions and actions', async () => {
    const cheapest = entryOf(await send('GET', '/cheapest?max=3.5m')) as { results: { ID: number }[] }
    expect(cheapest.results.map(({ ID }) => ID)).toEqual([1, 2, 3])
    expect(entryOf(await send('GET', "/greeting?name='a%20%2F%20''b'"))).toEqual({
      greeting: "Hello, a / 'b!",
    })
    expect(entryOf(await send('GET', '/greeting'))).toEqual({ greeting: 'Hello, world!' })
    expect(entryOf(await send('POST', '/restock?product=1&quantity=5'))).toMatchObject({ ID: 1, stock: '15' })
    expect((await send('POST', '/reset')).status).toBe(204)
  })

  it('MUST call operations that are bound to an entity, and pass on messages', async () => {
    const key = "ID=guid'11111111-1111-4111-8111-111111111111'"
    const response = await send('POST', `/Orders_cancel?${key}&reason='late'`)
    expect(entryOf(response)).toMatchObject({ status: 'canceled: late' })
    expect(JSON.parse(String(response.headers['sap-message']))).toMatchObject({
      code: 'CANCELED',
      severity: 'info',
      target: 'status',
    })
    expect(entryOf(await send('GET', `/Orders_total?${key}`))).toEqual({ Orders_total: '8.56' })
  })

  it('MUST respond with their errors', async () => {
    const response = await send('POST', '/restock?product=77&quantity=5')
    expect([response.status, errorOf(response)]).toMatchObject([
      404,
      { code: 'NO_PRODUCT', innererror: { errordetails: [{ target: 'product' }] } },
    ])
  })
})

describe('Bound operations of a service of CAP', () => {
  const cancel = "/Orders_cancel?ID=guid'11111111-1111-4111-8111-111111111111'"

  it('MUST be called for the version of the client only', async () => {
    const etag = (await send('GET', ada)).headers.etag ?? ''
    expect((await send('POST', cancel, { 'If-Match': 'W/"2020"' })).status).toBe(412)
    const canceled = await send('POST', cancel, { 'If-Match': etag })
    expect([canceled.status, entryOf(canceled)]).toEqual([
      200,
      expect.objectContaining({ status: 'canceled: ' }),
    ])
    expect((await send('POST', cancel)).status).toBe(200)
  })
})

describe('Media resources of a service of CAP', () => {
  it('MUST be streamed in both directions', async () => {
    expect((await send('GET', '/Products(1)/$value')).status).toBe(404)
    const bytes = 'x'.repeat(300_000)
    const put = await cap.server.send('/n/Products(1)/$value', {
      method: 'PUT',
      headers: { 'Content-Type': 'image/png' },
      body: bytes,
    })
    expect(put.status).toBe(204)
    const { status, text, headers } = await cap.server.send('/n/Products(1)/$value')
    expect([status, text === bytes, headers['content-type']]).toEqual([200, true, 'image/png'])
    expect(entryOf(await send('GET', '/Products(1)'))).toMatchObject({
      __metadata: { content_type: 'image/png' },
    })
    expect((await send('DELETE', '/Products(1)/$value')).status).toBe(204)
    expect((await send('GET', '/Products(1)/$value')).status).toBe(404)
  })
})
