import { channel } from 'node:diagnostics_channel'
import { format } from 'node:util'
import createDebug from 'debug'
import express from 'express'
import type {
  ODataError,
  ODataV2Options,
  ProviderCall,
  ReadQuery,
  RequestEvent,
  RequestIds,
} from '../../lib/index.js'
import { memoryProvider, odataV2, requestListener } from '../../lib/index.js'
import type { Question } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { photoData, photoModel } from '../support/services/photo-service.js'

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

let server: TestServer
let seen: (RequestIds | undefined)[]
let errors: ODataError[]

/** A service whose context, `authorize` and errors are recorded. Photos cannot be read. */
async function start(options: ODataV2Options = { requestIds: true }): Promise<ReturnType<typeof odataV2>> {
  seen = []
  errors = []
  const provider = memoryProvider(photoModel, photoData())
  const service = odataV2(
    photoModel,
    {
      ...provider,
      entitySets: {
        ...provider.entitySets,
        Counters: {
          ...provider.entitySets.Counters,
          read: (query: ReadQuery, call: ProviderCall) => {
            seen.push(call.requestIds)
            return provider.entitySets.Counters.read(query, call)
          },
        },
        Photos: {
          ...provider.entitySets.Photos,
          read: () => {
            throw new Error('The disk is full.')
          },
        },
      },
    },
    { onError: (error) => errors.push(error), ...options },
  )
  server = await TestServer.start(express().use('/p', service))
  return service
}
afterEach(() => server.stop())

const idsOf = async (headers: Question['headers'], path = 'Counters'): Promise<unknown> => {
  const { headers: received } = await server.send(`/p/${path}`, { headers: headers ?? {} })
  return [received['x-request-id'], received['x-correlation-id']]
}

describe('The ids of a request', () => {
  it('MUST be sent back, and be those that the provider receives', async () => {
    await start()
    expect(await idsOf({ 'x-request-id': 'r-1', traceparent })).toEqual(['r-1', undefined])
    expect(await idsOf({ 'x-request-id': 'r-2', 'x-correlation-id': 'c/2' })).toEqual(['r-2', 'c/2'])
    expect(await idsOf({ 'x-correlation-id': 'c-3' })).toEqual(['c-3', 'c-3'])
    expect(seen).toEqual([
      { requestId: 'r-1', correlationId: undefined, traceparent },
      { requestId: 'r-2', correlationId: 'c/2', traceparent: undefined },
      { requestId: 'c-3', correlationId: 'c-3', traceparent: undefined },
    ])
  })

  it.each(['a b', "x'y", 'ä', '', 'x,y', 'r'.repeat(129), '<a>', 'a"b'])(
    'MUST be generated where that of the client is missing or invalid: %j',
    async (id) => {
      await start()
      const headers = { 'x-request-id': id, 'x-correlation-id': id, traceparent: `${traceparent}${id}` }
      const given =
        id === 'ä'
          ? { ...headers, 'x-request-id': '\xe4', 'x-correlation-id': '\xe4', traceparent: '' }
          : headers
      expect(await idsOf(given)).toEqual([expect.stringMatching(UUID), undefined])
      expect(seen[0]?.traceparent).toBe(id === '' ? traceparent : undefined)
    },
  )

  it.each([
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  ])('MUST NOT include an invalid traceparent: %s', async (invalid) => {
    await start()
    await idsOf({ traceparent: invalid })
    expect(seen[0]?.traceparent).toBeUndefined()
  })

  it('MUST be absent without the option', async () => {
    await start({})
    expect(await idsOf({ 'x-request-id': 'r-1', 'x-correlation-id': 'c-1' })).toEqual([undefined, undefined])
    expect(seen).toEqual([undefined])
  })

  it('MUST be in responses with errors, in events and in the error of onError', async () => {
    const service = await start()
    const events: RequestEvent[] = []
    const listener = (message: unknown): void => {
      events.push(message as RequestEvent)
    }
    channel('express-odata-v2:request:end').subscribe(listener)
    expect(await idsOf({ 'x-request-id': 'r-404' }, 'Nothing')).toEqual(['r-404', undefined])
    expect(await idsOf({ 'x-request-id': 'r-500' }, 'Photos')).toEqual(['r-500', undefined])
    await service.close()
    expect(await idsOf({ 'x-request-id': 'r-503' })).toEqual(['r-503', undefined])
    channel('express-odata-v2:request:end').unsubscribe(listener)
    expect(events.map(({ status, requestIds }) => [status, requestIds?.requestId])).toEqual([
      [404, 'r-404'],
      [500, 'r-500'],
    ])
    expect(errors.map(({ requestIds }) => requestIds?.requestId)).toEqual(['r-500'])
  })

  it('MUST be sent back outside of the mount path of a listener', async () => {
    const listener = requestListener(photoModel, memoryProvider(photoModel, photoData()), {
      mountPath: '/p',
      requestIds: true,
    })
    server = await TestServer.start(listener)
    const { status, headers } = await server.send('/q', { headers: { 'x-request-id': 'r-1' } })
    expect([status, headers['x-request-id']]).toEqual([404, 'r-1'])
  })

  it('MUST be those of the batch for its parts, unless a part has its own', async () => {
    await start()
    const part = (headers: string): string =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET Counters HTTP/1.1\r\n${headers}\r\n\r\n`
    const { headers, text } = await server.send('/p/$batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b', 'x-request-id': 'batch', traceparent },
      body: `${part('')}${part('x-request-id: part\r\n')}--b--\r\n`,
    })
    expect(headers['x-request-id']).toBe('batch')
    expect(text.match(/x-request-id: .*/gi)).toEqual(['X-Request-ID: part'])
    expect(seen).toEqual([
      { requestId: 'batch', correlationId: undefined, traceparent },
      { requestId: 'part', correlationId: undefined, traceparent },
    ])
  })

  it('MUST be in the lines of the debug output', async () => {
    await start()
    const lines: string[] = []
    const { log } = createDebug
    createDebug.log = (...parts: unknown[]) => lines.push(format(...parts))
    createDebug.enable('odata-v2:*')
    await idsOf({ 'x-request-id': 'r-1' })
    await idsOf({ 'x-request-id': 'r-2' }, 'Nothing')
    createDebug.disable()
    createDebug.log = log
    const text = lines.join('\n')
    expect(text).toMatch(/odata-v2:request.*GET \/p\/Counters 200 .* ms \[r-1\]/)
    expect(text).toMatch(/odata-v2:error.*GET \/Nothing: 404 .* \[r-2\]/)
  })
})
