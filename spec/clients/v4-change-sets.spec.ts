import express from 'express'
import { odataV2 } from '../../lib/index.js'
import { openV4 } from '../../lib/v4.js'
import { get, jsonOf, responsesTo, statusesOf, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import type { CapServer } from './support/cap-shop.js'
import { startCap } from './support/cap-shop.js'

const ada = "/Orders(guid'11111111-1111-4111-8111-111111111111')"

const entryOf = ({ text }: HttpResponse): Record<string, unknown> =>
  (JSON.parse(text) as { d: Record<string, unknown> }).d

describe.each<[format: string, ...options: string[]]>([['JSON'], ['multipart', '--multipart-only']])(
  'Change sets of a service of CAP with batches in %s',
  (_format, ...options) => {
    let shop: CapServer
    let server: TestServer
    let close: () => void

    beforeAll(async () => {
      shop = await startCap('shop', ...options)
      const opened = await openV4(`${shop.url}/odata/v4/catalog`, { dialect: 'cap' })
      server = await TestServer.start(
        express().use('/n', odataV2(opened.model, opened.provider, opened.options)),
      )
      close = () => {
        opened.close()
      }
    })
    afterAll(async () => {
      close()
      await server.stop()
      await shop.stop()
    })
    beforeEach(async () => {
      await send('POST', '/reset')
    })

    const send = (method: string, path: string, accept = 'application/json'): Promise<HttpResponse> =>
      server.send(`/n${path}`, { method, headers: { Accept: accept } })

    it('MUST be made as a whole', async () => {
      const responses = await responsesTo(
        server.port,
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
        server.port,
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
      const [response] = await responsesTo(server.port, [
        written('POST Orders', '{"customer":"eve"}', { 'Content-ID': '1' }),
        written(
          "MERGE Items(guid'33333333-3333-4333-8333-333333333333')",
          '{"order":{"__metadata":{"uri":"$1"}}}',
        ),
      ])
      expect(response).toMatchObject({ status: 501 })
      expect((await send('GET', '/Orders/$count', 'text/plain')).text).toBe('2')
    })

    it('MUST be rolled back if one change fails', async () => {
      const [response] = await responsesTo(server.port, [
        written('POST Products', '{"ID":100,"name":"new"}'),
        written('POST restock?product=77&quantity=1'),
      ])
      expect(response).toMatchObject({ status: 404 })
      expect((await send('GET', '/Products(100)')).status).toBe(404)
    })

    it('MUST be rolled back if an ETag is not current', async () => {
      const [response] = await responsesTo(server.port, [
        written('DELETE Products(1)'),
        written(`MERGE ${ada.slice(1)}`, '{"status":"x"}', { 'If-Match': 'W/"2020"' }),
      ])
      expect(response).toMatchObject({ status: 412 })
      expect((await send('GET', '/Products(1)')).status).toBe(200)
    })

    it('MUST contain reads that are too long for a URL', async () => {
      const names = Array.from({ length: 400 }, (_, index) => `name eq 'name ${String(index)}'`)
      const filter = encodeURIComponent(["name eq 'Product 1'", ...names].join(' or '))
      const [response] = await responsesTo(server.port, get(`Products?$filter=${filter}&$select=ID`))
      expect(jsonOf(response)).toMatchObject({ results: [{ ID: 1 }] })
    })
  },
)
