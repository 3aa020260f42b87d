import http2 from 'node:http2'
import type { RequestListener, Server } from 'node:http'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Server as AnyServer } from 'node:net'
import { transformSync } from '@swc/core'
import type { FastifyInstance } from 'fastify'
import Koa from 'koa'
import { health, memoryProvider, requestListener } from '../lib/node.js'
import { moduleOf } from './support/documentation.js'
import type { Question } from './support/http-exchange.js'
import { TestServer } from './support/http-exchange.js'
import { exampleData, exampleModel, exampleProvider } from './support/services/example-service.js'
import { withHandlers } from './support/with-handlers.js'

/** The declarations of the guide's code. */
interface Guide {
  readonly server: Server
  readonly fastify: FastifyInstance
  readonly koa: Koa
}

/** Runs the code of the guide on a service that can be changed; nothing listens. */
function guide(): Guide {
  const provider = withHandlers(memoryProvider(exampleModel, exampleData), exampleModel)
  const library = {
    fileModel: exampleModel,
    fileProvider: () => provider,
    requestListener,
    health,
  }
  const code = `${moduleOf('docs/other-hosts.md')}\nexport { server, fastify, koa }`
  const { code: program } = transformSync(code, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const load = createRequire(__filename)
  const require = (name: string): unknown => (name === 'express-odata-v2/node' ? library : load(name))
  const exported = {}
  // The code of the project's own documentation.
  const module = Reflect.construct(Function, ['require', 'exports', program]) as (...given: unknown[]) => void
  const servers: { listen: unknown } = AnyServer.prototype
  const { listen } = servers
  servers.listen = function (this: Server) {
    return this
  }
  try {
    module(require, exported)
  } finally {
    servers.listen = listen
  }
  return exported as Guide
}

function listenerOf(koa: Koa): RequestListener {
  const response = koa.callback()
  return (req, res) => {
    void response(req, res)
  }
}

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

/** Each host, and the path of the service in it. */
const recipes: readonly (readonly [string, string, () => Promise<Parameters<typeof TestServer.start>[0]>])[] =
  [
    ['node:http', '/files', async () => guide().server],
    [
      'Fastify',
      '/odata',
      async () => {
        const { fastify } = guide()
        fastify.post('/own', async ({ body }) => ({ body }))
        await fastify.ready()
        return fastify.server
      },
    ],
    [
      'Koa',
      '/odata',
      async () => {
        const { koa } = guide()
        koa.use((ctx) => {
          ctx.body = { body: 'own' }
        })
        return listenerOf(koa)
      },
    ],
  ]

describe.each(recipes)('A service in %s, as in the guide', (name, path, make) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(await make())
  })
  afterAll(() => server.stop())

  const exchange = (target: string, question: Question = {}) => server.send(`${path}${target}`, question)

  it.each(['', '/', '?$format=json'])('MUST find its root at its path and %p', async (rest) => {
    const { status, text } = await exchange(rest)
    expect(status).toBe(200)
    if (rest !== '?$format=json') expect(text).toContain(`xml:base="http://${server.host}${path}/"`)
  })

  it('MUST accept every method, with bodies', async () => {
    const send = async (method: string, target: string, body?: unknown) => {
      const question = { method, headers: json }
      const sent = body === undefined ? question : { ...question, body: JSON.stringify(body) }
      return (await exchange(target, sent)).status
    }
    expect(await send('POST', '/Categories', { ID: 90, Name: 'New' })).toBe(201)
    for (const method of ['PUT', 'MERGE', 'PATCH']) {
      expect(await send(method, '/Categories(90)', { Name: method })).toBe(204)
      expect((await exchange('/Categories(90)/Name/$value')).text).toBe(method)
    }
    expect(await send('DELETE', '/Categories(90)')).toBe(204)
    expect(await send('HEAD', '/Categories')).toBe(200)
    expect(await send('OPTIONS', '/Categories')).toBe(204)
  })

  it('MUST accept bodies of every type', async () => {
    const body = ['--b', 'Content-Type: application/http', '', 'GET Categories(1)/Name/$value HTTP/1.1', '']
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const batch = await exchange('/$batch', {
      method: 'POST',
      headers,
      body: [...body, '', '--b--', ''].join('\r\n'),
    })
    expect([batch.status, batch.text.includes('Cheese')]).toEqual([202, true])
    const wrong = { method: 'POST', headers: { 'Content-Type': 'application/x-own' }, body: 'x' }
    expect((await exchange('/Categories', wrong)).status).toBe(415)
    expect((await exchange('/Categories', { ...wrong, headers: json, body: '{"ID":' })).status).toBe(400)
    const large = JSON.stringify({ ID: 91, Name: 'n', Note: 'x'.repeat(1_200_000) })
    expect((await exchange('/Categories', { method: 'POST', headers: json, body: large })).status).toBe(413)
  })

  it('MUST see addresses as they were sent', async () => {
    expect((await exchange('/Categories%281%29')).status).toBe(200)
    expect((await exchange(`/Parties('${'a'.repeat(300)}')`)).status).not.toBe(200)
    expect((await exchange("/Categories?$filter=Name%20eq%20'%2F'&$format=json")).text).toContain(
      '"results":[]',
    )
    expect((await exchange('/Categories(%ZZ)')).status).toBe(400)
  })

  it('MUST respond to errors in the form of the protocol, even before routing', async () => {
    const { status, text } = await exchange('/Nothing', { headers: json })
    expect([status, text]).toEqual([404, expect.stringContaining('"code":"ResourceNotFound"')])
  })

  if (name !== 'node:http') {
    it('MUST leave paths outside of its mount path to other handlers', async () => {
      const own = await server.send('/own', { method: 'POST', headers: json, body: '{"a":1}' })
      expect([own.status, own.text]).toEqual([200, expect.stringContaining('"body":')])
      if (name === 'Fastify') expect(own.text).toBe('{"body":{"a":1}}')
    })
  }
})

