import cors from 'cors'
import express from 'express'
import type { ODataV2Options } from '../../lib/index.js'
import { CsrfTokens, CSRF_TOKEN_LIFETIME_MS } from '../../lib/http/csrf-token.js'
import { batchBody, get, postBatch, written } from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

const token = /^[0-9a-z]+\.[\w-]{22}\.[\w-]{43}$/

describe('A token', () => {
  const tokens = new CsrfTokens({})

  it('MUST be valid for its session for four hours', () => {
    const issued = tokens.issue('ann', 1_000_000)
    expect(CSRF_TOKEN_LIFETIME_MS).toBe(14_400_000)
    expect(issued).toMatch(token)
    expect(tokens.isValid(issued, 'ann', 1_000_000)).toBe(true)
    expect(tokens.isValid(issued, 'ann', 15_400_000)).toBe(true)
    expect(tokens.isValid(issued, 'ann', 15_400_001)).toBe(false)
  })

  it('MUST not be valid for another session, nor with another key', () => {
    const issued = tokens.issue('ann')
    expect(tokens.isValid(issued, 'bob')).toBe(false)
    expect(new CsrfTokens({}).isValid(issued, 'ann')).toBe(false)
  })

  it('MUST be valid in every process that has the secret', () => {
    const secret = 'sixteen letters!'
    expect(new CsrfTokens({ secret }).isValid(new CsrfTokens({ secret }).issue('ann'), 'ann')).toBe(true)
  })

  it('MUST be invalid after any modification', () => {
    const issued = tokens.issue('ann')
    for (let index = 0; index < issued.length; index++) {
      const other = issued[index] === 'a' ? 'b' : 'a'
      expect(tokens.isValid(issued.slice(0, index) + other + issued.slice(index + 1), 'ann')).toBe(false)
    }
    for (const wrong of ['', '.', 'Fetch', `${issued}x`, issued.slice(1), `${issued}\u00e4`, ` ${issued}`]) {
      expect(tokens.isValid(wrong, 'ann')).toBe(false)
    }
  })
})

