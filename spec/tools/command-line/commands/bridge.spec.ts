import { createServer } from 'node:http'
import { run } from '../../../../lib/tools/command-line/run.js'
import { commandIo } from '../../../support/command-io.js'
import { TestServer } from '../../../support/http-exchange.js'

const metadata = `<?xml version="1.0"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityType Name="Book"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/></EntityType>
<EntityContainer Name="Container"><EntitySet Name="Books" EntityType="Shop.Book"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`

let upstream: TestServer
let languages: (string | undefined)[]
let authorizations: (string | undefined)[]

beforeAll(async () => {
  upstream = await TestServer.start(
    createServer((request, response) => {
      authorizations.push(request.headers.authorization)
      languages.push(request.headers['accept-language'])
      const isMetadata = request.url === '/svc/$metadata'
      response.setHeader('Content-Type', isMetadata ? 'application/xml' : 'application/json')
      response.end(isMetadata ? metadata : '{"value":[{"ID":1,"Title":"One"}]}')
    }),
  )
})
afterAll(() => upstream.stop())
beforeEach(() => {
  authorizations = []
  languages = []
})

describe('The command bridge', () => {
  it('MUST serve a V4 service, read-only, with the given headers', async () => {
    const io = commandIo()
    const url = `http://ada:secret@${upstream.host}/svc`
    const running = run(['bridge', url, '--port', '0'], io)
    await io.printedLine(/Books$/)
    const [serving = '', writes] = io.lines
    const root = /(http:\S+)$/.exec(serving)?.[1] ?? ''
    expect([serving.includes('read-only'), serving.includes('secret'), writes]).toEqual([
      true,
      false,
      'Writes are disabled; use --writable to enable them.',
    ])
    const response = await fetch(`${root}Books`, {
      headers: { Accept: 'application/json', Authorization: 'Bearer of-the-client' },
    })
    expect(await response.json()).toMatchObject({ d: { results: [{ ID: 1, Title: 'One' }] } })
    const created = await fetch(`${root}Books`, { method: 'POST', body: '{"ID":2}' })
    expect(created.status).toBe(405)
    for (const origin of ['https://other.example', 'null']) {
      const foreign = await fetch(`${root}Books`, { method: 'POST', headers: { Origin: origin } })
      expect([origin, foreign.status]).toEqual([origin, 403])
    }
    const own = await fetch(`${root}Books`, { method: 'POST', headers: { Origin: 'http://localhost:8080' } })
    expect(own.status).toBe(405)
    const basic = `Basic ${Buffer.from('ada:secret').toString('base64')}`
    expect([...new Set(authorizations)]).toEqual([basic])
    io.interrupt()
    expect(await running).toBe(0)
  })

  it('MUST serve the languages of the service', async () => {
    const io = commandIo()
    const running = run(['bridge', `http://${upstream.host}/svc`, '--port', '0', '--languages', 'en, de'], io)
    await io.printedLine(/Books$/)
    const root = /(http:\S+)$/.exec(io.lines[0] ?? '')?.[1] ?? ''
    await fetch(`${root}Books`, { headers: { 'Accept-Language': 'de' } })
    expect(languages.slice(1)).toEqual(['en', 'de', 'de'])
    io.interrupt()
    expect(await running).toBe(0)
  })

  it.each([
    [[], 'Which service do you want to serve? Name its URL.'],
    [['nowhere'], "'nowhere' is not an absolute URL"],
    [['http://127.0.0.1:1/'], 'The upstream service cannot be reached'],
    [['http://127.0.0.1:1/', '--dialect', 'net'], '--dialect'],
    [['http://127.0.0.1:1/', '--languages', 'en,'], 'languages must be different tags'],
  ])('MUST reject %j', async (words, message) => {
    const io = commandIo()
    expect(await run(['bridge', ...words], io)).toBe(2)
    expect(io.errors()).toContain(message)
  })

  it.each([
    '//ada:secret@host/svc',
    'ada:secret@host/svc',
    'http://ada:secret@host:port/',
    'http://ada:%zzsecret@127.0.0.1:1/',
  ])('MUST NOT print the password of %s', async (url) => {
    const io = commandIo()
    expect(await run(['bridge', url], io)).toBe(2)
    expect(io.errors() + io.lines.join()).not.toContain('secret')
  })
})
