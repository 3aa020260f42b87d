import express from 'express'
import { odataV2 } from '../../lib/index.js'
import type { OpenedService } from '../../lib/v2.js'
import { openV2 } from '../../lib/v2.js'
import { get, responsesTo, statusesOf, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import type { CapShop } from './support/cap-shop.js'
import { startCapShop } from './support/cap-shop.js'

let shop: CapShop
let opened: OpenedService
let server: TestServer
const causes: unknown[] = []

beforeAll(async () => {
  shop = await startCapShop()
  opened = await openV2(`${shop.url}/odata/v2/catalog`)
  const { model, provider, options } = opened
  const onError = (error: unknown): void => {
    for (let one = error; one instanceof Error; one = one.cause) causes.push(one.message)
  }
  server = await TestServer.start(
    express().use('/n', odataV2(model, provider, { ...options, onError, pageSize: 7 })),
  )
})
afterAll(async () => {
  opened.close()
  await server.stop()
  await shop.stop()
})
beforeEach(async () => {
  causes.length = 0
  await send('POST', '/reset')
})

const ada = "/Orders(guid'11111111-1111-4111-8111-111111111111')"

const send = (
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<HttpResponse> =>
  server.send(`/n${path.replaceAll(' ', '%20')}`, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })

const entryOf = ({ text }: HttpResponse): Record<string, unknown> =>
  (JSON.parse(text) as { d: Record<string, unknown> }).d

interface Feed {
  readonly results: readonly Record<string, unknown>[]
  readonly __next?: string
  readonly __count?: string
}

const idsOf = async (path: string): Promise<unknown[]> => {
  const ids: unknown[] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const { text } = await send('GET', next)
    const { results, __next }: Feed = (JSON.parse(text) as { d: Feed }).d
    ids.push(...results.map(({ ID }) => ID))
    next = __next?.slice(__next.indexOf('/n/') + 2)
  }
  return ids
}

describe('A V2 service of the adapter of CAP, served again', () => {
  it('MUST return each entity once in pages, in any order', async () => {
    for (const order of ['', '?$orderby=price', '?$orderby=name desc', '?$orderby=released desc,price'])
      expect((await idsOf(`/Products${order}`)).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 30 }, (_, index) => index + 1),
      )
  })

  it.each([
    ['ID gt 28', [29, 30]],
    ["substringof('Neil',name)", [3]],
    ['price eq null and ID lt 12', [5, 10]],
    ["stock eq 9007199254740993L or category/name eq 'Coffee' and ID lt 4", [1, 2, 3]],
    ["released eq datetime'2024-05-02T00:00:00'", [1, 29]],
    ["opens eq time'PT8H7M0S'", [7]],
    ["measured lt datetimeoffset'2024-06-01T10:00:00.003Z'", [1, 2]],
    ["code eq guid'00000000-0000-4000-8000-000000000004'", [4]],
  ])('MUST return the entities of a filter: %s', async (filter, expected) => {
    expect(await idsOf(`/Products?$filter=${filter}&$orderby=ID`)).toEqual(expected)
  })

  it('MUST return counts, expansions and links', async () => {
    const page = entryOf(
      await send('GET', '/Products?$top=2&$inlinecount=allpages&$expand=category&$select=ID,category/name'),
    ) as unknown as Feed
    expect([page.__count, page.results]).toEqual([
      '30',
      [
        expect.objectContaining({ ID: 1, category: expect.objectContaining({ name: 'Coffee' }) as unknown }),
        expect.objectContaining({ ID: 2, category: expect.objectContaining({ name: 'Tea' }) as unknown }),
      ],
    ])
    expect(await idsOf(`${ada}/items`)).toHaveLength(2)
    expect((await send('GET', '/Products(4)/category')).status).toBe(404)
    expect((await send('GET', '/Products(99)')).status).toBe(404)
  })

  it('MUST insert, merge and delete entities', async () => {
    const created = await send('POST', '/Categories', '{"ID":100,"name":"new"}')
    expect([created.status, entryOf(created).name]).toEqual([201, 'new'])
    expect((await send('MERGE', '/Categories(100)', '{"name":"other"}')).status).toBe(204)
    expect(entryOf(await send('GET', '/Categories(100)'))).toMatchObject({ name: 'other' })
    expect((await send('DELETE', '/Categories(100)')).status).toBe(204)
    expect((await send('GET', '/Categories(100)')).status).toBe(404)
    expect((await send('MERGE', '/Categories(100)', '{"name":"x"}')).status).toBe(404)
  })

  it('MUST call functions and actions, and return errors with their details', async () => {
    expect(entryOf(await send('GET', "/greeting?name='a ''b'"))).toEqual({ greeting: "Hello, a 'b!" })
    expect((await idsOf('/cheapest?max=3.5m')).sort()).toEqual([1, 2, 3])
    expect(entryOf(await send('POST', '/restock?product=1&quantity=5'))).toMatchObject({ stock: '15' })
    const failed = await send('POST', '/Orders', '{"customer":"bad"}')
    const { code, innererror } = (JSON.parse(failed.text) as { error: Record<string, unknown> }).error
    expect([failed.status, code, innererror]).toMatchObject([
      422,
      'MULTIPLE_ERRORS',
      { errordetails: expect.arrayContaining([expect.objectContaining({ code: 'C2' })]) as unknown },
    ])
  })

  it('MUST make change sets as a whole, with references to new entities', async () => {
    const responses = await responsesTo(
      server.port,
      [
        written('POST Orders', '{"customer":"eve"}', { 'Content-ID': '1' }),
        written('POST $1/items', '{"quantity":1,"product_ID":1}'),
        written('DELETE Categories(3)'),
      ],
      get("Orders?$filter=customer eq 'eve'&$expand=items".replaceAll(' ', '%20'), {
        Accept: 'application/json',
      }),
    )
    expect(statusesOf(responses)).toEqual([[201, 201, 204], 200])
    expect(String((responses[1] as { body: unknown }).body)).toContain('"quantity":1')
    const [failed] = await responsesTo(server.port, [
      written('POST Categories', '{"ID":101,"name":"new"}'),
      written('POST restock?product=77&quantity=1'),
    ])
    expect(failed).toMatchObject({ status: 404 })
    expect((await send('GET', '/Categories(101)')).status).toBe(404)
  })

  it('MUST send queries whose URL is too long in a batch', async () => {
    const filter = Array.from({ length: 400 }, (_, index) => `ID eq ${index * 20 + 1}`).join(' or ')
    const [response] = await responsesTo(
      server.port,
      get(`Products?$select=ID&$orderby=ID&$filter=${encodeURIComponent(filter)}`, {
        Accept: 'application/json',
      }),
    )
    const { d } = JSON.parse(String((response as { body: unknown }).body)) as { d: Feed }
    expect(d.results.map(({ ID }) => ID)).toEqual([1, 21])
  })
})
