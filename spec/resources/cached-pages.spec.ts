import { channel } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import type { ODataV2Options, Provider, RequestEvent } from '../../lib/index.js'
import { memoryProvider, ODataError } from '../../lib/index.js'
import { batchBody, get, postBatch } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { json, Library, libraryModel, libraryPages } from '../support/library-provider.js'

describe('The page cache of a service', () => {
  let library: Library

  beforeEach(() => {
    library = new Library()
  })

  afterEach(() => library.stop())

  const alike = ({ status, text, headers }: HttpResponse): unknown => {
    const { date, 'transfer-encoding': encoding, 'content-length': length, ...others } = headers
    expect([date, encoding ?? length].every((one) => one !== undefined)).toBe(true)
    return { status, text, headers: others }
  }

  it.each(libraryPages)(
    'MUST read a page twice and then no more, until the version changes: %s',
    async (path) => {
      const server = await library.start()
      expect(await library.areRead(server, path)).toEqual([true, true, false, false])
      library.version = () => 2
      expect(await library.areRead(server, path)).toEqual([true, true, false, false])
      library.version = () => '2'
      expect(await library.areRead(server, path, 1)).toEqual([true])
    },
  )

  it.each(libraryPages)('MUST respond with the same status, headers and body: %s', async (path) => {
    const server = await library.start({ pageSize: 2 })
    const first = await server.send(`/s${path}`)
    const responses = [
      await server.send(`/s${path}`),
      await server.send(`/s${path}`),
      await server.send(`/s${path}`),
    ]
    const untimed = (response: HttpResponse): unknown => ({
      ...response,
      text: response.text.replace(/<updated>[^<]*/g, ''),
    })
    for (const response of responses) {
      expect(alike(untimed(response) as HttpResponse)).toEqual(alike(untimed(first) as HttpResponse))
    }
    expect(responses[2]?.headers['content-length']).toBe(String(first.bytes.length))
    expect(responses[2]?.headers['transfer-encoding']).toBeUndefined()
  })

  it.each([
    ['/Books(1)', 'a single entity'],
    ['/Books(1)/Title', 'a property'],
    ['/Books(1)/Title/$value', 'a value'],
    ['/Newest', 'a function import'],
    ['/Newest?$expand=Shelf', 'an expanded function import'],
  ])('MUST not cache %s, %s', async (path) => {
    const accept = path.endsWith('$value') ? {} : json
    expect(await library.areRead(await library.start(), path, 4, accept)).toEqual([true, true, true, true])
  })

  it('MUST cache the service document', async () => {
    const server = await library.start()
    const responses = [1, 2, 3, 4].map(() => server.send('/s/', { headers: json }))
    const texts = (await Promise.all(responses)).map(({ text }) => text)
    expect(new Set(texts).size).toBe(1)
    expect(library.versionedSets).toEqual([])
  })

  it.each<[string, ODataV2Options, Partial<Provider>]>([
    ['without dataVersion', {}, { dataVersion: undefined } as unknown as Partial<Provider>],
    ['while there is no version', {}, { dataVersion: () => undefined }],
    ['with a cache of 0 bytes', { pageCache: { maxBytes: 0 } }, {}],
    ['with a cache that is too small', { pageCache: { maxBytes: 6000 } }, {}],
  ])('MUST read every page %s', async (_what, options, members) => {
    const server = await library.start(options, { ...library.provider, ...members })
    expect(await library.areRead(server, '/Books')).toEqual([true, true, true, true])
  })

  it('MUST ask for the version of all entity sets that a page touches', async () => {
    const authorize = ({ entitySet }: { readonly entitySet?: string | undefined }): string | undefined =>
      entitySet === 'Books' ? "Shelf/Room ne 'Z'" : undefined
    const versioned = async (path: string, options = {}): Promise<readonly string[]> => {
      const server = await library.start(options)
      await server.send(path)
      await server.send(path)
      return [...(library.versionedSets.at(-1) ?? [])].sort()
    }
    expect(await versioned('/s/Books')).toEqual(['Books'])
    expect(await versioned("/s/Books?$filter=Shelf/Room%20eq%20'A'")).toEqual(['Books', 'Shelves'])
    expect(await versioned('/s/Books?$expand=Shelf')).toEqual(['Books', 'Shelves'])
    expect(await versioned('/s/Books?$orderby=Shelf/Room')).toEqual(['Books', 'Shelves'])
    expect(await versioned('/s/Shelves(1)/Books/$count')).toEqual(['Books', 'Shelves'])
    expect(await versioned('/s/Books', { authorize })).toEqual(['Books', 'Shelves'])
  })

  it('MUST not ask for the version of pages that are requested for the first time', async () => {
    const server = await library.start()
    for (let number = 0; number < 5; number++) await server.send(`/s/Books?$top=${String(number)}`)
    expect(library.versionedSets).toEqual([])
    await server.send('/s/Books?$top=3')
    expect(library.versionedSets.length).toBeGreaterThan(0)
  })

  it('MUST not copy pages whose data change before every request', async () => {
    let version = 1
    library.version = () => version
    const server = await library.start()
    expect(await library.areRead(server, '/Books', 2)).toEqual([true, true])
    const copied = library.versionedSets.length
    for (let time = 0; time < 3; time++) {
      version++
      expect(await library.areRead(server, '/Books', 1)).toEqual([true])
    }
    // The version is read before the page, and after it only for a page to cache.
    expect(library.versionedSets.length - copied).toBe(3)
    expect(await library.areRead(server, '/Books', 3)).toEqual([true, false, false])
  })

  it('MUST not cache a page that was begun in one version and ended in another', async () => {
    let version = 1
    library.version = () => version
    library.onRead = () => version++
    const server = await library.start()
    expect(await library.areRead(server, '/Books', 6)).toEqual([true, true, true, true, true, true])
  })

  it('MUST not cache a page when the version cannot be read at its end', async () => {
    let calls = 0
    library.version = () => {
      if (++calls > 1) throw new Error('gone')
      return 1
    }
    const server = await library.start()
    expect(await library.areRead(server, '/Books', 2)).toEqual([true, true])
    calls = 0
    expect(await library.areRead(server, '/Books', 1)).toEqual([true])
  })

  it.each([null, true, {}, Number.NaN])(
    'MUST respond with 500 to an invalid version: %p',
    async (version) => {
      library.version = () => version as never
      const errors: ODataError[] = []
      const onError = (error: ODataError): void => {
        errors.push(error)
      }
      const server = await library.start({ onError })
      await server.send('/s/Books')
      const { status } = await server.send('/s/Books')
      expect(status).toBe(500)
      expect(String(errors[0]?.cause)).toMatch(/dataVersion\(\) of a provider must return/)
    },
  )

  it('MUST not cache errors', async () => {
    const server = await library.start()
    library.onRead = () => {
      throw new ODataError('ServiceUnavailable')
    }
    for (let time = 0; time < 3; time++) expect((await server.send('/s/Books')).status).toBe(503)
    library.onRead = () => undefined
    expect((await server.send('/s/Books')).status).toBe(200)
    for (let time = 0; time < 4; time++) {
      expect((await server.send('/s/Shelves(99)/Books')).status).toBe(404)
    }
  })

  it('MUST distinguish hosts, formats, versions, query options and custom options', async () => {
    const server = await library.start()
    const variants: [string, Record<string, string>][] = [
      ['/Books', json],
      ['/Books', { ...json, Host: 'other.example' }],
      ['/Books', {}],
      ['/Books', { Accept: 'application/json;odata=verbose' }],
      ['/Books', { ...json, MaxDataServiceVersion: '1.0' }],
      ['/Books?$top=2', json],
      ['/Books?sap-language=DE', json],
      ['/Books?sap-language=EN', json],
    ]
    library.onRead = ({ customOptions }) => {
      library.books = [{ ID: 1, Title: JSON.stringify(customOptions), Owner: null, ShelfID: null }]
    }
    const texts = new Set<string>()
    for (const [path, headers] of variants) {
      expect(await library.areRead(server, path, 3, headers)).toEqual([true, true, false])
      const { text, headers: sent } = await server.send(`/s${path}`, { headers })
      texts.add(`${text} ${String(sent['content-type'])} ${String(sent.dataserviceversion)} ${path}`)
    }
    expect(texts.size).toBe(variants.length)
  })

  it('MUST add messages to every response that has them, and not cache it', async () => {
    library.onRead = ({ messages }) => {
      messages.add({ code: 'M', message: 'Mind the gap', severity: 'info' })
    }
    const server = await library.start()
    for (let time = 0; time < 4; time++) {
      expect((await server.send('/s/Books')).headers['sap-message']).toContain('Mind the gap')
    }
    library.onRead = () => undefined
    expect(await library.areRead(server, '/Books', 3)).toEqual([true, true, false])
    const told: Provider = {
      ...library.provider,
      dataVersion: (_sets, { messages }) => {
        messages.add({ code: 'M', message: 'Version', severity: 'info' })
        return 1
      },
    }
    const telling = await library.start({}, told)
    await telling.send('/s/Books')
    for (let time = 0; time < 4; time++) {
      expect((await telling.send('/s/Books')).headers['sap-message']).toContain('Version')
    }
  })

  it('MUST respond to HEAD with the headers of the page', async () => {
    const server = await library.start()
    const whole = await server.send('/s/Books')
    for (let time = 0; time < 3; time++) {
      const { status, headers, bytes } = await server.send('/s/Books', { method: 'HEAD' })
      expect([status, bytes.length]).toEqual([200, 0])
      expect(headers['content-length']).toBe(String(whole.bytes.length))
    }
    expect(await library.areRead(server, '/Books', 1, {})).toEqual([false])
  })

  it('MUST check If-Match of an expanded entity, whose If-None-Match has no effect', async () => {
    const server = await library.start()
    const { headers } = await server.send('/s/Shelves(1)?$expand=Books')
    const etag = String(headers.etag)
    expect(etag).toMatch(/^W\//)
    for (let time = 0; time < 4; time++) {
      const statusWith = async (given: Record<string, string>): Promise<number> =>
        (await server.send('/s/Shelves(1)?$expand=Books', { headers: given })).status
      expect(await statusWith({ 'If-Match': etag })).toBe(200)
      expect(await statusWith({ 'If-Match': 'W/"9"' })).toBe(412)
      expect(await statusWith({ 'If-None-Match': etag })).toBe(200)
    }
  })

  it('MUST respond with 304 to a client that has the metadata', async () => {
    const server = await library.start()
    const { headers } = await server.send('/s/$metadata')
    for (let time = 0; time < 3; time++) {
      const given = { 'If-None-Match': String(headers.etag) }
      expect((await server.send('/s/$metadata', { headers: given })).status).toBe(304)
    }
  })

  it('MUST serve parts of batches from the same pages', async () => {
    const server = await library.start()
    await library.areRead(server, '/Books', 2)
    const before = library.reads
    const exchange = await postBatch(server.port, batchBody(get('Books'), get('Shelves')), {}, '/s/$batch')
    expect(exchange.text).toContain('Persuasion')
    expect(library.reads).toBe(before + 1)
  })

  it('MUST not cache rows that were read for a disconnected client', async () => {
    const whole = library.books
    library.onRead = async ({ signal }) => {
      if (library.reads !== 2) return
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true })
      })
      // Ends early without an error.
      library.books = []
    }
    const server = await library.start()
    await server.send('/s/Books')
    const leaving = connect(server.port, '127.0.0.1')
    leaving.write(`GET /s/Books HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`)
    await server.waitForRequests(2)
    leaving.destroy()
    await server.waitForDisconnects()
    library.books = whole
    const { text } = await server.send('/s/Books', { headers: json })
    expect(text).toContain('Emma')
  })

  it('MUST report requests to diagnostics as for a page that is read', async () => {
    const server = await library.start({ authorize: () => undefined })
    const events: RequestEvent[] = []
    const onEnd = (event: unknown): void => {
      events.push({ ...(event as RequestEvent) })
    }
    const ends = channel('express-odata-v2:request:end')
    ends.subscribe(onEnd)
    try {
      for (let time = 0; time < 4; time++) await server.send('/s/Books')
    } finally {
      ends.unsubscribe(onEnd)
    }
    const stable = events.map(({ kind, entitySet, operation, status, bytes }) => [
      kind,
      entitySet,
      operation,
      status,
      bytes,
    ])
    expect(stable).toHaveLength(4)
    for (const one of stable) expect(one).toEqual(stable[0])
    expect(events.map(({ rows }) => rows)).toEqual([3, 3, 0, 0])
  })

  it('MUST not change a page that the memory provider changes or rolls back', async () => {
    const provider = memoryProvider(libraryModel, { Books: [{ ID: 1, Title: 'Emma' }] })
    const server = await library.start({}, provider)
    const titles = async (): Promise<string> => (await server.send('/s/Books', { headers: json })).text
    for (let time = 0; time < 3; time++) expect(await titles()).toContain('Emma')
    const changed = await server.send('/s/Books(1)', {
      method: 'MERGE',
      headers: { ...json, 'Content-Type': 'application/json' },
      body: '{"Title":"Sanditon"}',
    })
    expect(changed.status).toBe(204)
    for (let time = 0; time < 3; time++) expect(await titles()).toContain('Sanditon')
  })

  it('MUST not use the version of a provider whose entity sets the application has replaced', async () => {
    const provider = memoryProvider(libraryModel, { Books: [{ ID: 1, Title: 'Emma' }] })
    let title = 1
    const replaced = {
      ...provider,
      entitySets: { ...provider.entitySets, Books: { read: () => [{ ID: 1, Title: String(title++) }] } },
    }
    const server = await library.start({}, replaced)
    for (let time = 1; time < 5; time++) {
      const { text } = await server.send('/s/Books', { headers: json })
      expect(text).toContain(`"Title":"${String(time)}"`)
    }
  })
})
