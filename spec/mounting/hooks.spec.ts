import { ODataError } from '../../lib/index.js'
import { expressVersions } from '../support/express-versions.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleData, exampleService, exampleServiceWith } from '../support/services/example-service.js'

describe.each(expressVersions)('Hooks in %s', (_version, express) => {
  let server: TestServer
  let failures: Failures
  beforeEach(() => {
    failures = new Failures()
  })
  afterEach(() => server.stop())

  async function start(service: ReturnType<typeof exampleService>): Promise<void> {
    const app = express()
    app.use('/n', service)
    app.use(
      (_error: unknown, _req: unknown, res: { statusCode: number; end: () => void }, _next: unknown) => {
        res.statusCode = 599
        res.end()
      },
    )
    server = await TestServer.start(app)
  }

  it('`context` that rejects MUST result in an error document, not in a hanging request or an error of Express', async () => {
    const cause = new Error('session store is down')
    await start(exampleService({ onError: failures.onError, context: () => Promise.reject(cause) }))
    for (const target of [
      '/n/Categories',
      '/n/Categories(1)',
      '/n/Categories/$count',
      '/n/Photos(1)/$value',
      '/n/Total',
    ]) {
      const { status, headers, text } = await server.send(target)
      expect([status, headers['content-type']]).toEqual([500, 'application/xml;charset=utf-8'])
      expect(text).not.toContain('session')
    }
    expect(failures.causes).toEqual(Array(5).fill(cause))
  })

  it('`context` that rejects with a client error MUST preserve its status, without calling onError', async () => {
    const expired = Object.assign(new Error('Your session has expired.'), { status: 401, expose: true })
    await start(exampleService({ onError: failures.onError, context: () => Promise.reject(expired) }))
    const { status, text } = await server.send('/n/Categories')
    expect([status, text]).toEqual([401, expect.stringContaining('Your session has expired.')])
    expect(failures.errors).toEqual([])
  })

  it('`context` MUST be called once for each request that accesses data, and not for others', async () => {
    let calls = 0
    await start(exampleService({ context: () => ++calls }))
    const expected: [string, number][] = [
      ['/n/Categories?$expand=Products/Category&$inlinecount=allpages', 1],
      ['/n/Products(1)/Category', 1],
      ['/n/Products(1)/Price/$value', 1],
      ['/n/Categories(1)/$links/Products', 1],
      ['/n/Photos(1)/$value', 1],
      ['/n/ByRating?min=1', 1],
      ['/n/', 0],
      ['/n/$metadata', 0],
      ['/n/Nothing', 0],
    ]
    for (const [target, count] of expected) {
      calls = 0
      await server.send(target)
      expect([target, calls]).toEqual([target, count])
    }
  })

  it('`context` MUST be passed to provider and functions, with the custom query options', async () => {
    const seen: unknown[] = []
    const set = {
      read: (_query: unknown, call: { context: unknown; customOptions: unknown }) => {
        seen.push(call.context, call.customOptions)
        return exampleData.Lines
      },
    }
    const context = async (req: { headers: Record<string, unknown> }): Promise<unknown> => ({
      user: req.headers['x-user'],
    })
    await start(exampleServiceWith('Lines', set, { context }))
    await server.send('/n/Lines?sap-language=DE&$top=1&x=1&x=2', { headers: { 'X-User': 'ann' } })
    expect(seen).toEqual([
      { user: 'ann' },
      [
        ['sap-language', 'DE'],
        ['x', '1'],
        ['x', '2'],
      ],
    ])
  })

  it('a provider that throws or rejects MUST result in an error document, and in a call of onError with the cause', async () => {
    const cause = new Error('no connection to db://secret')
    for (const read of [
      () => Promise.reject(cause),
      () => {
        throw cause
      },
    ]) {
      failures = new Failures()
      await start(exampleServiceWith('Lines', { read }, { onError: failures.onError }))
      const { status, text } = await server.send('/n/Lines', { headers: { Accept: 'application/json' } })
      expect([status, text.includes('secret')]).toEqual([500, false])
      expect(failures.causes).toEqual([cause])
      expect(failures.errors[0]).toBeInstanceOf(ODataError)
      await server.stop()
    }
    await start(exampleService())
  })
})
