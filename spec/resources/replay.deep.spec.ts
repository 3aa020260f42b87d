import express from 'express'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import { responsesIn, batchBody, statusesOf, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { sendAndDisconnect, TestServer } from '../support/http-exchange.js'
import { until } from '../support/until.js'

const model = defineModel({
  namespace: 'Replay',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
    File: { key: ['ID'], hasStream: true, properties: { ID: edm.Int32({ nullable: false }) } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' }, Files: { entityType: 'File' } } },
})

/** The methods of the provider that fail, and the number of failures. */
interface Trouble {
  /** `overlap`: the commit fails if other change sets have begun since. */
  place: 'insert' | 'commit' | 'overlap'
  times: number
}

/** A store in memory that says of some changes that others were in the way. */
function troubledProvider(trouble: Trouble, withoutReceive: boolean): Provider {
  const memory = memoryProvider(model, { Items: [], Files: [] }) as Provider
  const fail = (place: Trouble['place']): void => {
    if (trouble.place !== place || trouble.times-- <= 0) return
    throw new ODataError('ServiceUnavailable', { details: { retryable: true, retryAfter: 2 } })
  }
  const sets = Object.entries(memory.entitySets).map(([name, set]) => {
    const media = { ...set.media, receive: undefined }
    return [
      name,
      {
        ...set,
        insert: (entity: never, call: never) => {
          fail('insert')
          return set.insert?.(entity, call)
        },
        ...(set.media !== undefined && withoutReceive ? { media } : {}),
      },
    ]
  })
  let begun = 0
  return {
    entitySets: Object.fromEntries(sets),
    beginChangeSet: async (call) => {
      const number = ++begun
      const changeSet = await memory.beginChangeSet?.(call)
      if (changeSet === undefined) throw new Error('There is no change set.')
      const commit = changeSet.commit.bind(changeSet)
      // The store knows the change sets that it has begun.
      return Object.assign(changeSet, {
        commit: () => {
          fail('commit')
          if (begun > number) fail('overlap')
          return commit()
        },
      })
    },
  }
}

describe('Changes that a provider marks as retryable', () => {
  const trouble: Trouble = { place: 'insert', times: 0 }
  const failures: unknown[] = []
  let server: TestServer
  let requested = 0

  beforeAll(async () => {
    const options = {
      onError: (error: unknown) => {
        failures.push(error)
      },
      hooks: {
        Items: {
          beforeInsert: (_: unknown, call: { messages: { add(message: unknown): void } }) => {
            requested++
            call.messages.add({ code: 'M', message: 'once', severity: 'info' })
          },
        },
      },
    }
    const app = express()
    for (const [path, without] of [
      ['/s', false],
      ['/t', true],
    ] as const) {
      app.use(path, odataV2(model, troubledProvider(trouble, without), options as never))
    }
    server = await TestServer.start(app)
  })

  afterAll(() => server.stop())

  beforeEach(() => {
    requested = 0
    failures.length = 0
  })

  const post = (Name: string): Promise<HttpResponse> =>
    server.send('/s/Items', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ Name }),
    })
  const count = async (set = 's/Items'): Promise<number> => Number((await server.send(`/${set}/$count`)).text)

  it.each(['insert', 'commit'] as const)(
    'MUST be retried up to ten times when the %s fails, and happen once',
    async (place) => {
      Object.assign(trouble, { place, times: 10 })
      const before = await count()
      const { status, headers } = await post(place)
      expect([status, await count(), requested]).toEqual([201, before + 1, 11])
      // Messages of attempts that were rolled back are discarded.
      expect(String(headers['sap-message']).match(/once/g)).toHaveLength(1)
      expect(failures).toEqual([])
    },
  )

  it('MUST get 503 and Retry-After after the last attempt, and have no effect', async () => {
    Object.assign(trouble, { place: 'commit', times: 11 })
    const before = await count()
    const { status, headers } = await post('x')
    expect([status, headers['retry-after'], await count()]).toEqual([503, '2', before])
    expect(failures).toHaveLength(1)
  })

  it('MUST be the whole change set in a batch, with the same bodies', async () => {
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const send = async (): Promise<unknown> => {
      const parts = ['first', 'second'].map((Name) => written('POST Items', JSON.stringify({ Name })))
      const response = await server.send('/s/$batch', { method: 'POST', headers, body: batchBody(parts) })
      return statusesOf(responsesIn({ headers: response.headers, text: response.text } as never))
    }
    for (const place of ['insert', 'commit'] as const) {
      const before = await count()
      Object.assign(trouble, { place, times: 2 })
      expect([await send(), await count()]).toEqual([[[201, 201]], before + 2])
      Object.assign(trouble, { place, times: 11 })
      expect([await send(), await count()]).toEqual([[503], before + 2])
    }
  })

  it('MUST be retried one after the other when they conflict with each other', async () => {
    const requests = Array.from({ length: 20 }, (_, index) => index)
    const before = await count()
    Object.assign(trouble, { place: 'overlap', times: Infinity })
    const responses = await Promise.all(requests.map((index) => post(String(index))))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await count()).toBe(before + 20)
    trouble.times = 0
  })

  it('MUST not be retried after the client has disconnected, nor delay the retries of others', async () => {
    Object.assign(trouble, { place: 'commit', times: Infinity })
    const isRetried = until(() => requested > 1)
    await sendAndDisconnect(server, '/s/Items', isRetried, '{}')
    await until(() => failures.length === 1)
    Object.assign(trouble, { times: 1 })
    const attempts = requested
    expect((await post('next')).status).toBe(201)
    expect(requested).toBe(attempts + 2)
  })

  it('MUST be retried with all bytes of a media resource, or not at all', async () => {
    const question = { method: 'POST', headers: { 'Content-Type': 'image/png' }, body: 'bytes' }
    Object.assign(trouble, { place: 'commit', times: 1 })
    const { status, headers } = await server.send('/s/Files', question)
    const location = String(headers.location).replace(/^.*\/s\//, '')
    expect([status, (await server.send(`/s/${location}/$value`)).text]).toEqual([201, 'bytes'])
    Object.assign(trouble, { place: 'commit', times: 1 })
    expect([(await server.send('/t/Files', question)).status, await count('t/Files')]).toEqual([503, 0])
  })
})
