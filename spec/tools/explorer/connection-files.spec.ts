import express from 'express'
import { parseXml } from '../../../lib/xml/parse-xml.js'
import { connectionFile } from '../../../lib/tools/explorer/explorer-responses.js'
import { TestServer } from '../../support/http-exchange.js'
import { exampleModel, exampleService } from '../../support/services/example-service.js'

const root = 'https://example.org/odata/'

function textOf(path: string, at = root): string {
  return connectionFile(path.split('/'), exampleModel, at)?.text ?? ''
}

/** The content of an element of an .odc file. */
function elementOf(text: string, name: string): string | undefined {
  return new RegExp(`<odc:${name}>([^]*?)</odc:${name}>`).exec(text)?.[1]
}

describe('A data connection for Excel', () => {
  it('MUST be a data feed with the named tables (MS-ODCFF 2.2.1, 2.1.2)', () => {
    const text = textOf('sets/Products.odc')
    expect(text).toContain('<odc:Connection odc:Type="DATAFEED">')
    expect(elementOf(text, 'CommandType')).toBe('TableCollection')
    expect(elementOf(text, 'CommandText')).toBe('&quot;Products&quot;')
    expect(elementOf(text, 'ConnectionString')).toContain(`Data Source=${root};`)
    expect(elementOf(text, 'ConnectionString')).toContain(`;Service Document Url=${root}`)
  })

  it('MUST list all entity sets of the service, quoted and separated by commas', () => {
    const names = elementOf(textOf('service.odc'), 'CommandText')?.replaceAll('&quot;', '"') ?? ''
    expect(names).toMatch(/^"[^",]+"(?:,"[^",]+")+$/)
    expect(names).toContain('"Categories"')
  })

  it('MUST contain well-formed XML', () => {
    const part = /<odc:OfficeDataConnection[^]*<\/odc:OfficeDataConnection>/.exec(
      textOf('service.odc', 'http://h/a&b;c="d"/'),
    )?.[0]
    expect(() => parseXml(part ?? '')).not.toThrow()
  })

  it('MUST quote a URL with a semicolon', () => {
    expect(elementOf(textOf('service.odc', 'http://h/a;b/'), 'ConnectionString')).toContain(
      'Data Source=&quot;http://h/a;b/&quot;;',
    )
  })
})

describe('A data source file for Power BI', () => {
  it.each([
    ['service.pbids', root],
    ['sets/Products.pbids', `${root}Products`],
  ])('MUST contain the URL: %s', (path, url) => {
    expect(JSON.parse(textOf(path))).toEqual({
      version: '0.1',
      connections: [{ details: { protocol: 'odata', address: { url } } }],
    })
  })
})

describe('Connection files over HTTP', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(
      express().use('/n', exampleService({ explorer: true, serviceRoot: root })),
    )
  })
  afterAll(() => server.stop())

  it.each([
    ['service.odc', 'text/x-ms-odc;charset=utf-8', /^attachment; filename="?\w+\.odc"?$/],
    ['sets/Products.odc', 'text/x-ms-odc;charset=utf-8', /^attachment; filename="?Products\.odc"?$/],
    ['service.pbids', 'application/json', /^attachment; filename="?\w+\.pbids"?$/],
  ])('MUST be downloads: %s', async (path, type, disposition) => {
    const { status, headers, text } = await server.send(`/n/$explorer/${path}`)
    expect([status, headers['content-type']]).toEqual([200, type])
    expect(headers['content-disposition']).toMatch(disposition)
    expect(text).toContain(root)
  })

  it.each(['sets/Nothing.odc', 'sets/Products.xlsx', 'sets/Products', 'other.odc', 'sets/toString.odc'])(
    'MUST not exist for unknown sets and formats: %s',
    async (path) => {
      expect((await server.send(`/n/$explorer/${path}`)).status).toBe(404)
    },
  )
})
