import { connect } from 'node:net'
import { odataV2 } from '../../lib/index.js'
import type { MediaContent, Provider, ProviderCall, Row } from '../../lib/index.js'
import { LiveServer } from '../support/live-server.js'
import { photoModel } from '../support/services/photo-service.js'
import { until } from '../support/until.js'

/** A store of photos that cannot take anything back, and does nothing any more for clients that have left. */
class PlainStore {
  readonly photos = new Map<unknown, Row>()
  readonly removed: unknown[] = []
  private done: () => void = () => undefined
  readonly settled = new Promise<void>((resolve) => (this.done = resolve))

  constructor(private readonly failure?: Error) {}

  provider(): Provider {
    return {
      entitySets: {
        Counters: { read: () => [] },
        Photos: {
          read: () => [...this.photos.values()],
          insert: (entity) => {
            const row = { ...entity, ID: 7, Title: 'new' }
            this.photos.set(7, row)
            return row
          },
          delete: (key, _condition, call) => this.remove(key, call),
          media: { contentType: () => 'image/png', open: () => undefined, write: readAll },
        },
      },
    }
  }

  private remove(key: Row, { signal }: ProviderCall): boolean {
    setImmediate(this.done)
    signal.throwIfAborted()
    if (this.failure !== undefined) throw this.failure
    this.removed.push(key.ID)
    return this.photos.delete(key.ID)
  }
}

async function readAll(_row: Row, { bytes }: MediaContent): Promise<void> {
  for await (const chunk of bytes) if (chunk.length === 0) return
}

describe('An upload that ends too early, to a store without change sets', () => {
  let server: LiveServer
  const errors: unknown[] = []

  beforeAll(async () => {
    server = await LiveServer.start()
  })
  afterAll(() => server.close())

  async function leaveEarly(store: PlainStore): Promise<void> {
    errors.length = 0
    const onError = (error: unknown): void => void errors.push(error)
    server.mount('p', odataV2(photoModel, store.provider() as never, { onError }))
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      'POST /p/Photos HTTP/1.1\r\nHost: h\r\nContent-Type: image/png\r\nContent-Length: 9\r\n\r\nabc',
    )
    await until(() => store.photos.size > 0)
    socket.destroy()
    await store.settled
  }

  it('MUST leave no entity behind, though the client has gone', async () => {
    const store = new PlainStore()
    await leaveEarly(store)
    expect(store.removed).toEqual([7])
    expect(store.photos.size).toBe(0)
  })

  it('MUST be reported to the application when the entity cannot be removed', async () => {
    await leaveEarly(new PlainStore(new Error('the disk is gone')))
    await until(() => errors.length > 0)
    expect(errors).toEqual([
      expect.objectContaining({ cause: expect.objectContaining({ message: 'the disk is gone' }) }),
    ])
  })
})
