import type { ClientRequest, IncomingMessage } from 'node:http'
import { get } from 'node:http'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { EntitySetProvider, Provider } from '../../lib/provider/provider.js'
import type { ProviderCall } from '../../lib/provider/provider-call.js'
import type { AnythingFor } from '../support/shelves.js'
import { turnEventLoop } from '../support/event-loop.js'
import { gate } from '../support/failures.js'
import { shelves, ShelvesServer } from '../support/shelves.js'
import { until } from '../support/until.js'

/** A source of batches that records how it is closed. */
class Source {
  pulled = 0
  returned = 0

  /** @param next what each call of `next` gives; it may never come */
  constructor(private readonly nextBatch: (index: number) => Promise<unknown[]> | unknown[]) {}

  readonly read = (): AsyncIterable<unknown[]> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const index = this.pulled++
        // As a data base would, it gives others their turn.
        await new Promise((resolve) => setImmediate(resolve))
        return { done: false, value: await this.nextBatch(index) }
      },
      return: () => {
        this.returned++
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  })
}

const never = (): Promise<never> => new Promise(() => undefined)
const items = (index: number): unknown[] =>
  Array.from({ length: 50 }, (_, one) => ({ ID: index * 50 + one + 1, Name: 'x'.repeat(100), ShelfID: 1 }))

