import type { HttpResponse } from '../../support/http-exchange.js'
import type { Respond } from '../../support/v4/faulty-server.js'
import { FaultyServer, json } from '../../support/v4/faulty-server.js'

const rows = ['a', 'b', 'odd'].map((Name, index) => ({ ID: index + 1, Name, Big: '5', Day: '2024-05-01' }))

/** Refuses the requests that match a pattern, and returns all entities for all others. */
const refusing =
  (pattern: RegExp, status = 400): Respond =>
  (request, response) => {
    const isRefused = pattern.test(decodeURIComponent(request.url ?? ''))
    if (isRefused) json({ error: { message: 'Not this.' } }, status)(request, response)
    else json({ value: rows })(request, response)
  }

const keysOf = ({ text }: HttpResponse): number[] =>
  (JSON.parse(text) as { d: { results: { ID: number }[] } }).d.results.map(({ ID }) => ID)

describe('Queries that a V4 service refuses', () => {
  const upstream = new FaultyServer()

  beforeAll(() => upstream.start())
  afterAll(() => upstream.stop())
  beforeEach(() => upstream.reset())

  const named = (name: string): Promise<HttpResponse> =>
    upstream.send(`/Items?$filter=substringof('${name}',Name)`)

  it('MUST not change the queries of other callers if the service evaluates them', async () => {
    upstream.respond = refusing(/'odd'/)
    await named('a')
    expect(keysOf(await named('odd'))).toEqual([3])
    upstream.received.length = 0
    await named('b')
    expect(upstream.received).toEqual([expect.stringContaining("contains(Name,'b')")])
  })

  it('MUST not change the queries of other callers if they fail without any part, too', async () => {
    upstream.respond = refusing(/./)
    const { status, text } = await named('a')
    expect([status, text]).toEqual([400, expect.stringContaining('Not this.')])
    upstream.respond = refusing(/^$/)
    upstream.received.length = 0
    await named('b')
    expect(upstream.received).toEqual([expect.stringContaining("contains(Name,'b')")])
  })

  it('MUST not include the conditions of a search that is refused', async () => {
    upstream.respond = refusing(/search/, 501)
    const search = await upstream.send("/Items?search=x&$filter=substringof('a',Name)")
    expect(search.status).toBe(501)
    upstream.received.length = 0
    await named('a')
    expect(upstream.received).toEqual([expect.stringContaining("contains(Name,'a')")])
  })

  it('MUST be evaluated without the part that is refused', async () => {
    upstream.respond = refusing(/contains/, 501)
    expect(keysOf(await named('b'))).toEqual([2])
    upstream.received.length = 0
    expect(keysOf(await named('a'))).toEqual([1])
    expect(upstream.received).toEqual([expect.not.stringContaining('contains')])
  })
})
