import { channel } from 'node:diagnostics_channel'
import { getEventListeners } from 'node:events'
import express from 'express'
import type { ODataV2Options, Provider, ProviderEvent, RequestEvent } from '../../lib/index.js'
import {
  defineModel,
  edm,
  fileModel,
  fileProvider,
  memoryProvider,
  ODataError,
  odataV2,
} from '../../lib/index.js'
import { RequestObservation } from '../../lib/diagnostics/request-observation.js'
import { TestServer } from '../support/http-exchange.js'
import { manualClock } from '../support/manual-clock.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' } },
    functionImports: { Cheapest: { returnType: 'Product', entitySet: 'Products', httpMethod: 'GET' } },
  },
})
const rows = [
  { ID: 1, Name: 'Bolt' },
  { ID: 2, Name: 'Nut' },
]

interface Said {
  readonly on: string
  readonly event: RequestEvent & ProviderEvent
  /** As it was when it was said. */
  readonly now: Partial<RequestEvent & ProviderEvent>
}

const names = ['request', 'part', 'provider'].flatMap((one) =>
  ['start', 'end', 'error'].map((moment) => `${one}:${moment}`),
)
const stops: (() => unknown)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

function listen(): Said[] {
  const said: Said[] = []
  for (const name of names) {
    const one = channel(`express-odata-v2:${name}`)
    const listener = (message: unknown): void => {
      const event = message as RequestEvent & ProviderEvent
      said.push({ on: name, event, now: { ...event } })
    }
    one.subscribe(listener)
    stops.push(() => one.unsubscribe(listener))
  }
  return said
}

async function serve(options: ODataV2Options = {}, provider?: Provider): Promise<TestServer> {
  const app = express()
  const functions = { Cheapest: () => rows[0] }
  const shop =
    (provider && { functions, ...provider }) ?? memoryProvider(model, { Products: rows }, { functions })
  app.use('/shop', odataV2(model, shop as never, options as never))
  app.use('/files', odataV2(fileModel, fileProvider('sample-app/public-files')))
  const server = await TestServer.start(app)
  stops.push(() => server.stop())
  return server
}

const ends = (said: readonly Said[], on: string): Partial<RequestEvent & ProviderEvent>[] =>
  said.filter((one) => one.on === `${on}:end`).map(({ now }) => now)

