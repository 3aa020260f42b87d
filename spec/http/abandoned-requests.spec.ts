import express from 'express'
import type { EntitySetProvider, MediaProvider, Provider, Row } from '../../lib/index.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import { batchBody, written } from '../support/batch-exchange.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures, gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { chunk, RawClient } from '../support/raw-client.js'
import { photoData, photoModel } from '../support/services/photo-service.js'

let server: TestServer
let failures: Failures
const memory = (): Provider => memoryProvider(photoModel, photoData())

async function start(provider = memory()): Promise<void> {
  failures = new Failures()
  const service = odataV2(photoModel, provider as never, { onError: failures.onError })
  server = await TestServer.start(express().use('/p', service))
}

/** The memory provider with other members for one entity set. */
function memoryWith(name: 'Photos' | 'Counters', members: (own: EntitySetProvider) => object): Provider {
  const { entitySets, ...rest } = memory()
  const own = entitySets[name] as unknown as EntitySetProvider
  return { ...rest, entitySets: { ...entitySets, [name]: { ...own, ...members(own) } } }
}

afterEach(() => server.stop())

const json = 'Content-Type: application/json\r\n'
const batch = 'Content-Type: multipart/mixed; boundary=b\r\n'
const chunked = 'Transfer-Encoding: chunked'
const begun = [
  ['POST', 'POST /p/Counters', `${json}Content-Length: 100`, '{"ID":2,'],
  ['POST in chunks', 'POST /p/Counters', `${json}${chunked}`, chunk('{"ID":2,')],
  ['POST in a chunk that is cut', 'POST /p/Counters', `${json}${chunked}`, '100\r\n{"ID"'],
  ['POST with an invalid chunk', 'POST /p/Counters', `${json}${chunked}`, '{"ID":2}'],
  ['MERGE', 'MERGE /p/Counters(1)', `${json}If-Match: *\r\nContent-Length: 100`, '{'],
  [
    'PUT of a property',
    'PUT /p/Photos(1)/Title/$value',
    'Content-Type: text/plain\r\nContent-Length: 9',
    'x',
  ],
  ['$batch', 'POST /p/$batch', `${batch}Content-Length: 1000`, batchBody([written('DELETE Photos(1)')])],
  [
    '$batch in chunks',
    'POST /p/$batch',
    `${batch}${chunked}`,
    chunk(batchBody([written('DELETE Photos(1)')])),
  ],
  ['media', 'PUT /p/Photos(1)/$value', 'Content-Length: 100', 'half'],
  ['new media', 'POST /p/Photos', 'Content-Length: 100', 'half'],
  ['nothing of a body', 'POST /p/Counters', `${json}Content-Length: 100`, ''],
] as const

describe('A client that leaves in the middle of a body', () => {
  it.each(begun)(
    'MUST not be reported as an error, and change nothing: %s',
    async (_what, line, headers, body) => {
      await start()
      const sent = `${line} HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n${body}`
      for (const way of ['leave', 'reset', 'leave'] as const) {
        const client = await RawClient.connect(server.port)
        await client.write(sent)
        // A reset may overtake bytes that the server has not read yet.
        if (way === 'reset') await turnEventLoop()
        await client[way]()
      }
      await server.waitForDisconnects()
      expect(failures.errors).toEqual([])
      const { text } = await server.send('/p/Counters?$format=json&$select=ID,Value')
      expect(JSON.parse(text)).toMatchObject({ d: { results: [{ ID: 1, Value: 0 }] } })
      expect((await server.send('/p/Photos(1)/$value')).text).toBe('old')
      expect((await server.send('/p/Photos/$count')).text).toBe('1')
    },
  )

  it('MUST not be a failure when the provider reports it in words of its own', async () => {
    const [begun, cut] = [gate(), gate()]
    const write = async (_row: Row, { bytes }: { bytes: AsyncIterable<Uint8Array> }): Promise<void> => {
      try {
        for await (const part of bytes) {
          expect(part).not.toHaveLength(0)
          begun.open()
        }
      } catch (cause) {
        cut.open()
        throw new Error('upload failed', { cause: new Error('copy failed', { cause }) })
      }
    }
    await start(memoryWith('Photos', ({ media }) => ({ media: { ...media, receive: undefined, write } })))
    const client = await RawClient.connect(server.port)
    await client.write('PUT /p/Photos(1)/$value HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf')
    await begun.opened
    await client.leave()
    await cut.opened
    await server.waitForDisconnects()
    expect(failures.errors).toEqual([])
  })

  it('MUST not hide errors with another cause', async () => {
    const [entered, allowed] = [gate(), gate()]
    const update = async (): Promise<never> => {
      entered.open()
      await allowed.opened
      throw new Error('disk full')
    }
    await start(memoryWith('Photos', () => ({ update })))
    const client = await RawClient.connect(server.port)
    await client.write(
      `MERGE /p/Photos(1) HTTP/1.1\r\nHost: h\r\n${json}Content-Length: 13\r\n\r\n{"Title":"x"}`,
    )
    await entered.opened
    await client.leave()
    allowed.open()
    await failures.reached(1)
    expect(failures.causes).toEqual([new Error('disk full')])
  })
})

