import { get, jsonOf, responsesTo, statusesOf, written } from '../support/batch-exchange.js'
import { ada, entryOf, ServedCap } from './support/served-cap.js'

describe.each<[format: string, ...options: string[]]>([['JSON'], ['multipart', '--multipart-only']])(
  'Change sets of a service of CAP with batches in %s',
  (_format, ...options) => {
    let cap: ServedCap

    beforeAll(async () => {
      cap = await ServedCap.start(options)
    })
    afterAll(() => cap.stop())
    beforeEach(async () => {
      await send('POST', '/reset')
    })

    const send: ServedCap['send'] = (...request) => cap.send(...request)

    it('MUST be made as a whole', async () => {
      const responses = await responsesTo(
        cap.server.port,
        [
          written('POST Products', '{"ID":100,"name":"new"}', { 'Content-ID': '1' }),
          written('MERGE $1', '{"name":"changed"}'),
          written(`MERGE ${ada.slice(1)}`, '{"status":"x"}', { 'If-Match': '*' }),
          written('DELETE Products(2)'),
          written('POST restock?product=1&quantity=7'),
        ],
        get('Products(100)/name/$value', { Accept: 'text/plain' }),
      )
      expect(statusesOf(responses)).toEqual([[201, 204, 204, 204, 200], 200])
      expect(entryOf(await send('GET', '/Products(1)'))).toMatchObject({ stock: '17' })
      expect(entryOf(await send('GET', ada))).toMatchObject({ status: 'x' })
      expect((await send('GET', '/Products(2)')).status).toBe(404)
    })

    it('MUST refer to entities whose key the service generates', async () => {
      const [changes, total] = await responsesTo(
        cap.server.port,
        [
          written('POST Orders', '{"customer":"eve"}', { 'Content-ID': '1' }),
          written('MERGE $1', '{"status":"x"}', { 'If-Match': '*' }),
          written('POST $1/items', '{"quantity":1,"product_ID":1}'),
          written('POST Items', '{"quantity":2,"product_ID":2,"order":{"__metadata":{"uri":"$1"}}}'),
        ],
        get('$1?$expand=items', { Accept: 'application/json' }),
      )
      expect(statusesOf([changes, total] as never)).toEqual([[201, 204, 201, 201], 200])
      const { d } = JSON.parse(String((total as { body: unknown }).body)) as {
        d: { items: { results: object[] } }
      }
      expect(d).toMatchObject({ customer: 'eve', status: 'x' })
      expect(d.items.results).toHaveLength(2)
    })

    it('MUST refuse a reference that the service cannot resolve, and change nothing', async () => {
      const [response] = await responsesTo(cap.server.port, [
        written('POST Orders', '{"customer":"eve"}', { 'Content-ID': '1' }),
        written(
          "MERGE Items(guid'33333333-3333-4333-8333-333333333333')",
          '{"order":{"__metadata":{"uri":"$1"}}}',
        ),
      ])
      expect(response).toMatchObject({ status: 501 })
      expect((await send('GET', '/Orders/$count', { Accept: 'text/plain' })).text).toBe('2')
    })

    it('MUST be rolled back if one change fails', async () => {
      const [response] = await responsesTo(cap.server.port, [
        written('POST Products', '{"ID":100,"name":"new"}'),
        written('POST restock?product=77&quantity=1'),
      ])
      expect(response).toMatchObject({ status: 404 })
      expect((await send('GET', '/Products(100)')).status).toBe(404)
    })

    it('MUST be rolled back if an ETag is not current', async () => {
      const [response] = await responsesTo(cap.server.port, [
        written('DELETE Products(1)'),
        written(`MERGE ${ada.slice(1)}`, '{"status":"x"}', { 'If-Match': 'W/"2020"' }),
      ])
      expect(response).toMatchObject({ status: 412 })
      expect((await send('GET', '/Products(1)')).status).toBe(200)
    })

    it('MUST contain reads that are too long for a URL', async () => {
      const names = Array.from({ length: 400 }, (_, index) => `name eq 'name ${String(index)}'`)
      const filter = encodeURIComponent(["name eq 'Product 1'", ...names].join(' or '))
      const [response] = await responsesTo(cap.server.port, get(`Products?$filter=${filter}&$select=ID`))
      expect(jsonOf(response)).toMatchObject({ results: [{ ID: 1 }] })
    })
  },
)