describe('A service that demands tokens', () => {
  let server: TestServer
  afterEach(() => server.stop())

  async function start(options: ODataV2Options = {}): Promise<void> {
    const service = exampleService({ readOnly: false, csrf: true, ...options })
    server = await TestServer.start(express().use('/n', service))
  }

  async function fetchToken(headers: Record<string, string> = {}): Promise<string> {
    const response = await server.send('/n/', { headers: { 'X-CSRF-Token': 'Fetch', ...headers } })
    return String(response.headers['x-csrf-token'])
  }

  const merge = (headers: Record<string, string>) =>
    server.send('/n/Categories(1)', {
      method: 'MERGE',
      body: '{"Note":"x"}',
      headers: { 'Content-Type': 'application/json', ...headers },
    })

  it.each([
    ['GET', '/n/', 'Fetch', 200],
    ['HEAD', '/n/', 'fetch', 200],
    ['GET', '/n/$metadata', 'FETCH', 200],
    ['HEAD', '/n/$metadata', 'Fetch', 200],
    ['GET', '/n/Categories?$top=1', 'Fetch', 200],
    ['GET', '/n/Photos(1)/$value', 'Fetch', 200],
    ['GET', '/n/Total', 'Fetch', 200],
    ['GET', '/n/Categories(99)', 'Fetch', 404],
  ])('MUST return one to %s %s with x-csrf-token: %s', async (method, target, requested, status) => {
    await start()
    const response = await server.send(target, { method, headers: { 'x-csrf-token': requested } })
    expect(response.status).toBe(status)
    expect(response.headers['x-csrf-token']).toMatch(token)
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('MUST return none unless requested', async () => {
    await start()
    expect((await server.send('/n/')).headers).not.toHaveProperty('x-csrf-token')
    const { headers } = await server.send('/n/', { headers: { 'x-csrf-token': 'something' } })
    expect(headers).not.toHaveProperty('x-csrf-token')
  })

  it.each(['POST', 'PUT', 'MERGE', 'PATCH', 'DELETE'])('MUST reject %s without one', async (method) => {
    await start()
    for (const headers of [{}, { 'x-csrf-token': 'Fetch' }, { 'x-csrf-token': 'made.up' }]) {
      const response = await server.send('/n/Categories(1)', {
        method,
        headers: { Accept: 'application/json', ...headers },
      })
      expect([response.status, response.headers['x-csrf-token']]).toEqual([403, 'Required'])
      expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'Forbidden' } })
    }
    expect((await server.send('/n/Categories(1)')).status).toBe(200)
  })

  it('MUST reject batches and functions by POST without one, regardless of their parts', async () => {
    await start()
    const held = await fetchToken()
    const body = batchBody(written('DELETE Categories(4)', '', { 'x-csrf-token': held }))
    const { status, headers } = await postBatch(server.port, body)
    expect([status, headers['x-csrf-token']]).toEqual([403, 'Required'])
    expect((await server.send('/n/Raise?pct=1d', { method: 'POST' })).status).toBe(403)
  })

  it('MUST accept write requests with a token; parts of a batch need none', async () => {
    await start()
    const held = await fetchToken()
    expect((await merge({ 'x-csrf-token': held })).status).toBe(204)
    expect((await merge({ 'x-csrf-token': held })).status).toBe(204)
    const { status, text } = await postBatch(
      server.port,
      batchBody([written('DELETE Categories(4)')], get('Total')),
      { 'x-csrf-token': held },
    )
    expect([status, text.includes('204 No Content')]).toEqual([202, true])
  })

  it('MUST accept reads, functions by GET, and OPTIONS without one', async () => {
    await start()
    expect((await server.send('/n/Total')).status).toBe(200)
    expect((await server.send('/n/Categories(1)', { method: 'OPTIONS' })).status).toBe(204)
    expect((await server.send('/n/Categories(1)', { method: 'PROPFIND' })).status).toBe(501)
  })

  it('MUST reject one that was fetched with other credentials', async () => {
    await start()
    const [ann, bob] = ['Basic YW5uOng=', 'Basic Ym9iOng=']
    const held = await fetchToken({ Authorization: ann })
    expect((await merge({ 'x-csrf-token': held, Authorization: bob })).status).toBe(403)
    expect((await merge({ 'x-csrf-token': held })).status).toBe(403)
    expect((await merge({ 'x-csrf-token': held, Cookie: 'session=1' })).status).toBe(403)
    expect((await merge({ 'x-csrf-token': await fetchToken(), Authorization: ann })).status).toBe(403)
    expect((await merge({ 'x-csrf-token': held, Authorization: ann, Cookie: 'other=1' })).status).toBe(204)
  })

  /** Fetches a token, with the cookie that the response sets. */
  async function fetchWithCookie(
    headers: Record<string, string> = {},
  ): Promise<{ readonly held: string; readonly cookies: readonly string[] }> {
    const response = await server.send('/n/', { headers: { 'x-csrf-token': 'Fetch', ...headers } })
    const cookies = response.headers['set-cookie'] ?? []
    return {
      held: String(response.headers['x-csrf-token']),
      cookies: cookies.map((set) => set.split(';')[0] ?? ''),
    }
  }

  it('MUST reject one that was fetched by another client with cookies', async () => {
    await start()
    const { held, cookies } = await fetchWithCookie({ Cookie: 'session=1' })
    const other = await fetchWithCookie({ Cookie: 'session=2' })
    expect((await merge({ 'x-csrf-token': held, Cookie: 'session=1' })).status).toBe(403)
    expect(
      (await merge({ 'x-csrf-token': held, Cookie: `session=1; ${String(other.cookies)}` })).status,
    ).toBe(403)
    expect(
      (await merge({ 'x-csrf-token': other.held, Cookie: `session=1; ${String(cookies)}` })).status,
    ).toBe(403)
    expect((await merge({ 'x-csrf-token': held, Cookie: `session=1; ${String(cookies)}` })).status).toBe(204)
  })

  it('MUST accept one that was fetched without cookies, together with the cookies of that response', async () => {
    const service = exampleService({ readOnly: false, csrf: true })
    const app = express().use(
      (_req, res, next) => {
        res.cookie('session', 'new')
        next()
      },
      express.Router().use('/n', service),
    )
    server = await TestServer.start(app)
    const { held, cookies } = await fetchWithCookie()
    expect(cookies).toEqual(['session=new', expect.stringMatching(/^odata-csrf=[\w-]{22}$/)])
    // Some clients join cookies without a blank.
    expect((await merge({ 'x-csrf-token': held, Cookie: cookies.join(';') })).status).toBe(204)
    expect((await merge({ 'x-csrf-token': held, Cookie: [...cookies, 'later=1'].join('; ') })).status).toBe(
      204,
    )
  })

  it('MUST accept all tokens that were fetched with one cookie', async () => {
    await start()
    const { held, cookies } = await fetchWithCookie()
    const again = await fetchWithCookie({ Cookie: cookies.join('; ') })
    expect(again.cookies).toEqual([])
    for (const one of [held, again.held]) {
      expect((await merge({ 'x-csrf-token': one, Cookie: cookies.join('; ') })).status).toBe(204)
    }
  })

  it.each(['odata-csrf=short', 'odata-csrf=', 'odata-csrf', 'x-odata-csrf=0123456789012345678901'])(
    'MUST replace the invalid cookie %s',
    async (Cookie) => {
      await start()
      const { held, cookies } = await fetchWithCookie({ Cookie })
      expect(cookies).toHaveLength(1)
      expect((await merge({ 'x-csrf-token': held, Cookie })).status).toBe(403)
      expect((await merge({ 'x-csrf-token': held, Cookie: cookies.join('; ') })).status).toBe(204)
    },
  )

  it('MUST have a cookie that only this host can set if the URL of the service is https', async () => {
    await start({ serviceRoot: 'https://h.example/n/' })
    const response = await server.send('/n/', { headers: { 'x-csrf-token': 'Fetch' } })
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-odata-csrf=[\w-]{22}; Path=\/; HttpOnly; Secure; SameSite=None$/),
    ])
  })

  it('MUST use the session that the application returns', async () => {
    await start({ csrf: { session: (req) => req.get('x-user') ?? '' } })
    const { held, cookies } = await fetchWithCookie({ 'x-user': 'ann', Cookie: 'a=1' })
    expect(cookies).toEqual([])
    expect((await merge({ 'x-csrf-token': held, 'x-user': 'ann', Cookie: 'a=2' })).status).toBe(204)
    expect((await merge({ 'x-csrf-token': held, 'x-user': 'bob', Cookie: 'a=1' })).status).toBe(403)
  })

  it('MUST respond with 500 and call onError when csrf.session does not return a string', async () => {
    const failures = new Failures()
    const session = (): string => undefined as unknown as string
    await start({ csrf: { session }, onError: failures.onError })
    expect((await merge({})).status).toBe(500)
    expect(failures.causes).toEqual([new TypeError("csrf.session must return a string; '' without session.")])
  })

  it('MUST stay as it was without the option', async () => {
    await start({ csrf: false })
    expect((await merge({})).status).toBe(204)
    expect((await server.send('/n/', { headers: { 'x-csrf-token': 'Fetch' } })).headers).not.toHaveProperty(
      'x-csrf-token',
    )
  })
})

