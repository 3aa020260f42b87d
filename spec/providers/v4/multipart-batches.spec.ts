import { get, jsonOf, responsesTo, statusesOf, written } from '../../support/batch-exchange.js'
import { FaultyServer, json } from '../../support/v4/faulty-server.js'

/** The response to a change set, with the parts in a given order. */
function changeSetResponse(...parts: readonly string[]): string {
  const all = parts.map((part) => `--d\r\n${part}\r\n`).join('')
  return `--e\r\nContent-Type: multipart/mixed; boundary=d\r\n\r\n${all}--d--\r\n--e--\r\n`
}

const part = (id: string, status: string, body = ''): string =>
  `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${id}\r\nHTTP/1.1 ${status}\r\nContent-Type: application/json\r\n\r\n${body}`

const idLine = (id: number): string => `Content-ID: ${String(id)}\r\n`
const entity = (ID: number): string => JSON.stringify({ ID, Name: `new ${String(ID)}` })
const inserts = [written('POST Items', entity(7)), written('POST Items', entity(8))]

describe('A V4 service that accepts no batches in JSON', () => {
  const upstream = new FaultyServer()
  let bodies: string[]
  let responses: string[]
  let port: number

  beforeAll(() => upstream.start())
  afterAll(() => upstream.stop())
  beforeEach(async () => {
    bodies = []
    responses = []
    port = (await upstream.serve()).port
    upstream.respond = (request, response) => {
      if (request.headers['content-type'] === 'application/json') {
        json({ error: { message: 'Use multipart/mixed.' } }, 415)(request, response)
        return
      }
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString())
        response.writeHead(200, { 'content-type': 'multipart/mixed; boundary=e' })
        response.end(responses.shift())
      })
    }
  })

  it('MUST get change sets as multipart, and no further ones in JSON', async () => {
    const response = changeSetResponse(
      part(idLine(1), '201 Created', entity(7)),
      part(idLine(2), '201 Created', entity(8)),
    )
    responses = [response, response]
    expect(statusesOf(await responsesTo(port, inserts))).toEqual([[201, 201]])
    expect(statusesOf(await responsesTo(port, inserts))).toEqual([[201, 201]])
    expect(upstream.headers.map((one) => one['content-type']?.split(';')[0])).toEqual([
      'application/json',
      'multipart/mixed',
      'multipart/mixed',
    ])
    expect(bodies[0]).toMatch(
      /Content-ID: 1\r\n\r\nPOST Items HTTP\/1\.1\r\n[^]*\r\n\r\n\{"ID":7,"Name":"new 7"\}/,
    )
  })

  it('MAY send responses in any order with the Content-ID of their requests', async () => {
    responses = [
      changeSetResponse(part(idLine(2), '201 Created', entity(8)), part(idLine(1), '201 Created', entity(7))),
    ]
    const [changes = []] = await responsesTo(port, inserts)
    const locations = [changes].flat().map(({ headers }) => headers.location)
    expect(locations).toEqual([expect.stringMatching(/Items\(7\)$/), expect.stringMatching(/Items\(8\)$/)])
  })

  it('MAY send responses in the order of their requests without Content-ID', async () => {
    responses = [changeSetResponse(part('', '201 Created', entity(7)), part('', '201 Created', entity(8)))]
    expect(statusesOf(await responsesTo(port, inserts))).toEqual([[201, 201]])
  })

  it.each([
    ['', 'without Content-ID'],
    [idLine(2), 'with the Content-ID of the request that failed'],
  ])('MAY send one response to a change set that failed: %j', async (id) => {
    const error = JSON.stringify({ error: { code: 'DUP', message: 'It exists.' } })
    responses = [`--e\r\n${part(id, '409 Conflict', error)}\r\n--e--\r\n`]
    const [response] = await responsesTo(port, inserts)
    expect(response).toMatchObject({ status: 409, body: expect.stringContaining('It exists.') as string })
  })

  it('MUST become an error of the upstream for an invalid response', async () => {
    responses = ['--e\r\nContent-Type: application/http\r\n\r\nnothing\r\n--e--\r\n']
    expect(statusesOf(await responsesTo(port, inserts))).toEqual([502])
  })

  it.each([
    ['to the same request twice', [1, 1]],
    ['to another request', [2, 9]],
  ])('MUST NOT respond %s', async (_, ids) => {
    responses = [changeSetResponse(...ids.map((id) => part(idLine(id), '201 Created', entity(id))))]
    expect(statusesOf(await responsesTo(port, inserts))).toEqual([502])
  })

  // Each request has one response: a further one says that the service has processed something else.
  it.each([
    ['without Content-ID', ['', '', '']],
    ['with the Content-ID of each request', [idLine(1), idLine(2), '']],
  ])('MUST NOT send more responses than requests: %s', async (_, ids) => {
    responses = [changeSetResponse(...ids.map((id, index) => part(id, '201 Created', entity(7 + index))))]
    expect(statusesOf(await responsesTo(port, inserts))).toEqual([502])
  })

  it('MUST NOT nest change sets in change sets', async () => {
    const inner = changeSetResponse(
      part(idLine(1), '201 Created', entity(7)),
      part(idLine(2), '201 Created', entity(8)),
    ).replaceAll('--e', '--f')
    responses = [`--e\r\nContent-Type: multipart/mixed; boundary=f\r\n\r\n${inner}--e--\r\n`]
    expect(statusesOf(await responsesTo(port, inserts))).toEqual([502])
  })

  it('MUST get reads that are too long for a URL', async () => {
    responses = [`--e\r\n${part('', '200 OK', `{"value":[${entity(7)}]}`)}\r\n--e--\r\n`]
    const names = Array.from({ length: 400 }, (_, index) => `Name eq 'name ${String(index)}'`)
    const [response] = await responsesTo(port, get(`Items?$filter=${encodeURIComponent(names.join(' or '))}`))
    expect(jsonOf(response)).toMatchObject({ results: [{ ID: 7 }] })
  })
})
