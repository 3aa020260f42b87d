import { messageOf, OrderServer } from '../../support/services/order-service.js'

const any = { 'If-Match': '*' }
const order = { ID: 9, Customer: 'x' }

describe('The request of a change', () => {
  let service: OrderServer
  beforeAll(async () => {
    service = await OrderServer.start({ limits: { bodyBytes: 1000, insertDepth: 2 } })
  })
  afterAll(() => service.stop())

  it.each(['$filter=true', '$top=1', '$expand=Lines', '$select=ID', '$orderby=ID', '$inlinecount=allpages'])(
    'MUST respond with 400 to %s',
    async (option) => {
      expect((await service.send('POST', `Orders?${option}`, order)).status).toBe(400)
      expect((await service.send('MERGE', `Orders(1)?${option}`, { Customer: 'y' }, any)).status).toBe(400)
      expect((await service.send('DELETE', `Orders(1)?${option}`, undefined, any)).status).toBe(400)
      expect(await service.list('Orders', 'Customer')).toEqual(['Ann', 'Bob'])
    },
  )

  it('MUST accept custom options, and $format for the response', async () => {
    const response = await service.send('POST', 'Orders?sap-language=DE&$format=atom', {
      ID: 20,
      Customer: 'x',
    })
    expect([response.status, response.headers['content-type']]).toEqual([
      201,
      'application/atom+xml;type=entry;charset=utf-8',
    ])
    expect((await service.send('DELETE', 'Orders(20)?x=1', undefined, any)).status).toBe(204)
  })

  it.each([
    '',
    '*/*',
    'application/*',
    'text/plain',
    'multipart/mixed',
    'application/atom+xml;type=feed',
    'application/json;odata=light',
    'application/json;charset=klingon',
  ])('MUST respond with 415 to Content-Type %p', async (type) => {
    for (const [method, path] of [
      ['POST', 'Orders'],
      ['PUT', 'Orders(1)'],
    ] as const) {
      const { status } = await service.send(method, path, order, {
        'Content-Type': type,
        ...condition(method),
      })
      expect([method, status]).toEqual([method, 415])
    }
  })

  it('MUST respond with 415 without Content-Type, and ignore one on DELETE', async () => {
    expect((await service.send('POST', 'Orders')).status).toBe(415)
    const headers = { ...any, 'Content-Type': 'nonsense' }
    expect((await service.send('DELETE', 'Orders(77)', undefined, headers)).status).toBe(404)
  })

  it.each(['', '{', '[]', '"x"', '{"ID":1', 'null', '<entry/>'])(
    'MUST respond with 400 to the JSON %p',
    async (text) => {
      const headers = { 'Content-Type': 'application/json' }
      expect((await service.send('POST', 'Orders', text, headers)).status).toBe(400)
    },
  )

  it.each(['', '<a', '<feed xmlns="http://www.w3.org/2005/Atom"/>', '{}'])(
    'MUST respond with 400 to the XML %p',
    async (text) => {
      const headers = { 'Content-Type': 'application/atom+xml' }
      expect((await service.send('POST', 'Orders', text, headers)).status).toBe(400)
    },
  )

  it('MUST refuse document types and entities', async () => {
    const text = '<!DOCTYPE entry [<!ENTITY e "x">]><entry xmlns="http://www.w3.org/2005/Atom">&e;</entry>'
    expect((await service.send('POST', 'Orders', text, { 'Content-Type': 'application/xml' })).status).toBe(
      400,
    )
    const property = '<!DOCTYPE Customer><Customer>x</Customer>'
    expect((await service.send('PUT', 'Orders(1)/Customer', property, any)).status).toBe(400)
    expect((await service.send('POST', 'Orders(1)/$links/Tags', property)).status).toBe(400)
  })

  it('MUST respond with 413 to a body over the limit, with and without its length', async () => {
    const long = { ...order, Note: 'x'.repeat(1000) }
    expect((await service.send('POST', 'Orders', long)).status).toBe(413)
    const chunked = await service.server.askRaw(
      `PUT /n/Lines(1) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n` +
        `Content-Type: application/json\r\n\r\n7d0\r\n${' '.repeat(2000)}\r\n0\r\n\r\n`,
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('MUST respond with 400 to inline entities that are nested too deeply', async () => {
    const body = { ...order, Region: { ID: 7, Depots: [{ ID: 7, Region: { ID: 8 } }] } }
    expect((await service.send('POST', 'Orders', body)).status).toBe(400)
    expect(await service.read('Regions(7)')).toBe(404)
  })

  it('MUST be read in the charset that it names', async () => {
    const headers = { 'Content-Type': 'application/json;charset=UTF-8' }
    expect((await service.send('MERGE', 'Lines(1)', { Text: 'Zoë' }, headers)).status).toBe(204)
    expect(await service.read('Lines(1)')).toMatchObject({ Text: 'Zoë' })
    const utf16 = { ...headers, 'Content-Type': 'application/json;charset=utf-16' }
    expect((await service.send('MERGE', 'Lines(1)', { Text: 'x' }, utf16)).status).toBe(400)
  })
})

function condition(method: string): Record<string, string> {
  return method === 'PUT' ? any : {}
}

describe('A service that is read-only', () => {
  let service: OrderServer
  afterEach(() => service.stop())

  it('MUST respond with 405 with Allow to every change', async () => {
    service = await OrderServer.start({ readOnly: true })
    for (const [method, path] of [
      ['POST', 'Orders'],
      ['PUT', 'Orders(1)'],
      ['MERGE', 'Orders(1)'],
      ['PATCH', 'Orders(1)'],
      ['DELETE', 'Orders(1)'],
      ['POST', 'Orders(1)/Lines'],
      ['PUT', 'Orders(1)/Customer'],
      ['DELETE', 'Orders(1)/Total'],
      ['PUT', 'Orders(1)/Customer/$value'],
      ['PUT', 'Orders(1)/$links/Region'],
      ['POST', 'Orders(1)/$links/Tags'],
      ['DELETE', "Orders(1)/$links/Tags('hot')"],
      ['DELETE', "Orders(1)/Tags('hot')"],
    ] as const) {
      const body = method === 'DELETE' ? undefined : order
      const { status, headers } = await service.send(method, path, body, method === 'POST' ? {} : any)
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, 'GET, HEAD, OPTIONS'])
    }
  })
})

describe('The error of a change', () => {
  let service: OrderServer
  afterEach(() => service.stop())

  it('MUST be a document in the format of the response', async () => {
    service = await OrderServer.start()
    const json = await service.send('MERGE', 'Orders(1)', { Customer: 'x' })
    expect([json.status, messageOf(json)]).toEqual([
      428,
      expect.stringContaining('If-Match header with the ETag of the entity, or * for any'),
    ])
    const headers = { Accept: 'application/atom+xml' }
    const xml = await service.send('POST', 'Orders', { ID: 1, Customer: 'x' }, headers)
    expect([xml.status, xml.text]).toEqual([409, expect.stringContaining('<code>Conflict</code>')])
  })
})
