import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, createServer as createNodeServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Closable, EntitySetProvider, Provider } from '../../lib/index.js'
import { memoryProvider, odataV2, requestListener } from '../../lib/index.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures, gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { RawClient } from '../support/raw-client.js'
import { photoData, photoModel } from '../support/services/photo-service.js'

const hosts = ['Express', 'node:http'] as const
type Host = (typeof hosts)[number]

let server: TestServer
let service: Closable
let failures: Failures
let requested: ReturnType<typeof gate>
let allowed: ReturnType<typeof gate>
let signals: AbortSignal[]

/** Photos are delayed until the spec releases them; counters are read immediately. */
async function start(host: Host = 'Express'): Promise<void> {
  failures = new Failures()
  requested = gate()
  allowed = gate()
  signals = []
  const { entitySets, ...rest } = memoryProvider(photoModel, photoData()) as unknown as Provider
  const read: EntitySetProvider['read'] = async (_query, { signal }) => {
    signals.push(signal)
    requested.open()
    await allowed.opened
    return [{ ID: 1, Title: 'one' }]
  }
  const Photos = { ...(entitySets.Photos as unknown as EntitySetProvider), read }
  const provider = { ...rest, entitySets: { ...entitySets, Photos } } as never
  const options = { onError: failures.onError }
  if (host === 'node:http') {
    const listener = requestListener(photoModel, provider, { ...options, mountPath: '/p' })
    service = listener
    server = await TestServer.start(createNodeServer(listener))
  } else {
    const router = odataV2(photoModel, provider, options)
    service = router
    server = await TestServer.start(express().use('/p', router))
  }
}

afterEach(() => server.stop())

async function stateOf(promise: Promise<unknown>): Promise<string> {
  const done = promise.then(() => 'resolved')
  return Promise.race([done, turnEventLoop().then(() => 'pending')])
}

describe('A service that is closed', () => {
  it.each(hosts)('MUST finish pending requests and respond with 503 to all others: %s', async (host) => {
    await start(host)
    const running = server.send('/p/Photos?$format=json')
    await requested.opened
    const closed = service.close()
    const refused = await server.send('/p/Counters?$format=json')
    expect(refused.status).toBe(503)
    expect(refused.headers).toMatchObject({
      'retry-after': '5',
      connection: 'close',
      dataserviceversion: '2.0',
    })
    expect(JSON.parse(refused.text)).toMatchObject({
      error: {
        code: 'ServiceUnavailable',
        message: { value: 'The service is shutting down. Try again later.' },
      },
    })
    expect(await stateOf(closed)).toBe('pending')
    allowed.open()
    const response = await running
    expect([response.status, response.headers.connection]).toEqual([200, 'close'])
    await closed
    expect(service.close()).toBe(closed)
    expect(failures.errors).toEqual([])
  })

  it.each(hosts)('MUST resolve immediately when no request is pending: %s', async (host) => {
    await start(host)
    expect((await server.send('/p/Counters/$count')).text).toBe('1')
    await service.close({ timeout: 60_000 })
    expect((await server.send('/p/Counters/$count')).status).toBe(503)
  })

  it('MUST finish all parts of a batch that is in flight', async () => {
    await start()
    const part = (line: string): string =>
      `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${line} HTTP/1.1\r\n\r\n\r\n`
    const running = server.send('/p/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: `${part('GET Photos')}${part('GET Counters(1)')}--b--`,
    })
    await requested.opened
    const closed = service.close()
    allowed.open()
    const response = await running
    expect([...response.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
    ])
    await closed
  })

  it('MUST abort a request that takes too long, and its signal', async () => {
    await start()
    const running = server.send('/p/Photos')
    await requested.opened
    const closed = service.close()
    expect(service.close({ timeout: 20 })).toBe(closed)
    const response = await running
    expect([response.status, response.headers['retry-after']]).toEqual([503, '5'])
    await closed
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    allowed.open()
    await turnEventLoop()
    expect(failures.errors).toEqual([])
  })

  it('MUST read the body of a request that gets 503, so that the client receives the response', async () => {
    await start()
    await service.close()
    const body = Buffer.alloc(2_000_000, 'x')
    const response = await server.send('/p/Photos', {
      method: 'POST',
      headers: { 'Content-Type': 'image/png' },
      body,
    })
    expect(response.status).toBe(503)
    expect((await server.send('/p/Photos(1)/$value')).status).toBe(503)
  })

  it('MUST lose no request that is sent while others are under way', async () => {
    await start()
    const client = await RawClient.connect(server.port)
    await client.write(
      'GET /p/Photos HTTP/1.1\r\nHost: h\r\n\r\nDELETE /p/Photos(1) HTTP/1.1\r\nHost: h\r\n\r\n',
    )
    await requested.opened
    const closed = service.close()
    allowed.open()
    await client.end()
    await closed
    // Requests after the last response of a connection are not processed, as its `Connection` header tells
    // the client.
    expect(client.statuses).toEqual([200])
    expect(client.text).toContain('Connection: close')
  })

  it('MUST respond to each request of open connections with 200 or 503', async () => {
    await start('node:http')
    allowed.open()
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const statuses = new Set<number>()
    const one = async (): Promise<void> => {
      const sent = request({ host: '127.0.0.1', port: server.port, path: '/p/Photos', agent }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      statuses.add(response.statusCode ?? 0)
    }
    const loads = Array.from({ length: 8 }, async () => {
      for (let count = 0; count < 50; count++) await one()
    })
    await one()
    await service.close()
    await Promise.all(loads)
    agent.destroy()
    expect([...statuses].sort()).toEqual([200, 503])
  })

  it('MUST reject an invalid time', async () => {
    await start()
    expect(() => service.close({ timeout: -1 })).toThrow(
      new TypeError('close: timeout must be a number of milliseconds that is not negative.'),
    )
  })

  it('MUST allow the server of the application to close', async () => {
    await start('node:http')
    const own = createNodeServer(service as never).listen(0, '127.0.0.1')
    await once(own, 'listening')
    const { port } = own.address() as AddressInfo
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/p/Photos',
      agent: new Agent({ keepAlive: true }),
    }).end()
    await requested.opened
    own.close()
    const ended = once(own, 'close')
    const closed = service.close()
    allowed.open()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await closed
    await ended
    expect([response.statusCode, own.listening]).toEqual([200, false])
  })
})
