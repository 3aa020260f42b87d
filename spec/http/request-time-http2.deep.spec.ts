import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { EntitySetProvider } from '../../lib/index.js'
import { gate } from '../support/failures.js'
import { Http2Service, manyPhotos } from '../support/http2-service.js'
import { scaleTimers } from '../support/scale-timers.js'

let host: Http2Service

async function start(read: EntitySetProvider['read'], requestTime: number): Promise<void> {
  host = await Http2Service.start(() => ({ read }), { requestTime })
}

afterEach(() => host.close())

/** Returns the status of a response and the length of its body, which is negative for an aborted response. */
async function send(path: string): Promise<readonly [status: unknown, bytes: number]> {
  const stream = host.request(path)
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  let bytes = 0
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await new Promise((resolve) => stream.once('close', resolve))
  return [headers[':status'], stream.rstCode === 0 ? bytes : -bytes]
}

const never = (): Promise<never> => new Promise(() => undefined)

describe('A service on HTTP/2', () => {
  // The service waits a second for the rest of a body that it refuses.
  scaleTimers(0.05)

  it('MUST abort a provider that never responds', async () => {
    await start(never, 50)
    expect((await send('/Photos'))[0]).toBe(503)
    expect((await send('/Counters'))[0]).toBe(200)
  })

  it('MUST abort a response without progress, and no other of the connection', async () => {
    await start(async function* () {
      yield manyPhotos(0)
      await never()
    }, 50)
    const [broken, [status]] = await Promise.all([send('/Photos'), send('/Counters')])
    expect(broken[0]).toBe(200)
    expect(broken[1]).toBeLessThan(0)
    expect(status).toBe(200)
    expect(host.failures.errors.map(({ code }) => code)).toEqual(['ServiceUnavailable'])
  })

  it('MUST abort a response when the provider fails', async () => {
    await start(async function* () {
      yield manyPhotos(0)
      yield await Promise.resolve(manyPhotos(1_000))
      throw new Error('lost')
    }, 0)
    const [status, bytes] = await send('/Photos')
    expect(status).toBe(200)
    expect(bytes).toBeLessThan(0)
  })

  it('MUST not abort a response that makes progress', async () => {
    await start(async function* () {
      for (let batch = 0; batch < 12; batch++) {
        // Together longer than the limit, each much shorter. The event loop is as late for these as for the limit.
        await delay(15)
        yield manyPhotos(batch * 1_000)
      }
    }, 100)
    const [status, bytes] = await send('/Photos')
    expect(status).toBe(200)
    expect(bytes).toBeGreaterThan(2_400_000)
  })

  it('MUST complete pending requests and reject new ones when it is closed', async () => {
    const [requested, allowed] = [gate(), gate()]
    await start(async () => {
      requested.open()
      await allowed.opened
      return manyPhotos(0)
    }, 0)
    const running = send('/Photos')
    await requested.opened
    const closed = host.service.close()
    expect((await send('/Counters'))[0]).toBe(503)
    allowed.open()
    expect((await running)[0]).toBe(200)
    await closed
  })

  it('MUST reject a body that is too large, without headers that HTTP/2 does not have', async () => {
    await start(never, 0)
    const warnings: Error[] = []
    const onWarning = (warning: Error): number => warnings.push(warning)
    process.on('warning', onWarning)
    const stream = host.request('/Counters', { ':method': 'POST', 'content-type': 'application/json' })
    stream.write(Buffer.alloc(2_000_000, ' '))
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    stream.resume()
    await once(stream, 'end')
    stream.close()
    await host.waitForClosedStreams()
    process.off('warning', onWarning)
    expect([headers[':status'], headers.connection]).toEqual([413, undefined])
    expect(warnings).toEqual([])
    expect((await send('/Counters'))[0]).toBe(200)
  })
})
