import express from 'express'
import { Readable } from 'node:stream'
import type { MediaRequest, MediaResource } from '../../lib/index.js'
import { ODataError } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleData, exampleServiceWith } from '../support/services/example-service.js'

const digits = '0123456789'
let server: TestServer
let requests: (string | undefined)[] = []
let size: number | undefined

/** A store that selects the requested bytes when it opens a resource. */
function openDigits({ range }: MediaRequest): MediaResource {
  requests.push(range)
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  const start = first === '' ? Math.max(0, 10 - Number(last)) : Number(first)
  const end = first === '' || last === '' ? 9 : Math.min(9, Number(last))
  if (range !== undefined && start > 9) {
    throw new ODataError('RangeNotSatisfiable', { details: { contentRange: 'bytes */10' } })
  }
  return {
    contentType: 'text/plain',
    size,
    range: range === undefined ? undefined : { start, end },
    stream: () => Readable.from([Buffer.from(range === undefined ? digits : digits.slice(start, end + 1))]),
    close: () => undefined,
  }
}

beforeAll(async () => {
  const photos = exampleServiceWith('Photos', {
    read: () => exampleData.Photos.map(({ ID, Title }) => ({ ID, Title })),
    media: {
      contentType: () => 'text/plain',
      open: (_row, _call, request = {}) => openDigits(request),
    },
  })
  server = await TestServer.start(express().use('/n', photos))
})
afterAll(() => server.stop())
beforeEach(() => {
  requests = []
  size = undefined
})

const get = (headers: Record<string, string>, method = 'GET') =>
  server.send('/n/Photos(1)/$value', { headers, method })

describe('A media resource that states its range', () => {
  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/*'],
    ['bytes=7-', '789', 'bytes 7-9/*'],
    ['bytes=-3', '789', 'bytes 7-9/*'],
    ['Bytes = 2 - 40', '23456789', 'bytes 2-9/*'],
  ])('MUST be sent with 206, also if its size is unknown: %s', async (range, body, contentRange) => {
    const { status, text, headers } = await get({ Range: range })
    expect([status, text]).toEqual([206, body])
    expect(headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(body.length),
      'accept-ranges': 'bytes',
    })
  })

  it('MUST have its size in Content-Range if it is known', async () => {
    size = 10
    const { headers, text } = await get({ Range: 'bytes=2-4' })
    expect([headers['content-range'], text]).toEqual(['bytes 2-4/10', '234'])
  })

  it('MUST be 416 with the size if the store throws RangeNotSatisfiable', async () => {
    const { status, headers } = await get({ Range: 'bytes=10-' })
    expect([status, headers['content-range']]).toEqual([416, 'bytes */10'])
  })

  it.each([
    [{}],
    [{ Range: 'bytes=0-1,3-4' }],
    [{ Range: 'bytes=4-2' }],
    [{ Range: 'bytes=-' }],
    [{ Range: 'lines=1-2' }],
    [{ Range: 'bytes=0-1', 'If-Range': '"v1"' }],
  ])('MUST be whole without a single valid range: %p', async (headers: Record<string, string>) => {
    const { status, text } = await get(headers)
    expect([status, text, requests]).toEqual([200, digits, [undefined]])
  })

  it('MUST NOT be opened with a range for HEAD', async () => {
    const { status } = await get({ Range: 'bytes=0-1' }, 'HEAD')
    expect([status, requests]).toEqual([200, [undefined]])
  })

  it.each([
    { start: 2, end: 1 },
    { start: -1, end: 1 },
    { start: 0.5, end: 1 },
    { start: 0, end: 10 },
    'bytes=0-1',
  ])('MUST be an error of the provider if its range is invalid: %p', async (range) => {
    const wrong = exampleServiceWith(
      'Photos',
      {
        read: () => exampleData.Photos.map(({ ID, Title }) => ({ ID, Title })),
        media: {
          contentType: () => 'text/plain',
          open: () => ({ ...openDigits({}), size: 10, range: range as never }),
        },
      },
      { onError: (error) => causes.push(String(error.cause)) },
    )
    const causes: string[] = []
    const other = await TestServer.start(express().use('/n', wrong))
    const { status } = await other.send('/n/Photos(1)/$value')
    await other.stop()
    expect([status, causes]).toEqual([
      500,
      [expect.stringContaining('range of a media resource must be the positions start and end')],
    ])
  })
})