describe('The channels of diagnostics', () => {
  it('MUST publish the resource, status, rows, bytes and duration of a request', async () => {
    const said = listen()
    const server = await serve()
    const { text } = await server.send('/shop/Products?$format=json&$filter=ID%20gt%200')
    const [end] = ends(said, 'request')
    expect(end).toMatchObject({
      serviceRoot: `http://${server.host}/shop/`,
      method: 'GET',
      target: '/Products?$format=json&$filter=ID%20gt%200',
      kind: 'EntitySet',
      entitySet: 'Products',
      operation: 'read',
      status: 200,
      rows: 2,
      bytes: Buffer.byteLength(text),
    })
    const { duration = 0, parseDuration = 0, providerDuration = 0 } = end ?? {}
    expect(duration).toBeGreaterThanOrEqual(parseDuration + providerDuration)
    expect(parseDuration).toBeGreaterThan(0)
  })

  it('MUST publish one object per request, from its start to its end', async () => {
    const said = listen()
    const server = await serve()
    await server.send('/shop/Products(1)?$format=json')
    expect(said.map(({ on }) => on)).toEqual([
      'request:start',
      'provider:start',
      'provider:end',
      'request:end',
    ])
    const [start, call, called, end] = said
    expect(start?.event).toBe(end?.event)
    expect(call?.event).toBe(called?.event)
    expect(call?.event.request).toBe(start?.event)
    expect(start?.now).toMatchObject({ status: undefined, kind: undefined })
    expect(called?.now).toMatchObject({ call: 'readByKey', entitySet: 'Products', rows: 1 })
    expect(called?.now.duration).toBeGreaterThanOrEqual(0)
  })

  it.each([
    ['GET', '/shop/', 'ServiceDocument', 'read', undefined],
    ['GET', '/shop/$metadata', 'Metadata', 'read', undefined],
    ['GET', '/shop/Products/$count', 'EntityCount', 'read', 'Products'],
    ['GET', '/shop/Products(1)/Name/$value', 'PropertyValue', 'read', 'Products'],
    ['GET', '/shop/Cheapest', 'Entity', 'call', 'Products'],
    ['DELETE', '/shop/Products(1)', 'Entity', 'delete', 'Products'],
    ['GET', "/files/Files('%2Findex.html')/$value", 'MediaResource', 'read', 'Files'],
    ['HEAD', '/shop/Products', 'EntitySet', 'read', 'Products'],
  ])(
    'MUST publish the operation and the resource: %s %s',
    async (method, path, kind, operation, entitySet) => {
      const said = listen()
      const server = await serve()
      await server.send(path, { method })
      const [end, second] = ends(said, 'request')
      expect(end).toMatchObject({ kind, operation, entitySet })
      expect(end?.status).toBeLessThan(405)
      expect(second).toBeUndefined()
    },
  )

  it('MUST publish each call of a provider for a change', async () => {
    const said = listen()
    const server = await serve()
    const body = JSON.stringify({ ID: 3, Name: 'Washer' })
    await server.send('/shop/Products', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(ends(said, 'provider').map(({ call }) => call)).toEqual(['insert'])
    expect(ends(said, 'request')[0]).toMatchObject({ operation: 'create', status: 201 })
  })

  it('MUST publish each part of a batch, with its batch', async () => {
    const said = listen()
    const server = await serve()
    const part = (line: string): string =>
      `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${line}\r\n\r\n\r\n`
    const body = `${part('GET Products HTTP/1.1')}${part('GET Products(9) HTTP/1.1')}--b--\r\n`
    const headers = { 'Content-Type': 'multipart/mixed;boundary=b' }
    await server.send('/shop/$batch', { method: 'POST', body, headers })
    expect(ends(said, 'part').map(({ status, kind }) => [status, kind])).toEqual([
      [200, 'EntitySet'],
      [404, 'Entity'],
    ])
    const [batch] = said
    expect(said.find(({ on }) => on === 'part:start')?.event.batch).toBe(batch?.event)
    expect(ends(said, 'request')).toMatchObject([{ kind: 'Batch', operation: 'batch', status: 202 }])
  })

  it('MUST remove its listeners from the signal that the parts of a batch share', async () => {
    listen()
    const { signal } = new AbortController()
    const request = { serviceRoot: 'http://localhost/shop/', method: 'GET', relativeUri: '/Products' }
    const observation = new RequestObservation(request, undefined, false)
    await observation.run(signal, () => {
      expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    })
    observation.ended(200, 0)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('MUST publish server errors with their cause, and client errors by the status alone', async () => {
    const said = listen()
    const failure = new Error('The disk is full.')
    const failing = {
      entitySets: {
        Products: {
          read: () => {
            throw failure
          },
          readByKey: () => {
            throw new ODataError('Forbidden')
          },
        },
      },
    } as Provider
    const server = await serve({ onError: () => undefined }, failing)
    await server.send('/shop/Products')
    expect(said.find(({ on }) => on === 'request:error')?.now.error).toBe(failure)
    expect(said.find(({ on }) => on === 'provider:error')?.now.error).toBe(failure)
    expect(ends(said, 'request')[0]).toMatchObject({ status: 500 })
    said.length = 0
    await server.send('/shop/Products(1)')
    expect(said.map(({ on }) => on)).not.toContain('request:error')
    const reason = 'The request is not permitted.'
    expect(ends(said, 'request')[0]).toMatchObject({ status: 403, error: undefined, reason })
  })

  it('MUST have the reason of a response for an error of the client', async () => {
    const said = listen()
    const server = await serve()
    await server.send('/shop/Products?$filter=Nmae%20eq%201')
    await server.send('/shop/Products')
    expect(ends(said, 'request')).toMatchObject([
      { status: 400, reason: expect.stringContaining("Did you mean 'Name'?") },
      { status: 200, reason: undefined },
    ])
  })

  it('MUST count rows that are streamed', async () => {
    const said = listen()
    const provider = {
      entitySets: {
        Products: {
          async *read() {
            yield await Promise.resolve([rows[0]])
            yield await Promise.resolve([rows[1]])
          },
        },
      },
    } as unknown as Provider
    const server = await serve({}, provider)
    await server.send('/shop/Products')
    expect(ends(said, 'provider')).toMatchObject([{ call: 'read', rows: 2 }])
    expect(ends(said, 'request')).toMatchObject([{ rows: 2 }])
  })

  it('MUST send the same response with and without subscribers', async () => {
    const server = await serve()
    const send = async (): Promise<unknown[]> => {
      const responses = []
      for (const path of [
        '/Products?$format=json',
        '/Products(1)',
        '/$metadata',
        '/Nothing',
        '/Products(9)',
      ]) {
        const { status, headers, text } = await server.send(`/shop${path}`)
        responses.push([status, { ...headers, date: '' }, text.replace(/<updated>.*?<\/updated>/g, '')])
      }
      return responses
    }
    // A repeated request may be served from the cache.
    await send()
    const before = await send()
    listen()
    expect(await send()).toEqual(before)
  })
})

describe('Server-Timing', () => {
  const clock = manualClock()

  it('MUST be part of the response when it is enabled, with the duration of each step', async () => {
    const slow = async (): Promise<void> => {
      await Promise.resolve()
      clock.now += 20
    }
    const server = await serve({ serverTiming: true, authorize: slow })
    const { headers } = await server.send('/shop/Products')
    const header = String(headers['server-timing'])
    const times = Object.fromEntries(
      header.split(', ').map((one) => {
        const [, name = '', duration] = /^(\w+);dur=(\d+\.\d{2})$/.exec(one) ?? []
        return [name, Number(duration)]
      }),
    )
    expect(Object.keys(times)).toEqual(['parse', 'authorize', 'provider', 'write', 'total'])
    expect(times).toEqual({ parse: 0, authorize: 20, provider: 0, write: 0, total: 20 })
  })

  it('MUST be sent with errors too, and only with the option', async () => {
    const server = await serve({ serverTiming: true })
    expect((await server.send('/shop/Nothing')).headers['server-timing']).toContain('total;dur=')
    const silent = await serve()
    expect((await silent.send('/shop/Products')).headers['server-timing']).toBeUndefined()
  })

  it('MUST be true or false', () => {
    const mount = () =>
      odataV2(fileModel, fileProvider('.'), { serverTiming: 'yes' } as unknown as ODataV2Options)
    expect(mount).toThrow('serverTiming must be true or false')
  })
})
