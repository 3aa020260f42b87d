import express from 'express'
import type { MediaProvider, ODataV2Options, Provider, Row } from '../../lib/index.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { chunk, RawClient } from '../support/raw-client.js'
import { photoData, photoModel } from '../support/services/photo-service.js'
import { scaleTimers } from '../support/scale-timers.js'

let server: TestServer
let failures: Failures
afterEach(() => server.stop())

async function start(options: ODataV2Options = {}, media: Partial<MediaProvider<Row>> = {}): Promise<void> {
  failures = new Failures()
  const { entitySets, ...rest } = memoryProvider(photoModel, photoData()) as unknown as Provider
  const photos = entitySets.Photos
  if (photos === undefined) throw new Error('There are no Photos.')
  const changed = { ...photos, media: { ...(photos.media as MediaProvider<Row>), ...media } }
  const provider = { ...rest, entitySets: { ...entitySets, Photos: changed } } as Provider
  const service = odataV2(photoModel, provider as never, { onError: failures.onError, ...options })
  server = await TestServer.start(express().use('/p', service))
}

function head(line: string, headers: string): string {
  return `${line} HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`
}

const uploads = [
  ['bodyBytes', 'POST /p/Counters', 'Content-Type: application/json'],
  ['bodyBytes', 'PUT /p/Photos(1)/Title/$value', 'Content-Type: text/plain'],
  ['mediaBytes', 'PUT /p/Photos(1)/$value', 'Content-Type: image/png'],
  ['mediaBytes', 'POST /p/Photos', 'Content-Type: image/png'],
  ['batchBytes', 'POST /p/$batch', 'Content-Type: multipart/mixed; boundary=b'],
] as const

const chunked = 'Transfer-Encoding: chunked'
const follower = head('GET /p/Photos/$count', 'Connection: close')

/** 16 MiB, which no buffer on the way holds. */
function* muchMore(): Generator<string> {
  const part = chunk('x'.repeat(65_536))
  for (let count = 0; count < 256; count++) yield part
  yield '0\r\n\r\n'
}

const refused =
  head('POST /p/Counters', `Content-Type: application/json\r\n${chunked}`) + chunk('x'.repeat(2000))

