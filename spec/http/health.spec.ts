import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Closable, HealthOptions, Provider } from '../../lib/index.js'
import { fileModel, fileProvider, health, memoryProvider, odataV2, requestListener } from '../../lib/index.js'
import { expressVersions } from '../support/express-versions.js'
import { gate } from '../support/failures.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { photoData, photoModel } from '../support/services/photo-service.js'
import { until } from '../support/until.js'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** A slow machine must not fail. */
const patient: HealthOptions = { timeout: 60_000 }

async function probe(source: Parameters<typeof health>[0], options = patient): Promise<HttpResponse> {
  const handle = health(source, options)
  await server?.stop()
  server = await TestServer.start(createServer(handle))
  return server.send('/health/ready')
}

function stateOf({ status, text }: HttpResponse): unknown {
  return [status, JSON.parse(text)]
}

const photos = memoryProvider(photoModel, photoData())
/** A provider with another check. */
function photosWith(check: NonNullable<Provider['check']>): typeof photos {
  return { ...photos, check }
}

type Hosted = readonly [listener: RequestListener, service: Closable]
const hosts: readonly (readonly [name: string, (provider: typeof photos) => Hosted])[] = [
  ...expressVersions.map(
    ([name, express]) =>
      [
        name,
        (provider: typeof photos): Hosted => {
          const service = odataV2(photoModel, provider)
          return [express().use('/health', health(service, patient)).use('/p', service), service]
        },
      ] as const,
  ),
  [
    'node:http',
    (provider) => {
      const service = requestListener(photoModel, provider, { mountPath: '/p' })
      const healthy = health(service, patient)
      return [
        (req, res) => {
          if (req.url?.startsWith('/health') === true) healthy(req, res)
          else service(req, res)
        },
        service,
      ]
    },
  ],
]

describe.each(hosts)('The health of a service in %s', (_name, host) => {
  it('MUST be ready until it is closed, and live all the time', async () => {
    const [listener, service] = host(photos)
    server = await TestServer.start(listener)
    const ready = await server.send('/health/ready')
    expect([ready.status, ready.text]).toEqual([200, '{"status":"ready"}'])
    expect(ready.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' })
    expect(stateOf(await server.send('/health'))).toEqual([200, { status: 'ready' }])
    await service.close()
    expect(stateOf(await server.send('/health/ready'))).toEqual([503, { status: 'draining' }])
    expect(stateOf(await server.send('/health/live?verbose'))).toEqual([200, { status: 'live' }])
  })

  it('MUST be draining during the delay of close(), in which requests are served on their last connection', async () => {
    const [listener, service] = host(photos)
    server = await TestServer.start(listener)
    const closed = service.close({ delay: 600_000 })
    expect(stateOf(await server.send('/health/ready'))).toEqual([503, { status: 'draining' }])
    const served = await server.send('/p/Photos/$count')
    expect([served.status, served.headers.connection]).toEqual([200, 'close'])
    expect(service.close()).toBe(closed)
    expect((await server.send('/p/Photos/$count')).status).toBe(503)
    await closed
  })

  it('MUST be unavailable while the provider fails, without its message', async () => {
    let isFailing = true
    const [listener] = host(
      photosWith(() => {
        if (isFailing) throw new Error('password=secret')
      }),
    )
    server = await TestServer.start(listener)
    expect(stateOf(await server.send('/health/ready'))).toEqual([503, { status: 'unavailable' }])
    isFailing = false
    expect(stateOf(await server.send('/health/ready'))).toEqual([200, { status: 'ready' }])
  })
})

describe('The health handler', () => {
  it('MUST respond to HEAD without a body, and refuse other methods', async () => {
    await probe(photos)
    const head = await server?.send('/ready', { method: 'HEAD' })
    expect([head?.status, head?.text, head?.headers['content-length']]).toEqual([200, '', '18'])
    const post = await server?.send('/ready', { method: 'POST' })
    expect([post?.status, post?.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('MUST abort the check of a provider after the time limit, and not start another one', async () => {
    const release = gate()
    const signals: AbortSignal[] = []
    const errors: unknown[] = []
    const slow = photosWith(({ signal }) => {
      signals.push(signal)
      return release.opened
    })
    const options: HealthOptions = { timeout: 5, onFailure: (error) => errors.push(error) }
    expect(stateOf(await probe(slow, options))).toEqual([503, { status: 'unavailable' }])
    expect(stateOf((await server?.send('/ready')) as HttpResponse)).toEqual([503, { status: 'unavailable' }])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(errors.map(String)).toEqual(['Error: The provider did not respond within 5 ms.'])
    release.open()
    await until(async () => (await server?.send('/ready'))?.status === 200)
  })

  it('MUST check a provider once for all probes that arrive meanwhile', async () => {
    const release = gate()
    let checks = 0
    const handler = health([
      photosWith(() => {
        checks++
        return release.opened
      }),
      photos,
    ])
    const states = [handler.status(), handler.status(), handler.status()]
    release.open()
    expect([await Promise.all(states), checks]).toEqual([['ready', 'ready', 'ready'], 1])
  })

  it.each<[unknown, HealthOptions, string]>([
    [{}, {}, 'must be a service of odataV2 or requestListener, or a provider'],
    [[], {}, 'there is no service to observe'],
    [() => undefined, {}, 'must be a service of odataV2'],
    [photos, { timeout: 0 }, 'timeout must be a positive number'],
    [photos, { timeOut: 5 } as HealthOptions, "Did you mean 'timeout'?"],
  ])('MUST refuse wrong arguments at the start: %j %j', (source, options, message) => {
    expect(() => health(source as never, options)).toThrow(message)
  })
})

describe('The built-in providers', () => {
  it('MUST be unavailable while the root of the files is gone', async () => {
    const root = mkdtempSync(join(tmpdir(), 'health-'))
    const files = fileProvider(root)
    expect((await probe(odataV2(fileModel, files))).status).toBe(200)
    rmSync(root, { recursive: true })
    expect((await probe(files)).status).toBe(503)
  })
})