describe('A page of another origin', () => {
  const origin = 'https://app.example.org'
  let server: TestServer
  beforeEach(async () => {
    const forBrowsers = cors({
      origin,
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'MERGE', 'DELETE'],
      exposedHeaders: ['DataServiceVersion', 'ETag', 'Location', 'DataServiceId', 'x-csrf-token'],
    })
    server = await TestServer.start(
      express().use('/n', forBrowsers, exampleService({ readOnly: false, csrf: true })),
    )
  })
  afterEach(() => server.stop())

  it('MUST be allowed to send changes with a token, and to read it', async () => {
    const requested = await server.send('/n/Categories(1)', {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'MERGE',
        'Access-Control-Request-Headers': 'content-type,x-csrf-token,if-match',
      },
    })
    expect(requested.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,MERGE,DELETE',
      'access-control-allow-headers': 'content-type,x-csrf-token,if-match',
    })
    const given = await server.send('/n/', { headers: { Origin: origin, 'x-csrf-token': 'Fetch' } })
    expect(given.headers['access-control-expose-headers']).toContain('x-csrf-token')
    expect(given.headers['x-csrf-token']).toMatch(token)
    expect(given.headers.vary).toBe('Origin, Accept')
  })

  it('MUST receive x-csrf-token: Required', async () => {
    const { status, headers } = await server.send('/n/Categories(1)', {
      method: 'DELETE',
      headers: { Origin: origin },
    })
    expect([status, headers['x-csrf-token']]).toEqual([403, 'Required'])
    expect(headers['access-control-allow-origin']).toBe(origin)
  })
})

describe('The option csrf', () => {
  it.each([
    ['yes', 'csrf must be true, false, or an object such as'],
    [{ secrets: 'x' }, "'csrf.secrets' is not an option. Did you mean 'secret'?"],
    [{ secret: 'short' }, 'csrf.secret must be a string of at least 16 characters'],
    [{ secret: undefined }, 'csrf.secret must be a string of at least 16 characters'],
    [{ session: 'id' }, 'csrf.session must be a function'],
  ])('MUST be rejected at start-up when it is %j', (csrf, message) => {
    expect(() => exampleService({ csrf: csrf as never })).toThrow(message)
  })
})
