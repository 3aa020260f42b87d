import express from 'express'
import type { Provider } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/index.js'
import { TestServer } from '../../support/http-exchange.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { notesModel, RevisedNotes } from '../../support/revised-notes.js'

let notes: RevisedNotes
let server: TestServer
let options: { autocommits?: boolean; returnsRows?: boolean }

const tagOf = (revision: number): string => `W/"r,${revision}&'<"`

beforeAll(async () => {
  const app = express()
  app.use('/n', (req, res, next) => void odataV2(notesModel, notes.provider)(req, res, next))
  const hooks = { Notes: { beforeUpdate: () => undefined } }
  app.use('/hooked', (req, res, next) => void odataV2(notesModel, notes.provider, { hooks })(req, res, next))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())
beforeEach(() => {
  options = { autocommits: true }
  notes = new RevisedNotes(options)
})

const send = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<HttpResponse> =>
  server.send(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const entryOf = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { d: unknown }).d

describe('The ETag that a provider returns', () => {
  it('MUST be in the header and in the metadata of an entity', async () => {
    const response = await send('GET', '/n/Notes(1)')
    expect(response.headers.etag).toBe(tagOf(1))
    expect(entryOf(response)).toMatchObject({ __metadata: { etag: tagOf(1) } })
  })

  it('MUST be escaped in Atom', async () => {
    const { text } = await server.send('/n/Notes(1)')
    expect(text).toMatch(/<entry [^>]*m:etag="W\/&quot;r,1&amp;'&lt;&quot;"/)
  })

  it('MUST be in each entry of a feed, and of expanded entities', async () => {
    const feed = entryOf(await send('GET', '/n/Notes?$select=Text')) as { results: object[] }
    expect(feed.results).toMatchObject([
      { __metadata: { etag: tagOf(1) } },
      { __metadata: { etag: tagOf(2) } },
    ])
    const author = entryOf(await send('GET', '/n/Authors(7)?$expand=Notes'))
    expect(author).toMatchObject({ Notes: { results: [{ __metadata: { etag: tagOf(1) } }] } })
    expect(JSON.stringify((author as { __metadata: object }).__metadata)).not.toContain('etag')
  })

  it('MUST be compared with If-None-Match and If-Match of reads', async () => {
    for (const path of ['/n/Notes(1)', '/n/Notes(1)/Text', '/n/Notes(1)/Text/$value']) {
      const headers = path.endsWith('$value') ? { Accept: '*/*' } : {}
      const same = await send('GET', path, { ...headers, 'If-None-Match': tagOf(1) })
      expect([same.status, same.headers.etag, same.text]).toEqual([304, tagOf(1), ''])
      expect((await send('GET', path, { ...headers, 'If-None-Match': tagOf(2) })).status).toBe(200)
      expect((await send('GET', path, { ...headers, 'If-Match': tagOf(2) })).status).toBe(412)
    }
  })

  it('MUST be in the response to an insert', async () => {
    const response = await send('POST', '/n/Notes', {}, { ID: 3, Text: 'three' })
    expect([response.status, response.headers.etag]).toEqual([201, tagOf(3)])
    expect(entryOf(response)).toMatchObject({ __metadata: { etag: tagOf(3) } })
  })

  it('MUST be an error of the provider without quotes', async () => {
    const causes: string[] = []
    const { entitySets } = notes.provider
    const wrong: Provider = {
      entitySets: { ...entitySets, Notes: { ...entitySets.Notes, etag: () => '3' } as never },
    }
    const service = odataV2(notesModel, wrong, { onError: (error) => causes.push(String(error.cause)) })
    const other = await TestServer.start(express().use('/n', service))
    expect((await other.send('/n/Notes(1)')).status).toBe(500)
    await other.stop()
    expect(causes).toEqual([
      `TypeError: The provider of 'Notes' must return an ETag with its quotes, such as W/"3", not "3".`,
    ])
  })
})

describe.each([
  ['a store that commits single changes and returns ETags', { autocommits: true }, '/n'],
  ['a store that commits single changes and returns rows', { autocommits: true, returnsRows: true }, '/n'],
  ['a store that returns rows', {}, '/n'],
  ['a service with hooks', { autocommits: true }, '/hooked'],
])('If-Match of changes, on %s', (_title, given, root) => {
  beforeEach(() => {
    options = given
    notes = new RevisedNotes(options)
  })

  it.each(['MERGE', 'PUT', 'PATCH'])(
    'MUST be the condition of %s, which responds with the new ETag',
    async (method) => {
      const { status, headers } = await send(
        method,
        `${root}/Notes(1)`,
        { 'If-Match': tagOf(1) },
        { Text: 'new' },
      )
      expect([status, headers.etag]).toEqual([204, tagOf(3)])
      expect(notes.calls.at(-1)).toBe(`update ${tagOf(1)}`)
      expect(entryOf(await send('GET', `${root}/Notes(1)`))).toMatchObject({ Text: 'new' })
    },
  )

  it('MUST be sent to the store for DELETE', async () => {
    expect((await send('DELETE', `${root}/Notes(1)`, { 'If-Match': tagOf(2) })).status).toBe(412)
    expect((await send('DELETE', `${root}/Notes(1)`, { 'If-Match': tagOf(1) })).status).toBe(204)
    expect(notes.calls.at(-1)).toBe(`delete ${tagOf(1)}`)
    expect((await send('GET', `${root}/Notes(1)`)).status).toBe(404)
  })

  it('MUST be 412 with another version, and with an absent entity 404', async () => {
    const change = { Text: 'new' }
    expect((await send('MERGE', `${root}/Notes(1)`, { 'If-Match': tagOf(2) }, change)).status).toBe(412)
    expect((await send('MERGE', `${root}/Notes(9)`, { 'If-Match': tagOf(2) }, change)).status).toBe(404)
  })

  it('MUST be required: 428 without it', async () => {
    expect((await send('MERGE', `${root}/Notes(1)`, {}, { Text: 'new' })).status).toBe(428)
    expect((await send('DELETE', `${root}/Notes(1)`)).status).toBe(428)
    expect(notes.calls.filter((call) => call !== 'readByKey')).toEqual([])
  })

  it('MAY be optional: the store decides without If-Match', async () => {
    notes = new RevisedNotes({ ...options, requiresIfMatch: false })
    expect((await send('MERGE', `${root}/Notes(1)`, {}, { Text: 'new' })).status).toBe(204)
    expect((await send('DELETE', `${root}/Notes(2)`)).status).toBe(204)
    expect((await send('DELETE', `${root}/Notes(1)`, { 'If-Match': tagOf(1) })).status).toBe(412)
    expect(notes.calls.filter((one) => /update|delete/.test(one)).slice(0, 2)).toEqual([
      'update *',
      'delete *',
    ])
  })

  it('MUST allow any version with *', async () => {
    const { status } = await send('MERGE', `${root}/Notes(1)`, { 'If-Match': '*' }, { Text: 'new' })
    expect([status, notes.calls.at(-1)]).toEqual([204, 'update *'])
  })

  it('MUST be one of several ETags', async () => {
    const several = `${tagOf(4)}, ${tagOf(1)}`
    const { status } = await send('MERGE', `${root}/Notes(1)`, { 'If-Match': several }, { Text: 'new' })
    expect([status, notes.calls.at(-1)]).toEqual([204, `update ${tagOf(1)}`])
  })

  it('MUST protect changes of a single property', async () => {
    const changing = (tag: string) =>
      send('PUT', `${root}/Notes(1)/Text`, { 'If-Match': tag }, { Text: 'new' })
    expect((await changing(tagOf(2))).status).toBe(412)
    const { status, headers } = await changing(tagOf(1))
    expect([status, headers.etag]).toEqual([204, tagOf(3)])
  })

  it('MUST respond with the whole entity if the client prefers that', async () => {
    const headers = { 'If-Match': tagOf(1), Prefer: 'return=representation' }
    const response = await send('MERGE', `${root}/Notes(1)`, headers, { Text: 'new' })
    expect([response.status, response.headers.etag]).toEqual([200, tagOf(3)])
    expect(entryOf(response)).toMatchObject({ ID: 1, Text: 'new', AuthorID: 7 })
  })

  it('MUST be the condition of a request of a batch', async () => {
    const body = [
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      'Content-Type: application/http',
      '',
      'MERGE Notes(1) HTTP/1.1',
      'Content-Type: application/json',
      `If-Match: ${tagOf(1)}`,
      '',
      '{"Text":"new"}',
      '--c--',
      '--b--',
      '',
    ].join('\r\n')
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const { text } = await server.send(`${root}/$batch`, { method: 'POST', headers, body })
    expect(text).toContain('HTTP/1.1 204')
    expect(text.toLowerCase()).toContain(`etag: ${tagOf(3).toLowerCase()}`)
  })
})

describe('A store that commits single changes', () => {
  it('MUST NOT read the entity before a change with If-Match', async () => {
    await send('MERGE', '/n/Notes(1)', { 'If-Match': tagOf(1) }, { Text: 'new' })
    await send('DELETE', '/n/Notes(2)', { 'If-Match': '*' })
    expect(notes.calls).toEqual([`update ${tagOf(1)}`, 'delete *'])
  })
})
