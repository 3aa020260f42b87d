import type { V4Options } from '../../../lib/v4.js'
import { openV4 } from '../../../lib/v4.js'
import type { Respond } from '../../support/v4/faulty-server.js'
import { FaultyServer, json } from '../../support/v4/faulty-server.js'

const entity = { ID: 1, Name: 'a', Big: '5', Day: '2024-05-01' }

describe('A V4 service that fails', () => {
  const upstream = new FaultyServer()

  beforeAll(() => upstream.start())
  afterAll(() => upstream.stop())
  beforeEach(() => upstream.reset())

  it.each<[what: string, respond: Respond]>([
    ['invalid JSON', json('{"value":[')],
    ['JSON that is not an object', json('[]')],
    ['no collection', json({ value: 7 })],
    ['an entity that is not an object', json({ value: [7] })],
    ['a string for a number', json({ value: [{ ...entity, ID: 'x' }] })],
    ['a rounded number', json(`{"value":[{"ID":1,"Big":9007199254740993}]}`)],
    ['an invalid date', json({ value: [{ ...entity, Day: 'today' }] })],
    ['status 500', json({ error: { message: 'select secret from t' } }, 500)],
    ['status 200 of HTML', json('<html></html>')],
    ['no such set', json({ error: {} }, 404)],
    [
      'a nextLink to another origin',
      json({ value: [entity], '@odata.nextLink': 'http://evil.example/v4/Items' }),
    ],
    ['a nextLink out of the service', json({ value: [entity], '@odata.nextLink': '/admin' })],
    ['a redirect to another origin', json('', 302, { location: 'http://evil.example/v4/Items' })],
    ['a redirect out of the service', json('', 302, { location: '/v4admin' })],
    ['a redirect without target', json('', 302)],
    ['a request of a proxy for credentials', json({ error: { message: 'Sign in.' } }, 407)],
  ])('MUST become an error of the upstream: %s', async (_what, respond) => {
    upstream.respond = respond
    const { status, text } = await upstream.send('/Items')
    expect([status, upstream.causes.join()]).toEqual([
      502,
      expect.stringMatching(/(?:V4|upstream) service|set 'Items'/),
    ])
    expect(text).not.toMatch(/secret|evil/)
    expect(upstream.received.every((one) => one.startsWith('GET /v4/Items'))).toBe(true)
  })

  it.each([
    [
      401,
      'status 401. The option `headers` must return credentials for it, too: it is called without a call.',
    ],
    [404, 'status 404.'],
  ])('MUST not be opened if its metadata has status %i', async (status, message) => {
    upstream.metadataStatus = status
    const opened = openV4(upstream.root)
    await expect(opened).rejects.toThrow(`The upstream service responds to GET $metadata with ${message}`)
    upstream.metadataStatus = 200
  })

  it('MUST get reads again once after its connection was reset', async () => {
    upstream.respond = (request, response) => {
      if (upstream.received.length === 1) request.socket.destroy()
      else json({ value: [entity] })(request, response)
    }
    expect((await upstream.send('/Items')).status).toBe(200)
    upstream.received.length = 0
    await upstream.reset()
    upstream.respond = (request) => request.socket.destroy()
    expect((await upstream.send('/Items')).status).toBe(502)
    expect(upstream.received).toHaveLength(2)
  })

  it('MUST become a time-out if it does not respond', async () => {
    upstream.respond = () => undefined
    expect((await upstream.send('/Items', { timeout: 100 })).status).toBe(504)
    expect(upstream.received).toHaveLength(1)
  })

  it('MUST not fill the memory with a response that is too large', async () => {
    upstream.respond = json({ value: Array.from({ length: 100 }, () => entity) })
    expect((await upstream.send('/Items', { maxBytes: 1_000 })).status).toBe(502)
    expect(upstream.causes.join()).toContain('maxBytes')
  })

  it('MUST cut the response when a later page is lost', async () => {
    upstream.respond = (request, response) => {
      if (upstream.received.length === 1)
        json({ value: [entity], '@odata.nextLink': 'Items?page=2' })(request, response)
      else request.socket.destroy()
    }
    const outcome = await upstream.send('/Items').then(
      ({ status }) => status,
      (error: unknown) => error,
    )
    expect(outcome === 502 || outcome instanceof Error).toBe(true)
  })

  it('MUST not be followed in circles of pages', async () => {
    upstream.respond = json({ value: [entity], '@odata.nextLink': 'Items?page=2' })
    const outcome = await upstream.send('/Items').then(({ status }) => status, String)
    expect(outcome).not.toBe(200)
    expect(upstream.received.length).toBeLessThan(6)
  })

  it('MUST not be followed from one page without entities to the next forever', async () => {
    upstream.respond = (request, response) => {
      const next = `Items?page=${String(upstream.received.length)}`
      json({ value: [], '@odata.nextLink': next })(request, response)
    }
    expect((await upstream.send('/Items')).status).toBe(502)
    expect(upstream.causes.join()).toContain('100 pages')
  })

  it.each([
    [503, '7', '7'],
    [429, '7', '7'],
    [503, new Date(0).toUTCString(), '0'],
    [503, 'later', undefined],
  ])('MUST have its status %i passed on with Retry-After: %s', async (code, given, expected) => {
    upstream.respond = json({ error: { message: 'secret' } }, code, { 'retry-after': given })
    const { status, headers, text } = await upstream.send('/Items')
    expect([status, headers['retry-after']]).toEqual([code, expected])
    if (code === 503) expect(text).not.toContain('secret')
  })

  it('MUST have its errors of the client passed on, with its challenge', async () => {
    upstream.respond = json({ error: { code: 'X', message: 'Sign in.' } }, 401, {
      'www-authenticate': 'Bearer realm="x"',
    })
    const { status, headers, text } = await upstream.send('/Items(1)')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="x"'])
    expect(text).toContain('Sign in.')
  })

  it.each<[what: string, responses: readonly object[] | number, status: number]>([
    ...[404, 406, 415, 501].map((code): [string, number, number] => [
      `that it accepts no batches, by status ${code}`,
      code,
      501,
    ]),
    ['its error in a batch that it accepts in no format', 400, 400],
    [
      'the cause of a change set that failed, and not what depends on it',
      [
        { id: '1', status: 424, body: {} },
        { id: '2', status: 409, body: { error: { code: 'DUP', message: 'It exists.' } } },
      ],
      409,
    ],
    ...['id', 'atomicityGroup'].map((member): [string, readonly object[], number] => [
      `the error of the group, by its ${member}`,
      [{ [member]: 'changes', status: 409, body: { error: { code: 'DUP', message: 'It exists.' } } }],
      409,
    ]),
    ['a failure if a response has no status', [{ id: '1' }, { id: '2', status: 204 }], 502],
  ])('MUST report %s', async (_, responses, status) => {
    upstream.respond = typeof responses === 'number' ? json({}, responses) : json({ responses })
    const changes = [1, 2].flatMap((key) => [
      '--c',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      `DELETE Items(${String(key)}) HTTP/1.1`,
      '',
      '',
    ])
    const body = [
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      ...changes,
      '--c--',
      '--b--',
      '',
    ].join('\r\n')
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const { text } = await upstream.send('/$batch', {}, { method: 'POST', headers, body })
    expect(text).toContain(`HTTP/1.1 ${String(status)} `)
    const formats = upstream.headers.map((one) => one['content-type']?.split(';')[0])
    expect(formats).toEqual([
      'application/json',
      ...(typeof responses === 'number' ? ['multipart/mixed'] : []),
    ])
  })

  it('MUST not get a form of a query again that it has refused', async () => {
    upstream.respond = (request, response) => {
      const isRefused = request.url?.includes('contains') === true
      if (isRefused) json({ error: { message: 'no functions' } }, 501)(request, response)
      else json({ value: [entity, { ...entity, ID: 2, Name: 'b' }] })(request, response)
    }
    const { status, text } = await upstream.send("/Items?$filter=substringof('b',Name)&$select=ID")
    expect(status).toBe(200)
    const keys = (JSON.parse(text) as { d: { results: { ID: number }[] } }).d.results.map(({ ID }) => ID)
    expect(keys).toEqual([2])
    await upstream.send("/Items?$filter=substringof('a',Name)")
    expect(upstream.received.filter((one) => one.includes('contains'))).toHaveLength(1)
  })

  it('MUST get no strings to sort by that CAP sorts by a collation, but compares without it', async () => {
    upstream.respond = json({ value: [] })
    await upstream.send('/Items?$orderby=Name%20desc', { dialect: 'cap' })
    expect(upstream.received).toEqual([expect.stringContaining("$orderby=concat(Name,'') desc,ID&")])
  })

  it('MUST get queries that are too long for a URL in a batch', async () => {
    upstream.respond = json({ responses: [{ id: '1', status: 200, body: { value: [entity] } }] })
    const names = Array.from({ length: 400 }, (_, index) => `Name eq 'name ${String(index)}'`)
    const filter = encodeURIComponent(names.join(' or '))
    const batch = [
      '--b',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      `GET Items?$filter=${filter} HTTP/1.1`,
      'Accept: application/json',
      '',
      '',
      '--b--',
      '',
    ].join('\r\n')
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const { text } = await upstream.send('/$batch', {}, { method: 'POST', headers, body: batch })
    expect(text).toContain('"Name":"a"')
    expect(upstream.received).toEqual(['POST /v4/$batch'])
  })

  it('MUST get the headers of the option for each request, and those of the client never', async () => {
    upstream.respond = json({ value: [] })
    await upstream.send('/Items', {
      headers: (call) => ({ authorization: call === undefined ? 'start' : 'caller' }),
    })
    expect(upstream.headers.map(({ authorization }) => authorization)).toEqual(['caller'])
    expect(upstream.headers.map((one) => one['accept-language'])).toEqual(['en'])
  })

  it('MUST become an error of the start if its metadata cannot be read', async () => {
    await expect(openV4('ftp://example.org')).rejects.toThrow(/http/)
    await expect(openV4('http://user:secret@example.org/')).rejects.toThrow(/credentials/)
    await expect(openV4(upstream.root, { timeOut: 1 } as V4Options)).rejects.toThrow(/timeOut/)
    await expect(openV4(new URL('/none/', upstream.root))).resolves.toBeDefined()
  })
})