describe('A client that disconnects during its changes', () => {
  /** Changes stop before this one until they are let on. */
  async function leaveDuring(change: number, sent: (line: string[]) => string): Promise<number[]> {
    const [entered, allowed] = [gate(), gate()]
    let calls = 0
    const insert = (own: EntitySetProvider): EntitySetProvider['insert'] => {
      return async (row, call) => {
        if (++calls === change) {
          entered.open()
          await allowed.opened
        }
        const inserted: unknown = await own.insert?.(row, call)
        return inserted as Row
      }
    }
    await start(memoryWith('Counters', (own) => ({ insert: insert(own) })))
    const client = await RawClient.connect(server.port)
    const lines = [2, 3, 4].map((ID) =>
      written('POST Counters', JSON.stringify({ ID, Value: 0, Version: 1 }), {
        'Content-Type': 'application/json',
      }),
    )
    await client.write(sent(lines))
    await entered.opened
    await client.leave()
    await server.waitForDisconnects()
    allowed.open()
    await turnEventLoop()
    const { text } = await server.send('/p/Counters?$format=json')
    const { d } = JSON.parse(text) as { d: { results: { ID: number }[] } }
    return d.results.map(({ ID }) => ID)
  }

  const post = (body: string): string =>
    `POST /p/$batch HTTP/1.1\r\nHost: h\r\n${batch}Content-Length: ${body.length}\r\n\r\n${body}`

  it.each([1, 2, 3])('MUST roll back a change set that has reached request %i', async (change) => {
    expect(await leaveDuring(change, (lines) => post(batchBody(lines)))).toEqual([1])
    expect(failures.errors).toEqual([])
    const response = await server.send('/p/Counters', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"ID":9,"Value":1,"Version":1}',
    })
    expect(response.status).toBe(201)
  })

  it('MUST find whole change sets only', async () => {
    expect(await leaveDuring(2, (lines) => post(batchBody(...lines.map((line) => [line]))))).toEqual([1, 2])
    expect(failures.errors).toEqual([])
  })
})

describe('A provider whose rows never end', () => {
  const never = (): Promise<never> => new Promise(() => undefined)

  it.each([
    ['insert', 'POST /p/Counters', '{"ID":2,"Value":0,"Version":1}', 'Counters', { insert: never }],
    ['update', 'MERGE /p/Counters(1)', '{"Value":1}', 'Counters', { update: never }],
    ['delete', 'DELETE /p/Counters(1)', '', 'Counters', { delete: never }],
    ['link', 'POST /p/Counters(1)/$links/Photos', '{"uri":"Photos(1)"}', 'Counters', { link: never }],
    ['readByKey', 'DELETE /p/Counters(1)', '', 'Counters', { readByKey: never }],
    ['media.write', 'PUT /p/Photos(1)/$value', 'x', 'Photos', { media: { write: never } }],
    ['media.insert', 'POST /p/Photos', 'x', 'Photos', { media: { insert: never } }],
  ] as const)('MUST see the signal when the client leaves: %s', async (_what, line, body, set, members) => {
    const entered = gate()
    const signals: AbortSignal[] = []
    const noted = (call: () => Promise<never>) => {
      return (...all: unknown[]): Promise<never> => {
        const last = all.at(-1) as { readonly signal: AbortSignal }
        signals.push(last.signal)
        entered.open()
        return call()
      }
    }
    const methods = (all: object): object =>
      Object.fromEntries(
        Object.entries(all).map(([name, call]) => [name, noted(call as () => Promise<never>)]),
      )
    const changed = ({ media }: EntitySetProvider): object =>
      'media' in members
        ? { media: { ...(media as MediaProvider<Row>), ...methods(members.media) } }
        : methods(members)
    // Each change has its own: a change that hangs must not block the others.
    await start({ ...memoryWith(set, changed), beginChangeSet: undefined } as unknown as Provider)
    const client = await RawClient.connect(server.port)
    const type = body.startsWith('{') ? json : ''
    const headers = `Host: h\r\nIf-Match: *\r\n${type}Content-Length: ${body.length}`.replace(
      line.startsWith('POST') ? 'If-Match: *\r\n' : '',
      '',
    )
    await client.write(`${line} HTTP/1.1\r\n${headers}\r\n\r\n${body}`)
    await Promise.race([entered.opened, client.responses(1)])
    expect(client.text).toBe('')
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await client.leave()
    await server.waitForDisconnects()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(failures.errors).toEqual([])
    expect((await server.send('/p/Photos/$count')).text).toBe('1')
  })
})
