import { expressVersions } from '../support/express-versions.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

const host = { Host: 'inner.example:3000' }

describe.each(expressVersions)('Behind a proxy, in %s', (_version, express) => {
  const servers = new Map<string, TestServer>()
  const settings: readonly (readonly [string, unknown])[] = [
    ['untrusted', undefined],
    ['trusted', true],
    ['loopback', 'loopback'],
    ['one hop', 1],
    ['another', '10.0.0.1'],
    ['two hops', ['loopback', '10.0.0.1']],
  ]
  beforeAll(async () => {
    for (const [name, trust] of settings) {
      const app = express()
      if (trust !== undefined) app.set('trust proxy', trust)
      app.use('/n', exampleService({ forwardedPrefix: true }))
      app.use('/plain', exampleService())
      servers.set(name, await TestServer.start(app))
    }
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.stop()
  })

  async function rootBehind(name: string, headers: Record<string, string>): Promise<string | number> {
    const response = await servers.get(name)?.send('/n/', { headers })
    if (response?.status !== 200) return response?.status ?? 0
    return /xml:base="([^"]*)"/.exec(response.text)?.[1] ?? ''
  }

  const forwarded = {
    ...host,
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'public.example',
    'X-Forwarded-Prefix': '/outer',
  }

  it.each(['trusted', 'loopback', 'one hop'])('MUST use its headers if it is %s', async (name) => {
    expect(await rootBehind(name, forwarded)).toBe('https://public.example/outer/n/')
  })

  it.each(['untrusted', 'another'])('MUST ignore its headers if it is %s', async (name) => {
    expect(await rootBehind(name, forwarded)).toBe('http://inner.example:3000/n/')
  })

  it.each<[Record<string, string>, string | number]>([
    [{ 'X-Forwarded-Proto': 'https' }, 'https://inner.example:3000/n/'],
    [{ 'X-Forwarded-Proto': 'HTTPS' }, 'https://inner.example:3000/n/'],
    // With one proxy, the value that it has appended.
    [{ 'X-Forwarded-Proto': 'https, http' }, 'http://inner.example:3000/n/'],
    [{ 'X-Forwarded-Proto': 'http,https' }, 'https://inner.example:3000/n/'],
    [{ 'X-Forwarded-Host': 'public.example:8443' }, 'http://public.example:8443/n/'],
    [{ 'X-Forwarded-Host': 'client.example, proxy.example' }, 'http://proxy.example/n/'],
    [{ 'X-Forwarded-Host': '' }, 'http://inner.example:3000/n/'],
    [{ 'X-Forwarded-Host': '[2001:db8::1]:80' }, 'http://[2001:db8::1]:80/n/'],
    [{ 'X-Forwarded-Prefix': '/a' }, 'http://inner.example:3000/a/n/'],
    [{ 'X-Forwarded-Prefix': '/a/b/' }, 'http://inner.example:3000/a/b/n/'],
    [{ 'X-Forwarded-Prefix': '/a, /b' }, 'http://inner.example:3000/b/n/'],
    [{ 'X-Forwarded-Prefix': '/' }, 'http://inner.example:3000/n/'],
    [{ 'X-Forwarded-Prefix': '' }, 'http://inner.example:3000/n/'],
    [{ 'X-Forwarded-Prefix': '/a&b' }, 'http://inner.example:3000/a%26b/n/'],
    [{ 'X-Forwarded-Prefix': '/a%20b' }, 'http://inner.example:3000/a%20b/n/'],
  ])('MUST apply %j', async (headers, root) => {
    expect(await rootBehind('trusted', { ...host, ...headers })).toBe(root)
  })

  it('MUST ignore X-Forwarded-Prefix without the option forwardedPrefix, since most proxies pass on any', async () => {
    const response = await servers.get('trusted')?.send('/plain/', { headers: forwarded })
    expect(response?.text).toContain('xml:base="https://public.example/plain/"')
  })

  it.each([
    // The service trusts the connection and 10.0.0.1: 203.0.113.9 is the client.
    ['203.0.113.9', 'client, outer', 'outer'],
    ['203.0.113.9, 10.0.0.1', 'client, outer, inner', 'outer'],
    ['203.0.113.9, 10.0.0.1', 'outer, inner', 'outer'],
    ['203.0.113.9, 10.0.0.1', 'outer', 'outer'],
    ['forged, 203.0.113.9, 10.0.0.1', 'client, outer, inner', 'outer'],
    ['10.0.0.1, 203.0.113.9', 'client, client, outer', 'outer'],
  ])(
    'MUST use the value of the outermost trusted proxy for %j and %j',
    async (addresses, hosts, outermost) => {
      const headers = { ...host, 'X-Forwarded-For': addresses, 'X-Forwarded-Host': hosts }
      expect(await rootBehind('two hops', headers)).toBe(`http://${outermost}/n/`)
    },
  )

  it.each([
    { 'X-Forwarded-Host': 'a<b' },
    { 'X-Forwarded-Host': '"x"' },
    { 'X-Forwarded-Host': 'user@host' },
    { 'X-Forwarded-Host': 'host/path' },
    { 'X-Forwarded-Proto': 'javascript' },
    { 'X-Forwarded-Proto': 'http"><x' },
    { 'X-Forwarded-Proto': 'file' },
  ])('MUST reject %j, which would be part of every link', async (headers: Record<string, string>) => {
    expect(await rootBehind('trusted', { ...host, ...headers })).toBe(400)
  })

  it.each([
    '//evil.example',
    '/a"b',
    '/a<b',
    'no-slash',
    '/a//b',
    '/a?b',
    '/a#b',
    'http://evil.example/',
    '/\\evil',
  ])('MUST exclude the prefix %s from links', async (prefix) => {
    const root = await rootBehind('trusted', { ...host, 'X-Forwarded-Prefix': prefix })
    expect(root).toBe('http://inner.example:3000/n/')
  })

  it.each([
    'a<b',
    'a"b',
    "a'b",
    'user@host',
    'host/path',
    'host:port',
    'host:123456',
    '[::1',
    'a b',
    'a,b',
    'a?b',
    '%41',
  ])('MUST reject the Host %p', async (Host) => {
    expect(await rootBehind('untrusted', { Host })).toBe(400)
  })

  it.each([
    'example.org',
    'EXAMPLE.org:80',
    'a_b.example',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:8080',
    'xn--bcher-kva.example',
  ])('MUST accept the Host %s', async (Host) => {
    expect(await rootBehind('untrusted', { Host })).toBe(`http://${Host}/n/`)
  })
})
