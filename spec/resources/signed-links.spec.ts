import { randomBytes } from 'node:crypto'
import express from 'express'
import type { ODataV2Options } from '../../lib/index.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import { feedOf, getJson, Replica } from '../support/delta-client.js'
import { deltaData, deltaModel } from '../support/delta-model.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

type Context = { readonly user: string }
type Options = ODataV2Options<Context, typeof deltaModel>

const keys = [randomBytes(32), randomBytes(32)] as const

describe('Signed links', () => {
  let server: TestServer
  afterEach(() => server.stop())

  const provider = () =>
    memoryProvider(deltaModel, deltaData, { functions: { Cheap: () => [] }, changeTracking: true })
  const context = (req: express.Request): Context => ({ user: req.get('x-user') ?? 'ann' })
  const start = async (services: Readonly<Record<string, Options>>): Promise<void> => {
    const app = express()
    const shared = provider()
    for (const [path, options] of Object.entries(services))
      app.use(path, odataV2(deltaModel, shared, { context, pageSize: 2, ...options }))
    server = await TestServer.start(app)
  }
  const get = (url: string, headers = {}): Promise<HttpResponse> => getJson(server, url, headers)
  const codeOf = ({ status, text }: HttpResponse): unknown =>
    status < 400
      ? status
      : `${String(status)} ${(JSON.parse(text) as { error: { code: string } }).error.code}`
  const nextOf = async (url: string, headers = {}): Promise<string> => {
    const response = await get(url, headers)
    expect([url, response.status]).toEqual([url, 200])
    const { __next, __delta } = feedOf(response)
    return String(__next ?? __delta)
  }

  it('MUST lead through all pages of loads and deltas', async () => {
    await start({ '/s': { signedLinks: { keys: [keys[0]] } } })
    for (const query of [
      '',
      '?$filter=Price%20gt%2010&$orderby=Name%20desc',
      '?x=a%20b%2Bc&$select=ID',
      '?$format=json',
    ]) {
      const replica = new Replica(server, `/s/Products${query}`)
      await replica.synchronize()
      const values = JSON.stringify({ Name: 'new' })
      for (const id of [2, 3, 4])
        await server.send(`/s/Products(${String(id)})`, {
          method: 'MERGE',
          headers: { 'Content-Type': 'application/json' },
          body: values,
        })
      await replica.synchronize()
      expect(replica.pages.every((count) => count >= 2)).toBe(true)
    }
    const atom = await server.send('/s/Products', { headers: { Accept: 'application/atom+xml' } })
    const [, href = ''] = /rel="next" href="([^"]*)"/.exec(atom.text) ?? []
    expect((await get(href.replaceAll('&amp;', '&'))).status).toBe(200)
  })

  it('MUST lead through links, related entities and expanded collections', async () => {
    await start({ '/s': { signedLinks: { keys: [keys[0]] } } })
    for (const path of ['Categories(1)/Products', 'Categories(1)/$links/Products']) {
      const next = await nextOf(`/s/${path}`)
      expect(next).toMatch(/\?!proof=[\w-]{22}&.*\$skiptoken=/)
      expect((await get(next)).status).toBe(200)
    }
    const expanded = await get('/s/Categories?$expand=Products')
    const [, nested = ''] = /"__next":"([^"]*Products\?[^"]*)"/.exec(expanded.text) ?? []
    expect(nested).toContain('!proof=')
    expect((await get(nested)).status).toBe(200)
    const atom = await server.send('/s/Categories?$expand=Products')
    const [, inAtom = ''] = /rel="next" href="([^"]*Products\?[^"]*)"/.exec(atom.text) ?? []
    expect((await get(inAtom.replaceAll('&amp;', '&'))).status).toBe(200)
  })

  it('MUST be followed in another encoding, format and language', async () => {
    await start({ '/s': { signedLinks: { keys: [keys[0]] } } })
    const next = await nextOf("/s/Products?$filter=Owner%20ne%20'x%20y'")
    const last = await nextOf('/s/Products?$filter=ID%20eq%201')
    const forms = [
      next.replaceAll('%20', '+'),
      next.replaceAll('!', '%21').replaceAll('$', '%24'),
      `${next}&$format=atom&sap-language=de`,
      next.replace('Products?', 'Product%73?'),
      last.replaceAll("'", ''),
      last.replaceAll("'", '%27'),
    ]
    for (const form of forms) expect([form, (await get(form)).status]).toEqual([form, 200])
  })

  it('MUST get 400 if they are changed, unsigned, truncated or of another set', async () => {
    await start({ '/s': { signedLinks: { keys: [keys[0]] } }, '/t': { signedLinks: { keys: [keys[0]] } } })
    const next = await nextOf('/s/Products')
    const last = await nextOf('/s/Products?$filter=ID%20eq%201')
    const forged = [
      '/s/Products?$skiptoken=1',
      next.replace(/!proof=[^&]*&/, ''),
      next.replace(/!proof=[^&]*/, '!proof='),
      next.replace(/(!proof=[^&]{21})[^&]/, '$1'),
      next.replace(/!proof=(.)/, (_, first: string) => `!proof=${first === 'A' ? 'B' : 'A'}`),
      next.replace(/(!proof=[^&]*)/, '$1&$1'),
      next.replace(/\$skiptoken=\d+/, '$skiptoken=0'),
      `${next}&$filter=ID%20gt%200`,
      `${next}&x=1`,
      next.replace('/s/', '/t/'),
      next.replace('Products', 'Categories'),
      next.replace('!deltastart', '!deltaend'),
      last.replace("!deltatoken='", "!deltatoken='A"),
      last.replace(/!proof=[^&]*/, `!proof=${'%00'.repeat(22)}`),
      last.replace(/!proof=[^&]*/, `!proof=${'x'.repeat(4000)}`),
    ]
    for (const url of forged) expect([url, codeOf(await get(url))]).toEqual([url, '400 InvalidLink'])
    expect(codeOf(await get('/s/Products?$top=1&!proof=x'))).toBe(200)
  })

  it('MUST be for their caller only, also on pages that were requested before', async () => {
    const signedLinks = { keys: [keys[0]], caller: ({ user }: Context): string => user }
    const untracked = memoryProvider(deltaModel, deltaData, { functions: { Cheap: () => [] } })
    const options: Options = { context, pageSize: 2, signedLinks }
    const app = express()
      .use('/s', odataV2(deltaModel, provider(), options))
      .use('/cached', odataV2(deltaModel, untracked, options))
    server = await TestServer.start(app)
    for (const path of ['/s/Products', '/cached/Products', '/cached/Products', '/cached/Products']) {
      const links = [await nextOf(path), await nextOf(path, { 'x-user': 'bob' })]
      const found: unknown[] = []
      for (const user of ['ann', 'bob'])
        for (const link of links) found.push(codeOf(await get(link, { 'x-user': user })))
      expect(found).toEqual([200, '400 InvalidLink', '400 InvalidLink', 200])
    }
  })

  it('MUST be accepted with every key, and signed with the first', async () => {
    const [first, second] = keys
    const serviceRoot = 'http://public/s/'
    const options = (given: readonly Buffer[]): Options => ({ serviceRoot, signedLinks: { keys: given } })
    await start({ '/old': options([first]), '/rotated': options([second, first]), '/new': options([second]) })
    const linkOf = async (service: string): Promise<string> =>
      (await nextOf(`/${service}/Products`)).replace(serviceRoot, '')
    const [old, rotated] = [await linkOf('old'), await linkOf('rotated')]
    const statuses = (target: string): Promise<number[]> =>
      Promise.all(['old', 'rotated', 'new'].map(async (one) => (await get(`/${one}/${target}`)).status))
    expect([await statuses(old), await statuses(rotated)]).toEqual([
      [200, 200, 400],
      [400, 200, 200],
    ])
  })
})

describe('A service with signed links', () => {
  const startWith = (signedLinks: unknown) =>
    odataV2(deltaModel, memoryProvider(deltaModel, {}, { functions: { Cheap: () => [] } }), {
      signedLinks,
    } as never)

  it.each([
    ['no object', true, 'signedLinks must be an object with 1 to 10 keys'],
    ['no keys', { keys: [] }, 'signedLinks must be an object with 1 to 10 keys'],
    ['a string', { keys: ['x'.repeat(32)] }, 'signedLinks.keys must be buffers of at least 16 bytes'],
    ['a short key', { keys: [Buffer.alloc(15)] }, 'signedLinks.keys must be buffers of at least 16 bytes'],
    ['a misspelt option', { keys: [Buffer.alloc(16)], callers: 1 }, "Did you mean 'caller'?"],
    ['no function', { keys: [Buffer.alloc(16)], caller: 'ann' }, 'signedLinks.caller must be a function'],
  ])('MUST not start with %s', (_name, signedLinks, message) => {
    expect(() => startWith(signedLinks)).toThrow(message)
  })
})