describe('When the client leaves', () => {
  let server: ShelvesServer | undefined

  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  async function start(parts: AnythingFor<EntitySetProvider>, options: ODataV2Options = {}): Promise<number> {
    return startWith(shelves(parts), options)
  }

  async function startWith(provider: Provider, options: ODataV2Options = {}): Promise<number> {
    server = new ShelvesServer(provider, options)
    return server.listen()
  }

  function send(port: number, path: string): ClientRequest {
    const sent = get({ host: '127.0.0.1', port, path: `/store${path}`, agent: false })
    sent.on('error', () => undefined)
    return sent
  }

  async function responseTo(port: number, path: string): Promise<string> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: `/store${path}`, agent: false }, resolve).on('error', reject)
    })
    let text = ''
    for await (const chunk of response) text += String(chunk)
    return text
  }

  it.each([
    ['read', '/Items'],
    ['readByKey', '/Items(1)'],
    ['count', '/Items/$count'],
  ] as const)('MUST abort the signal of the call that is under way: %s', async (member, path) => {
    const signals: AbortSignal[] = []
    const wait = (...given: unknown[]): Promise<never> => {
      signals.push((given.at(-1) as ProviderCall).signal)
      return never()
    }
    const port = await start({ [member]: wait })
    const sent = send(port, path)
    await until(() => signals.length === 1)
    expect(signals[0]?.aborted).toBe(false)
    sent.destroy()
    await until(() => signals[0]?.aborted === true)
  })

  it('MUST abort the signal of a function that is under way', async () => {
    const signals: AbortSignal[] = []
    const Names = (_parameters: unknown, _context: unknown, { signal }: ProviderCall): Promise<never> => {
      signals.push(signal)
      return never()
    }
    const port = await startWith(shelves({}, { Names }))
    const sent = send(port, '/Names')
    await until(() => signals.length === 1)
    sent.destroy()
    await until(() => signals[0]?.aborted === true)
  })

  it('MUST NOT be aborted after a complete response', async () => {
    const signals: AbortSignal[] = []
    const read = (_query: unknown, { signal }: ProviderCall): unknown[] => {
      signals.push(signal)
      return []
    }
    const port = await start({ read })
    await responseTo(port, '/Items/$count')
    await server?.waitForDisconnects()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  it('MUST close a source that never ends, whose rows are sent as they come', async () => {
    const source = new Source(items)
    const port = await start(
      { read: source.read, pushdown: { orderBy: () => true, paging: true } },
      { pageSize: 0 },
    )
    const sent = send(port, '/Items')
    const response = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
    await new Promise((resolve) => response.once('data', resolve))
    sent.destroy()
    await until(() => source.returned === 1)
    const { pulled } = source
    await turnEventLoop()
    expect(source.pulled).toBe(pulled)
  })

  it.each([
    ['of which no row matches', '/Items?$filter=Name%20eq%20%27none%27', { orderBy: () => true }],
    ['that must be sorted', '/Items?$top=2', {}],
    ['that is counted', '/Items/$count', {}],
    ['that is searched for a key', '/Items(0)', {}],
    ['that is joined', '/Shelves(1)/Items?$orderby=Name', {}],
    ['that is expanded', '/Shelves?$expand=Items', {}],
  ])('MUST close a source that never ends, %s', async (_what, path, pushdown) => {
    const source = new Source(items)
    const port = await start(
      { read: source.read, pushdown },
      { limits: { scannedRows: 1e9, sortedRows: 1e9 } },
    )
    const sent = send(port, path)
    await until(() => source.pulled > 3)
    sent.destroy()
    await until(() => source.returned === 1)
    const { pulled } = source
    await turnEventLoop()
    expect(source.pulled).toBe(pulled)
  })

  it.each([
    ['to evaluate a filter', '/Items?$filter=', {}],
    ['to count', '/Items/$count?$filter=', {}],
    ['to find the first matches', '/Items?$filter=', { orderBy: () => true }],
  ])('MUST stop the work on an array that is all there: %s', async (_what, path, pushdown) => {
    let looked = 0
    // Every row tells when it is looked at.
    const rows = Array.from({ length: 200_000 }, (_, index) => ({
      ID: index + 1,
      get Name() {
        looked++
        return 'x'.repeat(500)
      },
    }))
    const port = await start({ read: () => rows, pushdown })
    const dear = Array(40).fill("indexof(replace(Name,'x','xy'),'yy') ge 0").join(' or ')
    const sent = send(port, path + encodeURIComponent(dear))
    await until(() => looked > 0)
    sent.destroy()
    await server?.waitForDisconnects()
    const before = looked
    await turnEventLoop()
    expect(looked).toBe(before)
    expect(looked).toBeLessThan(rows.length * 40)
    expect(server?.errors).toEqual([])
  })

  it('MUST be closed immediately while a batch is pending', async () => {
    const source = new Source((index) => (index === 0 ? items(0) : never()))
    const port = await start({ read: source.read })
    const sent = send(port, '/Items')
    await until(() => source.pulled === 2)
    sent.destroy()
    await until(() => source.returned === 1)
  })

  it('MUST run the finally block of a generator', async () => {
    let pulled = 0
    let finished = false
    async function* read(): AsyncGenerator<unknown[]> {
      try {
        for (let index = 0; ; index++) {
          await new Promise((resolve) => setImmediate(resolve))
          pulled++
          yield items(index)
        }
      } finally {
        finished = true
      }
    }
    const port = await start({ read })
    const sent = send(port, '/Items?$filter=ID%20lt%200')
    await until(() => pulled > 3)
    sent.destroy()
    await until(() => finished)
  })

  it('MUST NOT report an error: a client that disconnects is not an error', async () => {
    const source = new Source((index) => (index === 0 ? items(0) : never()))
    const port = await start({ read: source.read })
    const sent = send(port, '/Items')
    await until(() => source.pulled === 2)
    sent.destroy()
    await until(() => source.returned === 1)
    await turnEventLoop()
    expect(server?.errors).toEqual([])
  })

  it('MUST survive a source that fails to close, and go on serving others', async () => {
    const requested = gate()
    let closed = 0
    const read = (): unknown => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          requested.open()
          return never()
        },
        return: () => {
          closed++
          return Promise.reject(new Error('It cannot be closed.'))
        },
      }),
    })
    const port = await start({ read })
    const sent = send(port, '/Items')
    await requested.opened
    sent.destroy()
    await until(() => closed === 1)
    expect(await responseTo(port, '/Shelves/$count')).toBe('2')
  })
})
