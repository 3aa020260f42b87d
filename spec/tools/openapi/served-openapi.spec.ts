import { Ajv2020 } from 'ajv/dist/2020.js'
import express from 'express'
import type { ODataV2Options } from '../../../lib/index.js'
import {
  defineModel,
  edm,
  fileModel,
  fileProvider,
  memoryProvider,
  odataV2,
  openApiDocument,
} from '../../../lib/index.js'
import { TestServer } from '../../support/http-exchange.js'
import { notesModel, RevisedNotes } from '../../support/revised-notes.js'

const servers: TestServer[] = []

async function serve(options: ODataV2Options): Promise<TestServer> {
  const app = express()
  app.use('/files', odataV2(fileModel, fileProvider('sample-app/public-files'), options))
  const server = await TestServer.start(app)
  servers.push(server)
  return server
}

afterAll(async () => {
  for (const server of servers) await server.stop()
})

describe('$openapi', () => {
  it('MUST return the document with the URL of the service', async () => {
    const server = await serve({ openapi: { title: 'Files' }, pageSize: 50 })
    const { status, headers, text } = await server.send('/files/$openapi')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json;charset=utf-8')
    const expected = openApiDocument(fileModel, {
      title: 'Files',
      pageSize: 50,
      provider: fileProvider('sample-app/public-files'),
      serviceRoot: `http://${server.host}/files/`,
    })
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('MUST have If-Match for ETags of the provider', () => {
    const { provider } = new RevisedNotes()
    const { paths } = openApiDocument(notesModel, { provider })
    const parametersOf = (provided: object): unknown =>
      (provided as { delete: { parameters?: unknown } }).delete.parameters
    expect(parametersOf(paths['/Notes({ID})'] ?? {})).toEqual([{ $ref: '#/components/parameters/If-Match' }])
    const untagged = openApiDocument(notesModel).paths['/Notes({ID})'] ?? {}
    expect(parametersOf(untagged) ?? []).toEqual([])
  })

  it('MUST use the media type of OpenAPI if Accept names it', async () => {
    const server = await serve({ openapi: true })
    const send = (Accept: string) => server.send('/files/$openapi', { headers: { Accept } })
    const own = await send('application/vnd.oai.openapi+json, application/json;q=0.5')
    expect(own.headers['content-type']).toBe('application/vnd.oai.openapi+json;charset=utf-8')
    expect((await send('*/*')).headers['content-type']).toBe('application/json;charset=utf-8')
    expect((await send('text/html,*/*;q=0.1')).status).toBe(200)
    expect((await send('image/png')).status).toBe(406)
  })

  it('MUST name the media types of exports for pages of entities', async () => {
    const typesOf = async (options: ODataV2Options): Promise<readonly string[]> => {
      const { text } = await (await serve({ openapi: true, ...options })).send('/files/$openapi')
      const { paths } = JSON.parse(text) as {
        paths: { '/Files': { get: { responses: { '200': { content: object } } } } }
      }
      return Object.keys(paths['/Files'].get.responses['200'].content)
    }
    const feed = ['application/json', 'application/atom+xml']
    expect(await typesOf({})).toEqual(feed)
    expect(await typesOf({ exports: { formats: ['csv'] } })).toEqual([...feed, 'text/csv'])
  })

  it('MUST be readable by generators: complete pages, inline bodies, lists as strings, no $batch', async () => {
    const { text } = await (await serve({ openapi: true })).send('/files/$openapi')
    const document = JSON.parse(text) as {
      paths: Record<string, { get?: object; post?: object }>
      components: { schemas: Record<string, object>; parameters: Record<string, { schema: object }> }
    }
    const { schemas, parameters } = document.components
    expect(document).toMatchObject({ security: [] })
    expect(schemas['File.collection']).toMatchObject({
      type: 'object',
      properties: { results: { type: 'array', items: { $ref: '#/components/schemas/File' } } },
    })
    expect(parameters['Files.select']?.schema).toEqual({ type: 'string' })
    expect(parameters['Files.orderby']?.schema).toEqual({ type: 'string' })
    expect(text).not.toContain('#/components/requestBodies/')
    expect(document.paths).not.toHaveProperty('/$batch')
    const { text: withBatch } = await (await serve({ openapi: { batch: true } })).send('/files/$openapi')
    expect(JSON.parse(withBatch)).toHaveProperty(['paths', '/$batch'])
  })

  it('MUST describe times with fractions of a second, which format "duration" of JSON Schema excludes', async () => {
    const times = ['PT00H00M00S', 'PT12H34M56.789S', 'PT23H59M59.9999999S']
    const properties = { ID: edm.Int32({ nullable: false }), Opens: edm.Time() }
    const model = defineModel({
      namespace: 'Shops',
      entityTypes: { Shop: { key: ['ID'], properties } },
      entityContainer: { entitySets: { Shops: { entityType: 'Shop' } } },
    })
    const rows = times.map((time, ID) => ({ ID, Opens: time.replace(/PT(..)H(..)M(.*)S/, '$1:$2:$3') }))
    const app = express()
    app.use('/', odataV2(model, memoryProvider(model, { Shops: [...rows, { ID: 9, Opens: null }] })))
    const server = await TestServer.start(app)
    servers.push(server)
    const { text } = await server.send('/Shops?$format=json')
    const shops = (JSON.parse(text) as { d: { results: { Opens: string | null }[] } }).d.results
    expect(shops.map(({ Opens }) => Opens)).toEqual([...times, null])
    const schema = openApiDocument(model).components.schemas?.Shop as { properties: { Opens: object } }
    // RFC 3339, appendix A, which JSON Schema refers to, for times.
    const duration = /^PT\d+H(\d+M(\d+S)?)?$/
    const conforms = new Ajv2020({ strict: false, formats: { duration } }).compile(schema.properties.Opens)
    expect(shops.filter(({ Opens }) => !conforms(Opens))).toEqual([])
    expect(['P0D', 'P0DT1H', 'PT1M', 'PT1H2S', 'PT0.5S'].filter((time) => !conforms(time))).toEqual([])
    const invalid = ['12:34:56', 'PT1.5H', 'P1Y', 'P', 'PT', 'P0DT', 'PT1S1M', '']
    expect(invalid.filter((time) => conforms(time))).toEqual([])
  })

  it('MUST describe GUIDs by a pattern: the format "uuid" excludes those without a version of RFC 9562', () => {
    const properties = { ID: edm.Guid({ nullable: false }) }
    const model = defineModel({
      namespace: 'Shops',
      entityTypes: { Shop: { key: ['ID'], properties } },
      entityContainer: { entitySets: { Shops: { entityType: 'Shop' } } },
    })
    const schema = openApiDocument(model).components.schemas?.Shop as { properties: { ID: object } }
    const rfc9562 = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i
    const conforms = new Ajv2020({ strict: false, formats: { uuid: rfc9562 } }).compile(schema.properties.ID)
    const guids = ['ec5a8a55-3d39-eb11-9c2f-000d3a6a1b2c', '00000000-0000-0000-C000-000000000046']
    expect(guids.filter((guid) => !conforms(guid))).toEqual([])
    expect(['ec5a8a55', 'ec5a8a553d39eb119c2f000d3a6a1b2c', ''].filter((guid) => conforms(guid))).toEqual([])
  })

  it('MUST state the Accept header clients need', async () => {
    const atom = await (await serve({ openapi: true })).send('/files/$openapi')
    expect(atom.text).toContain('Send `Accept: application/json` with every request')
    const json = await (await serve({ openapi: true, defaultFormat: 'json' })).send('/files/$openapi')
    expect(json.text).toContain('Responses are JSON unless')
  })

  it('MUST support conditional requests and HEAD', async () => {
    const server = await serve({ openapi: true })
    const { headers } = await server.send('/files/$openapi')
    const again = await server.send('/files/$openapi', { headers: { 'If-None-Match': headers.etag ?? '' } })
    expect(again.status).toBe(304)
    const head = await server.send('/files/$openapi', { method: 'HEAD' })
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', headers.etag])
  })

  it('MUST have another ETag for another service URL', async () => {
    const server = await serve({ openapi: true })
    const one = await server.send('/files/$openapi')
    const other = await server.send('/files/$openapi', { headers: { Host: 'example.org' } })
    expect(other.text).toContain('"url":"http://example.org/files"')
    expect(other.headers.etag).not.toBe(one.headers.etag)
  })

  it('MUST reject methods other than GET and HEAD with 405', async () => {
    const server = await serve({ openapi: true })
    const { status, headers } = await server.send('/files/$openapi', { method: 'POST', body: '{}' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('MUST be enabled by the explorer, or by its own option', async () => {
    const statusWith = async (options: ODataV2Options) =>
      (await (await serve(options)).send('/files/$openapi')).status
    expect(await statusWith({})).toBe(404)
    expect(await statusWith({ openapi: false })).toBe(404)
    expect(await statusWith({ explorer: true })).toBe(200)
    expect(await statusWith({ explorer: true, openapi: false })).toBe(404)
  })

  it('MUST reject invalid options', () => {
    const mount = (openapi: unknown) => () =>
      odataV2(fileModel, fileProvider('.'), { openapi } as ODataV2Options)
    expect(mount({ titel: 'x' })).toThrow(/openapi\.titel.*title/s)
    expect(mount({ title: 1 })).toThrow(/openapi\.title must be a string/)
    expect(mount('yes')).toThrow(/openapi must be true, false, or an object/)
  })
})
