import { openV4 } from '../../../lib/v4.js'
import type { V2Options } from '../../../lib/v2.js'
import { openV2 } from '../../../lib/v2.js'
import { CannedV2 } from '../../support/canned-v2.js'

const metadata = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
<EntityType Name="T"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
<Property Name="Byte" Type="Edm.Byte"/><Property Name="SByte" Type="Edm.SByte"/><Property Name="Int16" Type="Edm.Int16"/>
<Property Name="Int32" Type="Edm.Int32"/><Property Name="Double" Type="Edm.Double"/>
<Property Name="Day" Type="Edm.DateTime" sap:display-format="Date"/>
<Property Name="Second" Type="Edm.DateTime" Precision="0"/><Property Name="At" Type="Edm.DateTime"/>
<Property Name="Version" Type="Edm.String" ConcurrencyMode="Fixed"/></EntityType>
<EntityContainer Name="C" m:IsDefaultEntityContainer="true">
<EntitySet Name="Ts" EntityType="S.T" sap:change-tracking="true" sap:delta-link-validity="60" sap:label="Things"/>
<FunctionImport Name="Many" ReturnType="Collection(S.T)" EntitySet="Ts" m:HttpMethod="GET"/>
<FunctionImport Name="Made" ReturnType="Collection(S.T)" EntitySet="Ts" m:HttpMethod="POST"/>
<FunctionImport Name="One" ReturnType="S.T" EntitySet="Ts" m:HttpMethod="GET"/>
<FunctionImport Name="Numbers" ReturnType="Collection(Edm.Int32)" m:HttpMethod="GET"/>
</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`

/** Returns a page of entities, or of other values, as JSON. */
const page = (results: readonly unknown[], next?: string): string =>
  JSON.stringify({ d: { results, ...(next === undefined ? {} : { __next: next }) } })

/** Responds with entities, NaN first, and with no entity after them. */
const nanFirst = (url: string): string =>
  url.includes('filter')
    ? page([])
    : page([
        { ID: 1, Double: 'NaN' },
        { ID: 2, Double: 2 },
        { ID: 3, Double: '1' },
      ])

let upstream: CannedV2

async function open(...options: Parameters<CannedV2['start']>): Promise<void> {
  upstream = new CannedV2(metadata)
  await upstream.start(...options)
}

beforeEach(() => open())
afterEach(() => upstream.stop())

const namesIn = (text: string, name: string): unknown[] =>
  (JSON.parse(text) as { d: { results: Record<string, unknown>[] } }).d.results.map((one) => one[name])

describe('The pages of a function of a V2 service', () => {
  it.each(['GET', 'POST'])('MUST all be read: %s', async (method) => {
    upstream.respond = (url) =>
      url.includes('skiptoken=2') ? page([{ ID: 3 }]) : page([{ ID: 1 }, { ID: 2 }], 'Many?$skiptoken=2')
    const name = method === 'GET' ? 'Many' : 'Made'
    const { text } = await upstream.send(`/${name}?$inlinecount=allpages`, method)
    expect(namesIn(text, 'ID')).toEqual([1, 2, 3])
    expect(text).toContain('"__count":"3"')
    expect(upstream.received.slice(1)).toEqual([`${method} /up/${name}`, 'GET /up/Many?$skiptoken=2'])
  })

  it.each([
    ['out of the service', () => page([{ ID: 1 }], '/other/Many')],
    ['to another origin', () => page([{ ID: 1 }], 'http://127.0.0.1:1/up/Many')],
    ['in circles', () => page([{ ID: 1 }], 'Many?$skiptoken=2')],
    ['forever without entities', () => page([], `Many?$skiptoken=${upstream.received.length}`)],
    [
      'to a page that does not exist',
      (url: string) => (url.includes('?') ? { status: 404, body: '{}' } : page([], 'Many?x')),
    ],
  ])('MUST become 502 if they lead %s', async (_where, respond) => {
    upstream.respond = respond
    expect((await upstream.send('/Many')).status).toBe(502)
  })
})

describe('The order of floating-point numbers of a V2 service', () => {
  it.each(['', '%20desc'])('MUST lose no entity with NaN between pages: %s', async (direction) => {
    await upstream.stop()
    await open('', {}, { pageSize: 1 })
    upstream.respond = nanFirst
    const ids: unknown[] = []
    let next: string | undefined = `/Ts?$orderby=Double${direction}&$format=json`
    while (next !== undefined) {
      const { text } = await upstream.send(next)
      ids.push(...namesIn(text, 'ID'))
      const { d } = JSON.parse(text) as { d: { __next?: string } }
      next = d.__next?.slice(d.__next.indexOf('/Ts'))
    }
    expect([...ids].sort()).toEqual([1, 2, 3])
  })
})

describe('Pages of a V2 service in the order of a date', () => {
  it.each([
    ['Day', 'Day gt DATE or (Day eq DATE and ID gt 1)'],
    ['Second', 'Second gt DATE or (Second eq DATE and ID gt 1)'],
    ['At', 'At ge NEXT or (At ge DATE and At lt NEXT and ID gt 1)'],
  ])(
    'MUST continue without fractions in literals that the property cannot have: %s',
    async (name, condition) => {
      await upstream.stop()
      await open('', {}, { pageSize: 1 })
      upstream.respond = () => page([{ ID: 1, [name]: '/Date(0)/' }, { ID: 2 }])
      const { text } = await upstream.send(`/Ts?$orderby=${name}&$format=json`)
      const next = (JSON.parse(text) as { d: { __next: string } }).d.__next
      await upstream.send(next.slice(next.indexOf('/Ts')))
      const expected = condition
        .replaceAll('DATE', "datetime'1970-01-01T00:00:00'")
        .replaceAll('NEXT', "datetime'1970-01-01T00:00:00.001'")
      expect(decodeURIComponent(upstream.received.at(-1) ?? '')).toContain(`$filter=(${expected})`)
    },
  )
})

const entity = (members: object): string => JSON.stringify({ d: members })

describe('Content that a V2 service must not send', () => {
  it.each<[path: string, body: string, place: string]>([
    ['/Ts', page([{ Int32: 1 }]), "'S.T/ID'"],
    ['/Ts', page([{ ID: null }]), "'S.T/ID'"],
    ['/Ts', page([{ ID: 3_000_000_000 }]), "'S.T/ID'"],
    ['/Ts', page([{ ID: 1, Byte: 256 }]), "'S.T/Byte'"],
    ['/Ts', page([{ ID: 1, SByte: -129 }]), "'S.T/SByte'"],
    ['/Ts', page([{ ID: 1, Int16: 32_768 }]), "'S.T/Int16'"],
    ['/Ts', page([{ ID: 1, Int32: 1.5 }]), "'S.T/Int32'"],
    ['/Ts', page([{ ID: 1, Int32: '2147483648' }]), "'S.T/Int32'"],
    ['/Ts', page([null]), "'S.T'"],
    ['/Ts', entity({ ID: 1 }), "'Ts'"],
    ['/Ts', '{}', "'Ts'"],
    ['/Ts', '[]', "'Ts'"],
    ['/Ts', '<feed xmlns="http://www.w3.org/2005/Atom"/>', "'Ts'"],
    ['/Ts(1)', '{}', "'Ts'"],
    ['/Ts(1)', page([{ ID: 1 }]), "'S.T/ID'"],
    ['/Ts(1)', JSON.stringify({ d: [{ ID: 1 }] }), "'S.T'"],
    ['/Ts(1)', entity({ ID: 1, Version: 'a', __metadata: { etag: 'W/"a\r\nb"' } }), 'ETag'],
    ['/Many', page([null]), "'Many'"],
    ['/Many', page([{ ID: 1 }, { ID: null }]), "'S.T/ID'"],
    ['/One', page([{ ID: 1 }]), "'S.T/ID'"],
    ['/Numbers', page([1, null]), "'Numbers'"],
    ['/Numbers', page([3_000_000_000]), "'Numbers'"],
  ])('MUST become 502 that names its place: %s %s', async (path, body, place) => {
    upstream.respond = () => body
    const { status, text } = await upstream.send(path)
    expect([status, text]).toEqual([502, expect.stringMatching(/The upstream service (?:sent|did)/)])
    expect(text).toContain(place)
  })

  it.each([page([{ ID: 1 }]), '{"d":[]}', entity({ ID: null }), '{"d":null}'])(
    'MUST become 502 as the response to an insert: %s',
    async (body) => {
      upstream.respond = () => ({ status: 201, body })
      const { status, text } = await upstream.send('/Ts', 'POST', '{"ID":1}')
      expect([status, text]).toEqual([502, expect.stringContaining('The upstream service')])
    },
  )
})

describe('The address of a V2 service', () => {
  it('MUST keep its query options in all requests', async () => {
    await upstream.stop()
    await open('?sap-client=100&$format=json&name=a%20b#top')
    upstream.respond = (url) => (url.includes('x=1') ? page([]) : page([{ ID: 1 }], 'Ts?x=1&sap-client=100'))
    await upstream.send('/Ts?$filter=ID%20gt%200')
    await upstream.send('/Ts', 'POST', '{"ID":1}')
    expect(upstream.received).toEqual([
      'GET /up/$metadata?sap-client=100&name=a%20b',
      'GET /up/Ts?$filter=ID%20gt%200&$orderby=ID&$top=1001&sap-client=100&name=a%20b',
      'GET /up/Ts?x=1&sap-client=100&name=a%20b',
      'POST /up/Ts?sap-client=100&name=a%20b',
    ])
  })

  it.each([
    '//ada:secret@host/svc',
    'http//ada:s@secret@host/',
    'http://ada:secret@host:port/',
    'ada:secret@host/svc',
    'http://ada:secret@host/svc',
  ])('MUST NOT be in messages with its password: %s', async (url) => {
    for (const opening of [openV2(url), openV4(url)]) {
      const message = await opening.then(() => '', String)
      expect([message.includes('URL'), message.includes('secret')]).toEqual([true, false])
    }
  })
})

describe('An explanation of requests to a V2 service', () => {
  it('MUST NOT fail for links with invalid percent-encoding', async () => {
    await upstream.stop()
    await open('', {}, { explain: true })
    upstream.respond = (url) => (url.includes('?x=') ? page([{ ID: 2 }]) : page([{ ID: 1 }], 'Ts?x=%zz%'))
    const { status, text } = await upstream.send('/Ts?explain=true')
    expect([status, text]).toEqual([200, expect.stringContaining('GET Ts?x=%zz%')])
  })
})

describe('The metadata document of a V2 service', () => {
  it.each<NonNullable<V2Options['sets']> | undefined>([undefined, { rename: { Ts: 'Things' } }])(
    'MUST NOT announce the delta links of the service: %j',
    async (sets) => {
      await upstream.stop()
      await open('', { sets })
      const { text } = await upstream.send('/$metadata')
      expect(text).toContain('sap:label="Things"')
      expect(text).not.toMatch(/change-tracking|delta-link/)
    },
  )
})

describe('An error document of a V2 service', () => {
  const xml = (content: string): string =>
    `<?xml version="1.0"?><error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">${content}</error>`
  const detail = '<code>C/1</code><message>No stock</message><propertyref>ID</propertyref>'

  it('MUST be passed on, in XML too, which services send that ignore Accept', async () => {
    const inner = `<innererror><errordetails><errordetail>${detail}</errordetail></errordetails></innererror>`
    upstream.respond = () => ({
      status: 400,
      headers: { 'content-type': 'application/xml' },
      body: xml(`<code>SY/530</code><message xml:lang="de">Nicht &amp; nie</message>${inner}`),
    })
    const { status, text } = await upstream.send('/Ts(1)')
    expect([status, (JSON.parse(text) as { error: unknown }).error]).toEqual([
      400,
      {
        code: 'SY/530',
        message: { lang: 'en', value: 'Nicht & nie' },
        innererror: {
          errordetails: [{ code: 'C/1', message: 'No stock', target: 'ID', severity: 'error' }],
        },
      },
    ])
  })

  it.each([
    '<html><p>Bad</p></html>',
    '<error><code>',
    '<!DOCTYPE error [<!ENTITY a "x">]><error>&a;</error>',
    '{}',
  ])('MUST keep its status if it has no known form: %s', async (body) => {
    upstream.respond = () => ({ status: 409, headers: { 'content-type': 'text/html' }, body })
    expect((await upstream.send('/Ts(1)', 'MERGE', '{"Int32":1}')).status).toBe(428)
    expect((await upstream.send('/Ts(1)', 'GET')).status).toBe(409)
  })
})

describe('A read of a V2 service whose URL is longer than servers accept', () => {
  it('MUST be sent in a batch', async () => {
    const body = page([{ ID: 1 }])
    upstream.respond = (url) =>
      url.includes('$batch')
        ? {
            status: 202,
            headers: { 'content-type': 'multipart/mixed; boundary=r' },
            body: `--r\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${body}\r\n--r--\r\n`,
          }
        : page([])
    const condition = Array.from({ length: 600 }, (_, index) => `Int32 eq ${index}`).join(' or ')
    const uri = `Ts?$filter=${encodeURIComponent(condition)}`
    const part = `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET ${uri} HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n--b--`
    const { text } = await upstream.sendBatch(part)
    expect([upstream.received.slice(1), text]).toEqual([
      ['POST /up/$batch'],
      expect.stringContaining('"ID":1'),
    ])
  })
})
