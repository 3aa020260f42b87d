import express from 'express'
import type { MemoryProviderOptions, ODataV2Options, Provider } from '../../lib/index.js'
import { filter, memoryProvider, odataV2, ODataError } from '../../lib/index.js'
import { feedOf, getJson, Replica } from '../support/delta-client.js'
import { deltaData, deltaModel } from '../support/delta-model.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

type Options = ODataV2Options<{ user: string }, typeof deltaModel>
type MemoryOptions = MemoryProviderOptions<{ user: string }, typeof deltaModel>

const functions = { Cheap: () => [] }

describe('Delta links', () => {
  let server: TestServer

  afterEach(() => server.stop())

  const start = async (options: Options = {}, memory: Partial<MemoryOptions> = {}): Promise<void> => {
    const provider = memoryProvider(deltaModel, deltaData, { functions, changeTracking: true, ...memory })
    await startWith(provider, options)
  }
  const startWith = async (
    provider: Provider<typeof deltaModel, { user: string }>,
    options: Options = {},
  ): Promise<void> => {
    const context = (req: express.Request): { user: string } => ({ user: req.get('x-user') ?? 'ann' })
    const app = express().use('/s', odataV2(deltaModel, provider, { context, ...options }))
    server = await TestServer.start(app)
  }

  const send = (method: string, path: string, body?: object, headers = {}): Promise<HttpResponse> =>
    server.send(`/s/${path}`, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const get = (url: string, headers = {}): Promise<HttpResponse> =>
    getJson(server, url.startsWith('http') ? url : `/s/${url}`, headers)
  const deltaLink = async (path: string, headers = {}): Promise<string> => {
    const response = await get(path, headers)
    expect(response.status).toBe(200)
    return String(feedOf(response).__delta)
  }
  const deltaOf = async (link: string, headers = {}): Promise<unknown[]> => {
    const response = await get(link, headers)
    expect([response.status, response.text.slice(0, 200)]).toEqual([200, expect.anything()])
    return feedOf(response).results.map((one) => one.id ?? one.ID)
  }
  const uri = (path: string): string => `http://${server.host}/s/${path}`

  it('MUST lead from a first load to the changes since then', async () => {
    await start()
    const link = await deltaLink('Products?$orderby=Name&$inlinecount=allpages&x=1')
    expect(link).toMatch(/^http:\/\/[^?]+\/s\/Products\?x=1&!deltatoken='[\w-]+'$/)
    await send('MERGE', 'Products(2)', { Name: 'new' })
    await send('DELETE', 'Products(4)')
    await send('POST', 'Products', { ID: 9, Name: 'Nine' })
    const response = await get(link)
    const feed = feedOf(response)
    expect(feed.results.map((one) => [one.ID, one.Name])).toEqual([
      [2, 'new'],
      [9, 'Nine'],
      [undefined, undefined],
    ])
    expect(JSON.stringify(feed.results[2])).toBe(
      `{"@odata.context":"$metadata#Products/$deletedEntity","id":"${uri('Products(4)')}"}`,
    )
    expect(response.headers['cache-control']).toBe('no-store')
    expect(await deltaOf(String(feed.__delta))).toEqual([])
    // Lost responses are requested again.
    expect(await deltaOf(link)).toEqual([2, 9, uri('Products(4)')])
  })

  it('MUST accept tokens without quotes, and percent-encoded', async () => {
    await start()
    const link = await deltaLink('Products')
    await send('DELETE', 'Products(1)')
    for (const form of [link.replaceAll("'", ''), link.replaceAll("'", '%27').replace('!', '%21')])
      expect(await deltaOf(form)).toEqual([uri('Products(1)')])
  })

  it('MUST serialize deltas in Atom with tombstones', async () => {
    await start()
    const atom = { Accept: 'application/atom+xml' }
    const first = await get('Products?$filter=Price gt 10'.replaceAll(' ', '%20'), atom)
    const link = /<link rel="delta" href="([^"]+)"\/><\/feed>$/
      .exec(first.text)?.[1]
      ?.replaceAll('&amp;', '&')
    expect(first.text).not.toContain('tombstones')
    await send('DELETE', 'Products(4)')
    await send('MERGE', 'Products(2)', { Name: 'new' })
    const { text } = await get(String(link), atom)
    expect(text).toMatch(/^<\?xml[^>]*><feed [^>]*xmlns:at="http:\/\/purl.org\/atompub\/tombstones\/1.0"/)
    const end = new RegExp(
      `</entry><at:deleted-entry ref="${uri('Products\\(4\\)')}" when="\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"/>` +
        `<link rel="delta" href="${uri('Products')}\\?\\$filter=Price%20gt%2010&amp;!deltatoken='[\\w-]+'"/></feed>$`,
    )
    expect(text).toMatch(end)
    expect(text).toContain(`<id>${uri('Products(2)')}</id>`)
  })

  it('MUST apply the preference odata.track-changes on every page, only where the client has it', async () => {
    await start({ pageSize: 3 })
    const prefer = { Prefer: 'odata.maxpagesize=3, odata.track-changes' }
    const first = await get('Products', prefer)
    const next = String(feedOf(first).__next)
    expect(next).toMatch(/Products\?!deltastart=[\w-]+&\$skiptoken=3$/)
    const last = await get(next, prefer)
    expect([first, last].map((one) => one.headers['preference-applied'])).toEqual([
      'odata.track-changes',
      'odata.track-changes',
    ])
    expect((await get(next)).headers['preference-applied']).toBeUndefined()
    expect((await get('Products?$top=1', prefer)).headers['preference-applied']).toBeUndefined()
    expect(feedOf(first)).not.toHaveProperty('__delta')
    expect(feedOf(last)).not.toHaveProperty('__next')
  })

  it('MUST report changes that were made between two pages', async () => {
    await start({ pageSize: 2 })
    const replica = new Replica(server, '/s/Products', async () => {
      await send('MERGE', 'Products(1)', { Name: `changed ${String(Math.random())}` })
      await send('POST', 'Products', { ID: 100, Name: 'short' })
      await send('DELETE', 'Products(100)')
    })
    await replica.synchronize()
    await send('DELETE', 'Products(3)')
    await send('DELETE', 'Products(4)')
    await replica.synchronize()
    await replica.synchronize()
    const other = new Replica(server, '/s/Products')
    await other.synchronize()
    expect(replica.pages[0]).toBe(3)
    expect(other.rows('ID')).toEqual([{ ID: 1 }, { ID: 2 }, { ID: 5 }])
    expect(replica.rows('ID', 'Name')).toEqual(other.rows('ID', 'Name'))
  })

  it('MUST page deltas', async () => {
    await start({ pageSize: 2 })
    const replica = new Replica(server, '/s/Products')
    await replica.synchronize()
    for (const id of [1, 3, 5]) await send('DELETE', `Products(${String(id)})`)
    for (const id of [2, 4]) await send('MERGE', `Products(${String(id)})`, { Name: 'new' })
    await replica.synchronize()
    expect(replica.pages).toEqual([3, 3])
    expect(replica.rows('ID', 'Name')).toEqual([
      { ID: 2, Name: 'new' },
      { ID: 4, Name: 'new' },
    ])
  })

  it('MUST remove entities that leave the filter, and not name those that never met it', async () => {
    await start()
    const link = await deltaLink('Products?$filter=Price%20gt%2025')
    await send('MERGE', 'Products(3)', { Price: '1' })
    await send('MERGE', 'Products(1)', { Price: '2' })
    await send('DELETE', 'Products(2)')
    await send('MERGE', 'Products(4)', { Price: '90' })
    // It met the filter for a moment, in which a client may have read it.
    await send('POST', 'Products', { ID: 7, Price: '70' })
    await send('DELETE', 'Products(7)')
    expect(await deltaOf(link)).toEqual([4, uri('Products(3)'), uri('Products(7)')])
  })

  it('MUST remove entities that the caller is not allowed to see any more, and never name others', async () => {
    await start({
      authorize: ({ kind }, { user }) => (kind === 'read' ? filter`Owner eq ${user}` : undefined),
    })
    const link = await deltaLink('Products')
    const bob = { 'x-user': 'bob' }
    await send('MERGE', 'Products(2)', { Owner: 'bob' })
    await send('MERGE', 'Products(3)', { Price: '1' })
    await send('DELETE', 'Products(5)', undefined, bob)
    await send('MERGE', 'Products(4)', { Price: '41' })
    expect(await deltaOf(link)).toEqual([4, uri('Products(2)')])
    const foreign = await get(link, bob)
    expect([foreign.status, foreign.headers.location]).toEqual([410, uri('Products')])
  })

  it('MUST respond with 410 and the address of the first load when the changes are not known', async () => {
    await start({}, { changeTracking: { keep: 1 } })
    const link = await deltaLink('Products?$filter=Price%20gt%201&$select=ID&$format=json')
    for (const Name of ['a', 'b', 'c']) await send('MERGE', 'Products(1)', { Name })
    const response = await get(link)
    expect(response.status).toBe(410)
    expect(response.headers.location).toBe(uri('Products?$filter=Price%20gt%201&$select=ID&$format=json'))
    expect(JSON.parse(response.text)).toEqual({
      error: {
        code: 'Gone',
        message: {
          lang: 'en',
          value: 'The changes since this token are not known any more. Load the set again.',
        },
      },
    })
    const token = /!deltatoken.*/.exec(link)?.[0] ?? ''
    await server.stop()
    await start()
    expect((await get(`Products?$filter=Price%20gt%201&$select=ID&${token}`)).status).toBe(410)
  })

  it.each([
    ['Products?!deltatoken=abc', 'malformed'],
    ["Products?!deltatoken='%20'", 'malformed'],
    ['Products?!deltatoken=', 'malformed'],
    ['Products?!deltatoken=LONG', 'malformed'],
    ['Products?!deltastart=abc', 'malformed'],
    ['Products?!deltaend=abc', 'without !deltatoken'],
    ["Products?!deltatoken='TOKEN'&!deltaend=abc", 'malformed'],
    ["Products?!deltatoken='TOKEN'&!deltatoken='TOKEN'", 'twice'],
    ["Products?!deltatoken='TOKEN'&!deltastart=TOKEN", 'cannot be used with'],
    ["Products?!deltatoken='TOKEN'&$top=1", '$top'],
    ["Products?!deltatoken='TOKEN'&$skip=1", '$skip'],
    ["Products?!deltatoken='TOKEN'&$orderby=ID", '$orderby'],
    ["Products?!deltatoken='TOKEN'&$expand=Category", '$expand'],
    ["Products?!deltatoken='TOKEN'&$inlinecount=allpages", '$inlinecount'],
    ["Products?!deltatoken='TOKEN'&$filter=ID%20eq%201", '$filter'],
    ["Products?!deltatoken='TOKEN'&$select=ID", '$select'],
    ["Products?!deltatoken='TOKEN'&$skiptoken='a'", '$skiptoken'],
    ["Products?!deltatoken='TOKEN'&$skiptoken=null", '$skiptoken'],
    ["Products?!deltatoken='TOKEN'&$skiptoken=99999999999", '$skiptoken'],
    ["Products?!deltatoken='TOKEN'&search=a", 'another search.'],
    ["Products?!deltatoken='TOKEN'&search-focus=Owner", 'another search-focus.'],
    ['Products?!deltastart=TOKEN&search=a', 'another search.'],
    ["Products/$count?!deltatoken='TOKEN'", 'counted'],
    ["Categories?!deltatoken='TOKEN'", 'entity set'],
    ["Categories(1)/Products?!deltatoken='TOKEN'", 'entity sets'],
    ["Cheap?!deltatoken='TOKEN'", 'entity sets'],
    ['Products?!deltastart=TOKEN&$top=1', '$top'],
  ])('MUST respond with 400 to %s', async (path, reason) => {
    await start({ search: { Products: ['Name', 'Owner'] } })
    const token = /'(.*)'/.exec(await deltaLink('Products'))?.[1] ?? ''
    const response = await get(path.replaceAll('TOKEN', token).replace('LONG', 'A'.repeat(4001)))
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(reason)])
  })

  it('MUST respond with 400 to a token at a set without tracking, where the service tracks others', async () => {
    await start({}, { changeTracking: { sets: ['Products'] } })
    const response = await get("Categories?!deltatoken='abc'")
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('no change tracking')])
    expect(feedOf(await get('Categories', { Prefer: 'odata.track-changes' }))).not.toHaveProperty('__delta')
  })

  it.each<[string, MemoryOptions['changeTracking']]>([
    ['for the set', { sets: ['Categories'] }],
    ['for all sets', false],
  ])(
    'MUST respond with 410 to links of a service that has switched tracking off %s',
    async (_title, changeTracking) => {
      await start({ pageSize: 2 })
      const first = feedOf(await get('Products?$select=ID&x=1'))
      const token = /!deltastart=([\w-]+)/.exec(String(first.__next))?.[1] ?? ''
      await server.stop()
      await start({ pageSize: 2 }, { changeTracking })
      for (const option of [`!deltastart=${token}`, `!deltatoken=${token}`, `!deltatoken='${token}'`]) {
        const { headers, status } = await get(`Products?$select=ID&x=1&${option}`)
        expect([option, status, headers.location]).toEqual([option, 410, uri('Products?x=1&$select=ID')])
      }
    },
  )

  it('MUST respond with 410 where authorize returns another filter, whose changes cannot be found', async () => {
    let isRestricted = false
    await start({
      authorize: ({ kind }) =>
        kind === 'read' && isRestricted ? filter`Category/Name eq 'Cheese'` : undefined,
    })
    const link = await deltaLink('Products')
    isRestricted = true
    const { headers, status } = await get(link)
    expect([status, headers.location]).toEqual([410, uri('Products')])
    const paged = link.replace(/!deltatoken='(.*)'/, '!deltastart=$1')
    expect((await get(paged)).status).toBe(410)
  })

  it('MUST treat the options as any others where nothing is tracked', async () => {
    await start({ pageSize: 4 }, { changeTracking: false })
    const response = await get("Products?!deltatoken='abc'", { Prefer: 'odata.track-changes' })
    expect([response.status, response.headers['preference-applied']]).toEqual([200, undefined])
    expect(feedOf(response).__next).toContain("!deltatoken='abc'")
    expect((await get('$metadata')).text).not.toContain('change-tracking')
  })

  it.each([
    'Products?$top=2',
    'Products?$skip=1',
    'Products?$expand=Category',
    "Products?$filter=Category/Name%20eq%20'Wine'",
    "Products?$filter=Photo%20eq%20binary'00'",
    'Products?$skiptoken=2',
    'Categories(1)/Products',
    'Cheap',
  ])('MUST not have a delta link for %s', async (path) => {
    await start()
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.text).not.toContain('delta')
  })

  it('MUST have delta links with filters by computed properties only where earlier states have their values', async () => {
    await start({ computed: { Products: { Name: { expression: "concat(Owner,'!')" } } } })
    const link = await deltaLink("Products?$filter=Name%20eq%20'ann!'")
    await send('MERGE', 'Products(2)', { Owner: 'bob' })
    expect(await deltaOf(link)).toEqual([uri('Products(2)')])
    await server.stop()
    await start({ computed: { Products: { Name: { expression: 'Category/Name' } } } })
    expect((await get("Products?$filter=Name%20eq%20'Wine'")).text).not.toContain('delta')
    await server.stop()
    await start({
      computed: { Products: { Name: { needs: ['ID'], value: ({ ID }) => String(ID), scan: true } } },
    })
    expect((await get("Products?$filter=Name%20eq%20'1'")).text).not.toContain('delta')
    expect((await get('Products')).text).toContain('__delta')
  })

  it('MUST not have a delta link in version 1.0', async () => {
    await start()
    const response = await get('Products', { MaxDataServiceVersion: '1.0' })
    expect([response.status, response.text.includes('delta')]).toEqual([200, false])
  })

  it('MUST announce tracking and validity in the metadata', async () => {
    await start({}, { changeTracking: { sets: ['Products'], validity: 3600 } })
    const { text } = await get('$metadata', { Accept: 'application/xml' })
    const sets = text.match(/<EntitySet [^>]*>/g) ?? []
    expect(sets.map((set) => set.includes('sap:change-tracking="true"'))).toEqual([false, true])
    expect(sets[1]).toContain('sap:delta-link-validity="3600"')
  })

  it('MUST not give positions of cached pages away', async () => {
    await start({}, { changeTracking: { keep: 1 } })
    await get('Products')
    await get('Products')
    for (let round = 0; round < 4; round++) {
      await send('MERGE', 'Categories(1)', { Name: String(round) })
      expect((await get(await deltaLink('Products'))).status).toBe(200)
    }
  })

  it('MUST respond to HEAD, and in batches', async () => {
    await start()
    const link = await deltaLink('Products')
    await send('DELETE', 'Products(1)')
    const target = link.slice(link.indexOf('/s/'))
    const head = await server.send(target, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const path = target.slice('/s/'.length)
    const body = `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET ${path} HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n--b--\r\n`
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const batch = await server.send('/s/$batch', { method: 'POST', headers, body })
    expect(batch.text).toContain('$deletedEntity')
  })

  it('MUST not exist where the changes of a change set were rolled back', async () => {
    await start()
    const link = await deltaLink('Products')
    const body = [
      '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c',
      'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nDELETE Products(1) HTTP/1.1\r\n\r\n\r\n--c',
      'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nDELETE Products(99) HTTP/1.1\r\n\r\n\r\n--c--',
      '--b--\r\n',
    ].join('\r\n')
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    await server.send('/s/$batch', { method: 'POST', headers, body })
    expect(await deltaOf(link)).toEqual([])
    await send('DELETE', 'Categories(1)')
    expect(await deltaOf(link)).toEqual([1, 2, 3].map((id) => uri(`Products(${String(id)})`)))
  })

  it('MUST refuse the caller before the token is looked at', async () => {
    await start({
      authorize() {
        throw new ODataError('Forbidden')
      },
    })
    expect((await get("Products?!deltatoken='%'".replace('%', 'x'))).status).toBe(403)
  })
})

describe('The option changeTracking', () => {
  it.each<[unknown, string]>([
    [3, 'must be true or an object'],
    [{ set: [] }, "no option 'set'. Did you mean 'sets'?"],
    [{ sets: ['Product'] }, "no entity set 'Product'. Did you mean 'Products'?"],
    [{ sets: 'Products' }, 'array'],
    [{ validity: 0 }, 'validity must be a positive integer'],
    [{ keep: 1.5 }, 'keep must be a positive integer'],
  ])('MUST be valid: %j', (changeTracking, message) => {
    const options = { functions, changeTracking } as MemoryOptions
    expect(() => memoryProvider(deltaModel, deltaData, options)).toThrow(message)
  })
})
