import { responsesTo, statusesOf, written } from '../../support/batch-exchange.js'
import { FaultyServer, json } from '../../support/v4/faulty-server.js'

/** The response of the service to each change of a change set, in addition to its status. */
type Changed = Readonly<{ headers?: object; body?: object | null }>

// OData JSON Format 4.01, 19.2: `body` and `headers` of a response are optional.
describe('A change set that a V4 service executes without sending the entities', () => {
  const upstream = new FaultyServer()
  let changed: readonly Changed[]

  beforeAll(() => upstream.start())
  afterAll(() => upstream.stop())
  beforeEach(async () => {
    await upstream.reset()
    upstream.respond = (request, response) => {
      const key = /\((\d+)\)/.exec(request.url ?? '')?.[1]
      const responses = changed.map((one, index) => ({ id: String(index + 1), status: 201, ...one }))
      json(key === undefined ? { responses } : { ID: Number(key), Name: `stored ${key}` })(request, response)
    }
  })

  async function insert(...bodies: readonly string[]): Promise<unknown> {
    const { port } = await upstream.serve()
    const [responses = []] = await responsesTo(
      port,
      bodies.map((body) => written('POST Items', body, { Accept: 'application/json' })),
    )
    const names = [responses].flat().map(({ body }) => /(?:stored \d+|The upstream[^"]*)/.exec(body)?.[0])
    return [statusesOf([responses]).flat(), names]
  }

  it('MUST be read by the keys that the client has chosen', async () => {
    changed = [{ body: null }, {}]
    expect(await insert('{"ID":7}', '{"ID":8}')).toEqual([
      [201, 201],
      ['stored 7', 'stored 8'],
    ])
    expect(upstream.received.slice(1)).toEqual(['GET /v4/Items(7)', 'GET /v4/Items(8)'])
  })

  it('MUST be read at the URL that the service sends', async () => {
    changed = [{ headers: { location: 'Items(9)' } }, { headers: { 'OData-EntityId': 'Items(5)' } }]
    expect(await insert('{"Name":"a"}', '{"Name":"b"}')).toEqual([
      [201, 201],
      ['stored 9', 'stored 5'],
    ])
  })

  // RFC 9110, 15.3.2: Location identifies the created resource, even if the service has replaced its key.
  it('MUST be read at the URL within the service, else by their keys', async () => {
    changed = [
      { headers: { location: 'Items(9)' } },
      { headers: { location: 'http://internal.example/Items(5)' } },
    ]
    expect(await insert('{"ID":7}', '{"ID":5}')).toEqual([
      [201, 201],
      ['stored 9', 'stored 5'],
    ])
  })

  it('MUST NOT be lost silently if it has neither', async () => {
    changed = [{}, { headers: { location: 'Items(9)' } }]
    expect(await insert('{"Name":"a"}', '{"Name":"b"}')).toEqual([
      [502, 201],
      [
        "The upstream service has created an entity of 'Items', but sent neither the entity nor its URL.",
        'stored 9',
      ],
    ])
  })
})

// MS-ODATA 2.2.7.6.2: a change set is atomic, which a single change is without a batch.
describe('A change set over a V4 service without batches', () => {
  const upstream = new FaultyServer()

  beforeAll(() => upstream.start())
  afterAll(() => upstream.stop())
  beforeEach(async () => {
    await upstream.reset()
    upstream.respond = (request, response) => {
      const isBatch = request.url?.endsWith('$batch') === true
      if (isBatch) json({}, 500)(request, response)
      else json({ ID: 7, Name: 'new' }, 201)(request, response)
    }
  })

  async function send(...changes: readonly string[]): Promise<unknown> {
    const { port } = await upstream.serve()
    const [responses = []] = await responsesTo(
      port,
      changes.map((body) => written('POST Items', body, { Accept: 'application/json' })),
    )
    return [responses].flat().map(({ status, body }) => [status, /new|The upstream[^"]*/.exec(body)?.[0]])
  }

  it('MUST be one request if it has one change', async () => {
    expect(await send('{"Name":"new"}')).toEqual([[201, 'new']])
    expect(upstream.received).toEqual(['POST /v4/Items'])
  })

  it('MUST get an error that names the batch if it has several', async () => {
    expect(await send('{"ID":7}', '{"ID":8}')).toEqual([
      [
        502,
        'The upstream service failed to process the batch that this request needs, with status 500. It may not support batches.',
      ],
    ])
    expect(upstream.received).toEqual(['POST /v4/$batch'])
  })
})
