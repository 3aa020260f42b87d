import express from 'express'
import type { ODataV2Options } from '../../lib/index.js'
import { ODataError } from '../../lib/index.js'
import { parseXml } from '../../lib/xml/parse-xml.js'
import { Failures, gate } from '../support/failures.js'
import { sendAndDisconnect, readAndLeave, TestServer } from '../support/http-exchange.js'
import { readElsewhere } from '../support/read-elsewhere.js'
import { hundredRows, RecordedRows } from '../support/recorded-rows.js'
import { exampleServiceWith } from '../support/services/example-service.js'
import { until } from '../support/until.js'

let rows: RecordedRows
let failures: Failures
let server: TestServer
let options: ODataV2Options

beforeAll(async () => {
  const app = express().use('/n', (req, res, next) => {
    const all = { pageSize: 0, onError: failures.onError, ...options }
    exampleServiceWith('Categories', rows.provider, all)(req, res, next)
  })
  server = await TestServer.start(app)
})
afterAll(() => server.stop())
beforeEach(() => {
  failures = new Failures()
  options = {}
})

function batches(count: number): RecordedRows {
  return new RecordedRows(async (index) => (index < count ? hundredRows(index) : undefined))
}

describe('A long document', () => {
  it('MUST be complete when sent in chunks', async () => {
    rows = batches(30)
    const { text, headers } = await server.send('/n/Categories?$format=json')
    const { d } = JSON.parse(text) as { d: { results: { ID: number }[] } }
    expect(d.results.map(({ ID }) => ID)).toEqual(Array.from({ length: 3000 }, (_, index) => index))
    expect([headers['transfer-encoding'], headers['content-length']]).toEqual(['chunked', undefined])
    expect(rows.ended).toBe(true)
  })

  it('MUST be complete with characters of several bytes', async () => {
    const Name = 'ä€😀'.repeat(30)
    rows = new RecordedRows(async (index) =>
      index < 30 ? hundredRows(index).map((row) => ({ ...row, Name })) : undefined,
    )
    const { text } = await server.send('/n/Categories?$format=json')
    const { d } = JSON.parse(text) as { d: { results: { Name: string }[] } }
    expect(d.results).toHaveLength(3000)
    expect(new Set(d.results.map((row) => row.Name))).toEqual(new Set([Name]))
  })

  it('MUST be well-formed as Atom', async () => {
    rows = batches(30)
    const feed = parseXml((await server.send('/n/Categories')).text)
    expect(feed.children.filter((child) => typeof child === 'object' && child.name === 'entry')).toHaveLength(
      3000,
    )
  })

  it('MUST yield to the event loop while a fast client reads everything', async () => {
    let turns = 0
    let isEnded = false
    const count = (): void => {
      turns++
      if (!isEnded) setImmediate(count)
    }
    rows = new RecordedRows(async (index) => {
      if (index === 0) setImmediate(count)
      isEnded = index === 1500
      return isEnded ? undefined : hundredRows(index)
    })
    expect(await readElsewhere(`http://${server.host}/n/Categories?$format=json`)).toBeGreaterThan(40_000_000)
    expect(turns).toBeGreaterThan(10)
  })

  it('MUST begin before all rows have been read', async () => {
    const more = gate()
    rows = new RecordedRows(async (index) => {
      if (index === 5) await more.opened
      return index < 10 ? hundredRows(index) : undefined
    })
    const { bytes } = await readAndLeave(server, '/n/Categories?$format=json', 20_000)
    expect(bytes).toBeGreaterThanOrEqual(20_000)
    more.open()
  })

  it('MUST not read on while the client does not', async () => {
    rows = new RecordedRows(async (index) => hundredRows(index))
    await readAndLeave(server, '/n/Categories?$format=json', 1)
    await server.waitForDisconnects()
    expect(rows.batches).toBeLessThan(1000)
    expect(rows.ended).toBe(true)
    expect(failures.causes).toEqual([])
  })

  it('MUST skip empty batches', async () => {
    rows = new RecordedRows(async (index) =>
      index < 6 ? (index % 2 === 0 ? [] : hundredRows(index)) : undefined,
    )
    const { text } = await server.send('/n/Categories?$format=json')
    expect((JSON.parse(text) as { d: { results: unknown[] } }).d.results).toHaveLength(300)
  })

  it('MUST be an empty feed when there are only empty batches', async () => {
    rows = new RecordedRows(async (index) => (index < 3 ? [] : undefined))
    const { text } = await server.send('/n/Categories')
    expect(text).toContain('<author><name/></author>')
    expect(text).not.toContain('<entry')
  })

  it('MUST have a next link if the next page starts with the next batch', async () => {
    options = { pageSize: 100 }
    rows = batches(2)
    const { text } = await server.send('/n/Categories?$format=json')
    expect((JSON.parse(text) as { d: { __next?: string } }).d.__next).toMatch(
      /Categories\?\$format=json&\$skiptoken=99$/,
    )
    rows = batches(1)
    const last = await server.send('/n/Categories?$format=json')
    expect((JSON.parse(last.text) as { d: { __next?: string } }).d.__next).toBeUndefined()
  })
})

