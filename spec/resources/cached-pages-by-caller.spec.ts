import type { ODataV2Options, Operation } from '../../lib/index.js'
import { filter, ODataError } from '../../lib/index.js'
import { batchBody, get, postBatch } from '../support/batch-exchange.js'
import type { TestServer } from '../support/http-exchange.js'
import { readAndLeave } from '../support/http-exchange.js'
import { json, Library, libraryPages } from '../support/library-provider.js'

describe('The page cache of a service with authorize', () => {
  let library: Library

  beforeEach(() => {
    library = new Library()
  })

  afterEach(() => library.stop())

  const requested: Operation[] = []
  const authorize = (operation: Operation): undefined => {
    requested.push(operation)
  }

  it.each([...libraryPages, '/Books(1)'])(
    'MUST ask about the same operations with every request: %s',
    async (path) => {
      const perRequest: Operation[][] = []
      for (const pageCache of [{ maxBytes: 0 }, {}]) {
        const server = await library.start({ authorize, pageCache })
        for (let time = 0; time < 4; time++) {
          requested.length = 0
          expect((await server.send(`/s${path}`)).status).toBe(200)
          perRequest.push([...requested])
        }
      }
      expect(perRequest[0]).not.toHaveLength(0)
      for (const operations of perRequest) expect(operations).toEqual(perRequest[0])
    },
  )

  interface User {
    readonly name: string
  }

  const context = (req: { headers: Readonly<Record<string, unknown>> }): User => ({
    name: String(req.headers['x-user']),
  })
  const own = ({ kind }: Operation, { name }: User): ReturnType<typeof filter> | undefined =>
    kind === 'read' && name !== 'root' ? filter`Owner eq ${name} or Owner eq null` : undefined

  const rowsFor = async (server: TestServer, user: string, path = '/Books'): Promise<number> => {
    const { text } = await server.send(`/s${path}`, { headers: { ...json, 'x-user': user } })
    return (JSON.parse(text) as { d: { results: unknown[] } }).d.results.length
  }

  it.each(['sync', 'async'])(
    'MUST never share a page between different restrictions: %s context',
    async (kind) => {
      const later = async (req: { headers: Readonly<Record<string, unknown>> }): Promise<User> =>
        Promise.resolve(context(req))
      const server = await library.start({
        context: kind === 'sync' ? context : later,
        authorize: own,
      } as ODataV2Options)
      for (let time = 0; time < 4; time++) {
        expect(await rowsFor(server, 'ada')).toBe(2)
        expect(await rowsFor(server, 'bob')).toBe(1)
        expect(await rowsFor(server, 'root')).toBe(3)
        expect(await rowsFor(server, 'eve')).toBe(0)
      }
    },
  )

  it('MUST share a page between callers with the same restrictions', async () => {
    const server = await library.start({
      context,
      authorize: () => filter`Owner eq ${'ada'}`,
    })
    for (const user of ['a', 'b']) await rowsFor(server, user)
    const before = library.reads
    for (const user of ['c', 'd', 'a']) expect(await rowsFor(server, user)).toBe(2)
    expect(library.reads).toBe(before)
  })

  it('MUST reject denied requests each time', async () => {
    let isAllowed = true
    const server = await library.start({
      authorize: ({ entitySet }: { readonly entitySet?: string | undefined }) => {
        if (!isAllowed && entitySet === 'Shelves') throw new ODataError('Forbidden')
      },
    })
    for (let time = 0; time < 3; time++)
      expect((await server.send('/s/Books?$expand=Shelf')).status).toBe(200)
    isAllowed = false
    expect((await server.send('/s/Books?$expand=Shelf')).status).toBe(403)
    expect((await server.send('/s/Books')).status).toBe(200)
  })
})

describe('The page cache of a service with large pages', () => {
  let library: Library

  beforeEach(() => {
    library = new Library()
  })

  afterEach(() => library.stop())

  beforeEach(() => {
    library.books = Array.from({ length: 4000 }, (_, index) => ({
      ID: index,
      Title: `Ω ${'x'.repeat(1000)} ${String(index)}`,
      Owner: null,
      ShelfID: null,
    }))
  })

  it('MUST send them in several chunks, with their length', async () => {
    const server = await library.start({ pageSize: 0 })
    const first = await server.send('/s/Books')
    for (let time = 0; time < 3; time++) {
      const response = await server.send('/s/Books')
      expect(response.bytes.equals(first.bytes) || response.text.includes('<updated>')).toBe(true)
      expect(response.bytes.length).toBe(first.bytes.length)
      if (time > 0) expect(response.headers['content-length']).toBe(String(first.bytes.length))
    }
    expect(await library.areRead(server, '/Books', 1, {})).toEqual([false])
    const head = await server.send('/s/Books', { method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    const { text } = await postBatch(server.port, batchBody(get('Books')), {}, '/s/$batch')
    expect(Buffer.from(text, 'latin1').toString()).toContain('Ω')
  })

  it('MUST not cache a page that takes more than a quarter of the cache', async () => {
    const server = await library.start({ pageSize: 0, pageCache: { maxBytes: 8_000_000 } })
    expect(await library.areRead(server, '/Books')).toEqual([true, true, true, true])
    expect(await library.areRead(server, '/Books?$top=100')).toEqual([true, true, false, false])
  })

  it('MUST not cache a page whose client left', async () => {
    const server = await library.start({ pageSize: 0 })
    await server.send('/s/Books')
    for (let time = 0; time < 3; time++) {
      await readAndLeave(server, '/s/Books', 1000)
      await server.waitForDisconnects()
    }
    expect(await library.areRead(server, '/Books', 3, {})).toEqual([true, false, false])
  })
})
