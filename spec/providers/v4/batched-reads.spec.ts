import { get, responsesTo, statusesOf } from '../../support/batch-exchange.js'
import type { Respond } from '../../support/v4/faulty-server.js'
import { FaultyServer, json } from '../../support/v4/faulty-server.js'

const itemOf = (ID: number): object => ({ ID, Name: `n${ID}`, Big: '5', Day: '2024-05-01' })
const error = { error: { code: 'X', message: 'No.' } }

describe('Reads by key of one batch', () => {
  const upstream = new FaultyServer()
  /** Responds to a request for several entities. */
  let several: Respond

  beforeAll(() => upstream.start())
  afterAll(() => upstream.stop())
  beforeEach(async () => {
    await upstream.reset()
    several = json({ value: [itemOf(2), itemOf(1)] })
    upstream.respond = (request, response) => {
      const key = /\((\d+)\)/.exec(request.url ?? '')?.[1]
      if (key === undefined) several(request, response)
      else if (Number(key) < 5) json(itemOf(Number(key)))(request, response)
      else json(error, 404)(request, response)
    }
  })

  const keysOf = async (...keys: readonly (number | string)[]): Promise<unknown> => {
    const { port } = await upstream.serve()
    return statusesOf(await responsesTo(port, ...keys.map((key) => get(`Items(${key})`))))
  }

  it('MUST be one request, with the response of each entity', async () => {
    const { port } = await upstream.serve()
    const responses = await responsesTo(port, get('Items(1)'), get('Items(2)'), get('Items(1)/Name'))
    expect(responses.flat().map(({ body }) => /n\d/.exec(body)?.[0])).toEqual(['n1', 'n2', 'n1'])
    expect(upstream.received[0]).toBe('GET /v4/Items?$filter=ID eq 1 or ID eq 2')
  })

  it('MUST be read alone if the service does not send them together', async () => {
    expect(await keysOf(1, 3, 9)).toEqual([200, 200, 404])
    expect(upstream.received.slice(1).sort()).toEqual(['GET /v4/Items(3)', 'GET /v4/Items(9)'])
  })

  it.each([400, 403, 405, 500, 501])('MUST be read alone if the service responds with %d', async (status) => {
    several = json(error, status)
    expect(await keysOf(1, 9)).toEqual([200, 404])
    expect(upstream.received.slice(1)).toEqual(['GET /v4/Items(1)', 'GET /v4/Items(9)'])
  })

  it.each([401, 429, 503])('MUST all get %d if the service responds with it', async (status) => {
    several = (_request, response) => {
      response.writeHead(status, { 'retry-after': '1', 'www-authenticate': 'Basic realm="r"' }).end()
    }
    expect(await keysOf(1, 2)).toEqual([status, status])
    expect(upstream.received).toHaveLength(1)
  })

  it('MUST NOT be requested together any more if the service ignores the filter', async () => {
    several = json({ value: [1, 2, 3].map(itemOf) })
    const { port } = await upstream.serve()
    for (let batch = 0; batch < 2; batch++) {
      const responses = await responsesTo(port, get('Items(1)'), get('Items(2)'))
      expect(responses.flat().map(({ body }) => /n\d/.exec(body)?.[0])).toEqual(['n1', 'n2'])
    }
    expect(upstream.received.slice(1)).toEqual(['GET /v4/Items(1)', 'GET /v4/Items(2)'])
  })

  it('MUST NOT read all pages of a service that ignores the filter', async () => {
    let page = 0
    several = (...exchange) => {
      page++
      json({ value: [2 * page, 2 * page + 1].map(itemOf), '@odata.nextLink': `Items?page=${page}` })(
        ...exchange,
      )
    }
    expect(await keysOf(1, 2)).toEqual([200, 200])
    expect(upstream.received.slice(1)).toEqual(['GET /v4/Items?page=1', 'GET /v4/Items(1)'])
  })

  it('MUST have the properties that each read selects', async () => {
    const { port } = await upstream.serve()
    await responsesTo(
      port,
      get('Items(1)?$select=Name'),
      get('Items(2)'),
      get('Items(2)?$select=Name'),
      get('Items(1)'),
    )
    expect(upstream.received.sort()).toEqual([
      'GET /v4/Items?$filter=ID eq 2 or ID eq 1',
      expect.stringMatching(/\$select=.*Name.*&\$filter=ID eq 1 or ID eq 2$/),
    ])
  })
})
