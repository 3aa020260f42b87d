import { once } from 'node:events'
import type { ClientHttp2Session, Http2Server } from 'node:http2'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { EntitySetProvider, Provider, Row, ServiceListener } from '../../lib/index.js'
import { memoryProvider, requestListener } from '../../lib/index.js'
import { Failures, gate, settled } from '../support/failures.js'
import { photoData, photoModel } from '../support/services/photo-service.js'

let server: Http2Server
let client: ClientHttp2Session
let service: ServiceListener
let failures: Failures

async function start(read: EntitySetProvider['read'], requestTime: number): Promise<void> {
  failures = new Failures()
  const { entitySets, ...rest } = memoryProvider(photoModel, photoData()) as unknown as Provider
  const Photos = { ...(entitySets.Photos as unknown as EntitySetProvider), render: undefined, read }
  const provider = { ...rest, entitySets: { ...entitySets, Photos } } as never
  const { onError } = failures
  service = requestListener(photoModel, provider, { onError, pageSize: 0, limits: { requestTime } })
  server = createServer(service).listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
}

afterEach(async () => {
  client.destroy()
  server.close()
  await settled()
})

/** The status of an answer and how many bytes it has; the number of bytes is negative when it was broken off. */
async function ask(path: string): Promise<readonly [status: unknown, bytes: number]> {
  const stream = client.request({ ':path': path })
  stream.on('error', () => undefined)
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  let bytes = 0
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await new Promise((resolve) => stream.once('close', resolve))
  return [headers[':status'], stream.rstCode === 0 ? bytes : -bytes]
}

const never = (): Promise<never> => new Promise(() => undefined)
const many = (from: number): Row[] =>
  Array.from({ length: 1_000 }, (_, index) => ({ ID: from + index, Title: 'x'.repeat(200) }))

describe('A service on HTTP/2', () => {
  it('MUST give up a provider that never answers', async () => {
    await start(never, 50)
    expect((await ask('/Photos'))[0]).toBe(503)
    expect((await ask('/Counters'))[0]).toBe(200)
  })

  it('MUST break off an answer that makes no progress, and no other of the connection', async () => {
    await start(async function* () {
      yield many(0)
      await never()
    }, 50)
    const [broken, [status]] = await Promise.all([ask('/Photos'), ask('/Counters')])
    expect(broken[0]).toBe(200)
    expect(broken[1]).toBeLessThan(0)
    expect(status).toBe(200)
    expect(failures.errors.map(({ code }) => code)).toEqual(['ServiceUnavailable'])
  })

  it('MUST break off an answer in the middle of which the provider fails', async () => {
    await start(async function* () {
      yield many(0)
      yield await Promise.resolve(many(1_000))
      throw new Error('lost')
    }, 0)
    const [status, bytes] = await ask('/Photos')
    expect(status).toBe(200)
    expect(bytes).toBeLessThan(0)
  })

  it('MUST let an answer go on for as long as it makes progress', async () => {
    await start(async function* () {
      for (let batch = 0; batch < 12; batch++) {
        await new Promise((resolve) => setTimeout(resolve, 30))
        yield many(batch * 1_000)
      }
    }, 200)
    const [status, bytes] = await ask('/Photos')
    expect(status).toBe(200)
    expect(bytes).toBeGreaterThan(2_400_000)
  })

  it('MUST finish what is in flight and refuse all else when it is closed', async () => {
    const [asked, allowed] = [gate(), gate()]
    await start(async () => {
      asked.open()
      await allowed.opened
      return many(0)
    }, 0)
    const running = ask('/Photos')
    await asked.opened
    const closed = service.close()
    expect((await ask('/Counters'))[0]).toBe(503)
    allowed.open()
    expect((await running)[0]).toBe(200)
    await closed
  })

  it('MUST refuse a body that is too large, without headers that HTTP/2 does not have', async () => {
    await start(never, 0)
    const warnings: Error[] = []
    const onWarning = (warning: Error): number => warnings.push(warning)
    process.on('warning', onWarning)
    const stream = client.request({
      ':path': '/Counters',
      ':method': 'POST',
      'content-type': 'application/json',
    })
    stream.on('error', () => undefined)
    stream.write(Buffer.alloc(2_000_000, ' '))
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    stream.resume()
    await once(stream, 'end')
    stream.close()
    await settled()
    process.off('warning', onWarning)
    expect([headers[':status'], headers.connection]).toEqual([413, undefined])
    expect(warnings).toEqual([])
    expect((await ask('/Counters'))[0]).toBe(200)
  })
})