describe('A service whose host has read the body', () => {
  const listener = requestListener(exampleModel, exampleProvider(), { mountPath: '/odata' })
  const insert = { method: 'POST', headers: json, body: JSON.stringify({ ID: 90, Name: 'New' }) }

  async function behind(leave: (ctx: Koa.Context, body: string) => void): Promise<TestServer> {
    const koa = new Koa()
    koa.use(async (ctx) => {
      const chunks: Buffer[] = []
      for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
      leave(ctx, Buffer.concat(chunks).toString())
      ctx.respond = false
      listener(ctx.req, ctx.res)
    })
    return TestServer.start(listenerOf(koa))
  }

  it('MUST report an empty body', async () => {
    const server = await behind(() => undefined)
    const { status, text } = await server.send('/odata/Categories', insert)
    expect([status, text]).toEqual([400, expect.stringContaining('body')])
    await server.stop()
  })

  it('MUST use the body that the host has parsed', async () => {
    const server = await behind((ctx, body) => Object.assign(ctx.req, { body: JSON.parse(body) }))
    expect((await server.send('/odata/Categories', insert)).status).toBe(201)
    await server.stop()
  })
})

describe('A service over HTTP/2', () => {
  it('MUST read, change and refuse as it does over HTTP/1.1, with the authority in its links', async () => {
    const listener = requestListener(exampleModel, exampleProvider(), { mountPath: '/n' })
    const server = http2.createServer(listener)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const exchange = async (method: string, path: string, body?: string): Promise<[number, string]> => {
      const requested = client.request({
        ':method': method,
        ':path': path,
        ':authority': 'h.example',
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      })
      requested.end(body)
      const [head] = (await once(requested, 'response')) as [http2.IncomingHttpHeaders]
      const chunks: Buffer[] = []
      for await (const chunk of requested) chunks.push(chunk as Buffer)
      return [Number(head[':status']), Buffer.concat(chunks).toString()]
    }
    expect(await exchange('GET', '/n/Categories(1)')).toEqual([
      200,
      expect.stringContaining('"uri":"http://h.example/n/Categories(1)"'),
    ])
    const all = await Promise.all([1, 2, 3].map((id) => exchange('GET', `/n/Categories(${id})/Name/$value`)))
    expect(all.map(([status]) => status)).toEqual([200, 200, 200])
    expect((await exchange('POST', '/n/Categories', '{"ID":90,"Name":"New"}'))[0]).toBe(201)
    expect((await exchange('MERGE', '/n/Categories(90)', '{"Name":"Newer"}'))[0]).toBe(204)
    expect(await exchange('GET', '/n/Categories(90)/Name/$value')).toEqual([200, 'Newer'])
    expect((await exchange('GET', '/n/Photos(1)/$value'))[1].length).toBeGreaterThan(0)
    expect((await exchange('POST', '/n/Categories', 'x'.repeat(1_100_000)))[0]).toBe(413)
    expect((await exchange('GET', '/n/Nothing'))[0]).toBe(404)
    client.close()
    server.close()
  })
})

describe('The health of services in Fastify, as in the guide', () => {
  it('MUST be ready', async () => {
    const { fastify } = guide()
    const { statusCode, body } = await fastify.inject({ url: '/health/ready' })
    expect([statusCode, body]).toEqual([200, '{"status":"ready"}'])
  })
})
