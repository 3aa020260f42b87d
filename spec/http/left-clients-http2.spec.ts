import { once } from 'node:events'
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import { constants } from 'node:http2'
import { Readable } from 'node:stream'
import type { EntitySetProvider, MediaProvider, Row } from '../../lib/index.js'
import { gate } from '../support/failures.js'
import type { PhotoProvider } from '../support/http2-service.js'
import { Http2Service, manyPhotos } from '../support/http2-service.js'

let host: Http2Service

async function start(photos: (own: PhotoProvider) => Partial<EntitySetProvider>): Promise<void> {
  host = await Http2Service.start(photos)
}

afterEach(() => host.close())

const send = (path: string, headers?: OutgoingHttpHeaders): ClientHttp2Stream => host.request(path, headers)

/** Expects that no request is pending and no failure was reported after a client has disconnected. */
async function expectNothingLeft(): Promise<void> {
  await host.service.close()
  expect(host.failures.errors).toEqual([])
}

describe.each([
  ['CANCEL', constants.NGHTTP2_CANCEL],
  ['NO_ERROR', constants.NGHTTP2_NO_ERROR],
])('When a client of HTTP/2 leaves by %s, a service', (_name, code) => {
  it('MUST abort the signal of the pending provider call', async () => {
    const [requested, aborted] = [gate(), gate()]
    await start(() => ({
      async read(_query, { signal }) {
        signal.addEventListener('abort', aborted.open)
        requested.open()
        await aborted.opened
        throw signal.reason
      },
    }))
    const stream = send('/Photos')
    await requested.opened
    stream.close(code)
    await aborted.opened
    await expectNothingLeft()
  })

  it('MUST abort a signal that is created later', async () => {
    const [requested, left] = [gate(), gate()]
    let wasAborted: boolean | undefined
    await start(() => ({
      async read(_query, call) {
        requested.open()
        await left.opened
        wasAborted = call.signal.aborted
        return []
      },
    }))
    const stream = send('/Photos')
    await requested.opened
    stream.close(code)
    await host.waitForClosedStreams()
    left.open()
    await expectNothingLeft()
    expect(wasAborted).toBe(true)
  })

  it('MUST close the source of a feed', async () => {
    const closed = gate()
    await start(() => ({
      async *read() {
        try {
          for (let batch = 0; ; batch++) yield await Promise.resolve(manyPhotos(batch * 1_000))
        } finally {
          closed.open()
        }
      },
    }))
    const stream = send('/Photos')
    await once(stream, 'data')
    stream.close(code)
    await closed.opened
    await expectNothingLeft()
  })

  it('MUST close the media resource that it sends', async () => {
    const body = new Readable({ read: () => setImmediate(() => body.push(Buffer.alloc(100_000))) })
    await start(({ media }) => ({
      media: Object.assign(Object.create(media) as MediaProvider<Row>, {
        open: () => ({ contentType: 'image/png', stream: () => body, close: () => body.destroy() }),
      }),
    }))
    const stream = send('/Photos(1)/$value')
    await once(stream, 'data')
    stream.close(code)
    if (!body.destroyed) await once(body, 'close')
    await expectNothingLeft()
  })

  it('MUST abort the upload', async () => {
    const [requested, aborted] = [gate(), gate()]
    await start(({ media }) => ({
      media: Object.assign(Object.create(media) as MediaProvider<Row>, {
        receive: undefined,
        async write(_row: Row, { bytes }: { readonly bytes: AsyncIterable<Uint8Array> }) {
          requested.open()
          try {
            for await (const chunk of bytes) expect(chunk.length).toBeGreaterThan(0)
          } finally {
            aborted.open()
          }
        },
      }),
    }))
    const stream = send('/Photos(1)/$value', {
      ':method': 'PUT',
      'content-type': 'image/png',
      'if-match': '*',
    })
    stream.write(Buffer.alloc(1000))
    await requested.opened
    stream.close(code)
    await aborted.opened
    await expectNothingLeft()
  })

  it.each(['100', undefined])(
    'MUST abort the body that it waits for, and be notified: %s',
    async (length) => {
      await start(() => ({}))
      const stream = send('/Counters', {
        ':method': 'POST',
        'content-type': 'application/json',
        ...(length === undefined ? {} : { 'content-length': length }),
      })
      stream.write('{"ID":')
      await host.waitForStream()
      stream.close(code)
      await expectNothingLeft()
    },
  )
})

describe('After the response to an HTTP/2 client, a service', () => {
  it('MUST NOT abort the signal of the provider call', async () => {
    let signal: AbortSignal | undefined
    await start(() => ({
      read(_query, call) {
        signal = call.signal
        return manyPhotos(0)
      },
    }))
    const stream = send('/Photos').resume()
    await once(stream, 'close')
    await expectNothingLeft()
    expect(signal?.aborted).toBe(false)
  })
})
