import { FaultyServer, json } from '../../support/v4/faulty-server.js'

const rows = [1, 2, 3].map((ID) => ({ ID, Name: `n${ID}`, Big: '5', Day: '2024-05-01' }))

describe('A V4 service that does not follow the specification', () => {
  const upstream = new FaultyServer()

  beforeAll(() => upstream.start())
  afterAll(() => upstream.stop())
  beforeEach(() => upstream.reset())

  // Small servers ignore a filter with a function that they do not know, together with the other conditions.
  it.each(['/Items', '/Items?$filter=substringof(%27n%27,Name)', '/Items/$count'])(
    'MUST NOT widen a restriction by ignoring it: %s',
    async (path) => {
      upstream.respond = (request, response) => {
        const isCount = request.url?.includes('/$count') === true
        json(isCount ? '3' : { value: structuredClone(rows) })(request, response)
      }
      const served = await upstream.serve({}, { authorize: () => 'ID gt 2' })
      const { text } = await served.send(`/n${path}`, {
        headers: { Accept: 'application/json, text/plain;q=0.5' },
      })
      if (path.endsWith('$count')) expect(text).toBe('1')
      else expect([text.includes('"ID":3'), text.includes('"ID":1')]).toEqual([true, false])
    },
  )

  it('MAY send the number of entities in JSON', async () => {
    upstream.respond = json({ '@odata.context': '$metadata#Items', value: 31 })
    const { status, text } = await upstream.send('/Items/$count', {}, { headers: { Accept: 'text/plain' } })
    expect([status, text]).toEqual([200, '31'])
  })

  it.each(['{"value":"many"}', '{', '{}'])('MUST NOT send another number: %s', async (body) => {
    upstream.respond = json(body)
    const { status } = await upstream.send('/Items/$count', {}, { headers: { Accept: 'text/plain' } })
    expect(status).toBe(502)
  })

  it('MAY send an empty collection for an entity that does not exist', async () => {
    upstream.respond = json({ '@odata.context': '$metadata#Items/$entity', value: [] })
    expect((await upstream.send('/Items(9)')).status).toBe(404)
  })

  // Handlers of some servers have to evaluate $orderby, $skip and $top themselves, and do not.
  it('MUST NOT get pages to evaluate any more if it has sent more entities than requested', async () => {
    upstream.respond = (request, response) => {
      json({ value: structuredClone(rows) })(request, response)
    }
    const keysOf = async (query: string): Promise<unknown[]> => {
      const { text } = await upstream.send(`/Items?${query}`)
      return (JSON.parse(text) as { d: { results: { ID: number }[] } }).d.results.map(({ ID }) => ID)
    }
    expect(await keysOf('$orderby=ID%20desc&$top=2')).toEqual([3, 2])
    upstream.received.length = 0
    expect(await keysOf('$orderby=ID%20desc&$skip=1')).toEqual([2, 1])
    expect(upstream.received).toEqual(['GET /v4/Items'])
  })

  it('MAY ignore $top=0 only', async () => {
    upstream.respond = json({ value: rows })
    await upstream.send('/Items?$top=0')
    upstream.received.length = 0
    await upstream.send('/Items?$top=5')
    expect(upstream.received).toEqual([expect.stringContaining('$top=5')])
  })
})