describe('A connection whose request was refused', () => {
  // It is closed after one second of silence, or three seconds.
  scaleTimers(0.1)
  beforeEach(() => start({ limits: { bodyBytes: 1000 } }))

  it('MUST be closed when the client sends nothing more', async () => {
    const client = await RawClient.connect(server.port)
    await client.write(refused)
    expect(await client.end()).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('MUST be closed when the client never stops sending', async () => {
    const client = await RawClient.connect(server.port)
    await client.write(refused)
    const timer = setInterval(() => void client.write(chunk('x')), 10)
    expect(await client.end()).toMatch(/^HTTP\/1\.1 413 /)
    clearInterval(timer)
  })
})

describe('A body that is larger than its limit', () => {
  // A slow client ends at some point.
  scaleTimers(100)

  it.each(uploads)(
    'MUST get a complete response with 413, although the client continues to send: %s, %s',
    async (...upload) => {
      const [limit, line, type] = upload
      await start({ limits: { [limit]: 1000 } })
      const client = await RawClient.connect(server.port)
      await client.writeWithoutReading([head(line, `${type}\r\n${chunked}`), ...muchMore()])
      const text = await client.end()
      expect(text).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/)
      expect(text).toContain('\r\nConnection: close\r\n')
      const [, length] = /\r\nContent-Length: (\d+)\r\n/.exec(text) ?? []
      expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toHaveLength(Number(length))
      expect(client.error).toBeUndefined()
      expect(failures.errors).toEqual([])
    },
  )

  it.each(uploads)('MUST get 413 when its length is announced: %s, %s', async (...upload) => {
    const [limit, line, type] = upload
    await start({ limits: { [limit]: 1000 } })
    const client = await RawClient.connect(server.port)
    const bytes = Array.from({ length: 128 }, () => 'x'.repeat(65_536))
    await client.writeWithoutReading([head(line, `${type}\r\nContent-Length: ${128 * 65_536}`), ...bytes])
    expect(await client.end()).toMatch(/^HTTP\/1\.1 413 /)
    expect([client.error, failures.errors]).toEqual([undefined, []])
  })

  it('MUST not process the next pipelined request', async () => {
    await start({ limits: { mediaBytes: 3 } })
    const client = await RawClient.connect(server.port)
    const deletion = head('DELETE /p/Photos(1)', 'Connection: close')
    await client.write(`${head('PUT /p/Photos(1)/$value', 'Content-Length: 4')}1234${deletion}`)
    expect(await client.end()).toMatch(/^HTTP\/1\.1 413 /)
    expect(client.statuses).toEqual([413])
    expect((await server.send('/p/Photos(1)/$value')).text).toBe('old')
  })

  it('MUST not process the next pipelined request when the client itself closes the connection', async () => {
    await start()
    const client = await RawClient.connect(server.port)
    const closing = head('POST /p/Nothing', 'Content-Length: 4\r\nConnection: close')
    await client.write(`${closing}1234${head('DELETE /p/Photos(1)', 'X: y')}`)
    await client.end()
    expect(client.statuses).toEqual([404])
    expect((await server.send('/p/Photos(1)/$value')).text).toBe('old')
  })

  it('MUST be rejected in a part of a batch for the limit of media, and the connection stay', async () => {
    await start({ limits: { mediaBytes: 3 } })
    const part = (bytes: string) =>
      `--b\r\nContent-Type: application/http\r\n\r\nPUT Photos(1)/$value HTTP/1.1\r\nContent-Type: text/plain\r\n\r\n${bytes}\r\n`
    const body = `${part('1234')}${part('new')}--b--\r\n`
    const type = `Content-Type: multipart/mixed; boundary=b\r\nContent-Length: ${body.length}`
    const client = await RawClient.connect(server.port)
    await client.write(`${head('POST /p/$batch', type)}${body}${follower}`)
    await client.end()
    expect(client.statuses).toEqual([202, 413, 204, 200])
    expect((await server.send('/p/Photos(1)/$value')).text).toBe('new')
  })

  it('MUST be rejected if a batch and its media resources exceed batchBytes, before any part runs', async () => {
    await start({ limits: { batchBytes: 1000, mediaBytes: 1000 } })
    const part = `--b\r\nContent-Type: application/http\r\n\r\nPUT Photos(1)/$value HTTP/1.1\r\n\r\n${'x'.repeat(450)}\r\n`
    const client = await RawClient.connect(server.port)
    const headers = `Content-Type: multipart/mixed; boundary=b\r\n${chunked}`
    await client.write(
      `${head('POST /p/$batch', headers)}${chunk(part + part)}${chunk('--b--\r\n')}0\r\n\r\n`,
    )
    expect(await client.end()).toMatch(/^HTTP\/1\.1 413 /)
    expect((await server.send('/p/Photos(1)/$value')).text).toBe('old')
  })
})

describe('An upload that is refused before its end', () => {
  const megabyte = 'x'.repeat(1_048_576)
  const sized = `Content-Length: ${megabyte.length}`

  /** Reads one part and has enough. */
  const fails = async ({ bytes }: { bytes: AsyncIterable<Uint8Array> }): Promise<never> => {
    for await (const part of bytes) throw new Error(`disk full after ${part.length} bytes`)
    throw new Error('nothing came')
  }

  it.each([
    ['to no set', 'POST /p/Nothing', 404],
    ['to what cannot be written', 'POST /p/$metadata', 405],
    ['to no entity', 'PUT /p/Photos(9)/$value', 404],
    ['of another version', 'PUT /p/Photos(1)/$value', 412, 'If-Match: "x"'],
    ['of no media type', 'PUT /p/Photos(1)/$value', 415, 'Content-Type: nonsense'],
    ['of a wrong type', 'POST /p/Counters', 415, 'Content-Type: image/png'],
    ['of no batch', 'POST /p/$batch', 415, 'Content-Type: image/png'],
  ])('MUST leave the connection to the next request: %s', async (_what, line, status, more = 'X: y') => {
    await start()
    const client = await RawClient.connect(server.port)
    await client.writeWithoutReading([head(line, `${sized}\r\n${more}`), megabyte, follower])
    await client.end()
    expect(client.statuses[0]).toBe(status)
    expect(client.statuses).toEqual([status, 200])
  })

  it('MUST leave the connection to the next request when the provider failed in the middle of it', async () => {
    await start({}, { receive: undefined as never, write: fails })
    const client = await RawClient.connect(server.port)
    const put = head('PUT /p/Photos(1)/$value', sized)
    await client.writeWithoutReading([put, megabyte, put, megabyte, follower])
    await client.end()
    expect([client.statuses, client.error]).toEqual([[500, 500, 200], undefined])
    expect(failures.errors).toHaveLength(2)
  })

  it('MUST leave the connection to the next request when the provider does not read it', async () => {
    await start({}, { receive: undefined as never, write: () => undefined })
    const client = await RawClient.connect(server.port)
    await client.writeWithoutReading([head('PUT /p/Photos(1)/$value', sized), megabyte, follower])
    await client.end()
    expect(client.statuses).toEqual([204, 200])
  })
})

describe('A request that expects 100-continue', () => {
  it.each([
    [204, 'PUT /p/Photos(1)/$value', 100],
    [404, 'PUT /p/Photos(9)/$value', 100],
    [413, 'PUT /p/Photos(1)/$value', 2000],
  ])('MUST receive 100 Continue, and then a response: %i', async (status, line, length) => {
    await start({ limits: { mediaBytes: 1000 } })
    const client = await RawClient.connect(server.port)
    await client.write(head(line, `Content-Length: ${length}\r\nExpect: 100-continue`))
    await client.responses(1)
    await client.write('x'.repeat(length))
    expect(await client.responses(2)).toEqual([100, status])
    await client.leave()
  })
})

describe('A body that is sent slowly', () => {
  async function drip(client: RawClient, text: string): Promise<void> {
    for (const letter of text) {
      await client.write(letter)
      await turnEventLoop()
    }
  }

  it('MUST not block other requests', async () => {
    await start()
    const text = '{"ID":2,"Value":3,"Version":1}'
    const client = await RawClient.connect(server.port)
    await client.write(
      head('POST /p/Counters', `Content-Type: application/json\r\nContent-Length: ${text.length}`),
    )
    await drip(client, text.slice(0, 15))
    expect((await server.send('/p/Counters/$count')).text).toBe('1')
    await drip(client, text.slice(15))
    expect(await client.responses(1)).toEqual([201])
    await client.leave()
  })

  it.each(uploads)(
    'MUST get a response at the first byte over the limit: %s, %s',
    async (limit, line, type) => {
      await start({ limits: { [limit]: 5 } })
      const client = await RawClient.connect(server.port)
      await client.write(head(line, `${type}\r\n${chunked}`))
      for (let count = 0; count <= 5 && client.text === ''; count++) {
        await client.write(chunk('x'))
        await turnEventLoop()
      }
      expect(await client.responses(1)).toEqual([413])
      await client.leave()
    },
  )
})