describe('The source of a document', () => {
  it('MUST be notified when the client disconnects', async () => {
    rows = new RecordedRows(async (index) => hundredRows(index))
    await readAndLeave(server, '/n/Categories', 100_000)
    await server.waitForDisconnects()
    expect([rows.ended, rows.signal?.aborted]).toEqual([true, true])
    expect(failures.causes).toEqual([])
  })

  it('MUST be notified when the client disconnects before the first row', async () => {
    const [entered, allowed] = [gate(), gate()]
    rows = new RecordedRows(async (index) => {
      entered.open()
      await allowed.opened
      return hundredRows(index)
    })
    await sendAndDisconnect(server, '/n/Categories', entered.opened)
    await until(() => rows.signal?.aborted === true)
    allowed.open()
    await until(() => rows.ended)
    expect(rows.batches).toBeLessThan(10)
  })

  it('MUST NOT be notified of an abort after a complete response', async () => {
    rows = batches(30)
    await server.send('/n/Categories')
    await server.waitForDisconnects()
    expect(rows.signal?.aborted).toBe(false)
  })

  it('MUST be read no further than HEAD needs', async () => {
    rows = batches(1000)
    const { status, bytes, headers } = await server.send('/n/Categories', { method: 'HEAD' })
    expect([status, bytes.length, rows.ended, rows.batches < 5]).toEqual([200, 0, true, true])
    expect(headers['content-length']).toBeUndefined()
  })

  it.each(['/n/Categories', '/n/Categories?$format=json'])(
    'MUST be read to the end by HEAD when that tells the length: %s',
    async (target) => {
      rows = new RecordedRows(async (index) => (index < 2 ? [{ ID: index, Name: 'ä€' }] : undefined))
      const head = await server.send(target, { method: 'HEAD' })
      rows.batches = 0
      const get = await server.send(target)
      expect(get.bytes.length).toBeGreaterThan(100)
      expect(get.headers['content-length']).toBe(String(get.bytes.length))
      expect([head.status, head.bytes.length, rows.ended]).toEqual([200, 0, true])
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
    },
  )

  it('MUST not be read for a request with an invalid Host header', async () => {
    rows = batches(100)
    const { status } = await server.send('/n/Categories', { headers: { Host: 'a<b' } })
    expect([status, rows.batches]).toEqual([400, 0])
  })

  it('MUST not be read when the caller may not read expanded entities', async () => {
    options = {
      authorize(operation) {
        if (operation.kind === 'read' && operation.expandDepth === 1) throw new ODataError('Forbidden')
      },
    }
    rows = batches(100)
    const { status } = await server.send('/n/Categories?$expand=Products')
    expect([status, rows.batches]).toEqual([403, 0])
  })

  it('MUST be released when version 1.0 cannot represent the response', async () => {
    options = { pageSize: 150 }
    rows = batches(1000)
    const { status } = await server.send('/n/Categories', { headers: { MaxDataServiceVersion: '1.0' } })
    expect([status, rows.ended, rows.batches < 5]).toEqual([400, true, true])
  })
})

describe('A document whose source fails', () => {
  const cause = new Error('table is locked')

  function failingAt(batch: number, error: unknown = cause): RecordedRows {
    return new RecordedRows(async (index) => {
      if (index >= batch) throw error
      return hundredRows(index)
    })
  }

  it('MUST be an error when it fails synchronously', async () => {
    rows = failingAt(0)
    const { status, text, headers } = await server.send('/n/Categories?$format=json')
    expect([status, headers['content-type']]).toEqual([500, 'application/json;charset=utf-8'])
    expect(text).not.toContain('locked')
    expect(failures.causes).toEqual([cause])
  })

  it('MUST be an error as long as nothing of it is sent', async () => {
    rows = new RecordedRows(async (index) => {
      if (index === 1) throw cause
      return [{ ID: 1, Name: 'short' }]
    })
    const { status } = await server.send('/n/Categories')
    expect(status).toBe(500)
    expect(failures.causes).toEqual([cause])
  })

  it('MUST not look complete when it fails later', async () => {
    rows = failingAt(10)
    await expect(server.send('/n/Categories')).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    await failures.reached(1)
    expect(failures.causes).toEqual([cause])
    expect(failures.errors[0]?.status).toBe(500)
  })

  it('MUST be the error that the provider means', async () => {
    rows = failingAt(0, new ODataError('ServiceUnavailable', { details: { retryAfter: 5 }, cause }))
    const { status, headers } = await server.send('/n/Categories')
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    expect(failures.causes).toEqual([cause])
  })

  it('MUST NOT report client errors', async () => {
    rows = failingAt(0, new ODataError('Forbidden'))
    expect((await server.send('/n/Categories')).status).toBe(403)
    rows = new RecordedRows(async (index) => {
      if (index === 1) throw new ODataError('Forbidden')
      return [{ ID: 1, Name: 'short' }]
    })
    expect((await server.send('/n/Categories')).status).toBe(403)
    expect(failures.causes).toEqual([])
  })

  it.each([
    ['a value of another type', { ID: 1, Name: 5 }],
    ['no key', { Name: 'x' }],
    ['an invalid key', { ID: 'one', Name: 'x' }],
    ['no row at all', null],
  ])('MUST be an error when a row has %s', async (_what, row) => {
    rows = new RecordedRows(async (index) => (index === 0 ? [row as never] : undefined))
    for (const target of ['/n/Categories', '/n/Categories?$format=json']) {
      expect((await server.send(target)).status).toBe(500)
      rows.batches = 0
    }
    expect(failures.errors).toHaveLength(2)
    expect(failures.causes).toEqual([expect.any(TypeError), expect.any(TypeError)])
  })
})
