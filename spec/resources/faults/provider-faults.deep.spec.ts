import express from 'express'
import { odataV2 } from '../../../lib/index.js'
import { responsesTo, get, statusesOf, written } from '../../support/batch-exchange.js'
import { turnEventLoop } from '../../support/event-loop.js'
import type { Faulty, FaultyPlace } from '../../support/faulty-provider.js'
import { FaultyProvider } from '../../support/faulty-provider.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { photoModel } from '../../support/services/photo-service.js'

let server: TestServer
let faulty: FaultyProvider
afterEach(() => server.stop())

async function start(errors: Partial<Record<FaultyPlace, Faulty>>): Promise<void> {
  faulty = new FaultyProvider(errors)
  const service = odataV2(photoModel, faulty.provider as never, { onError: faulty.onError })
  server = await TestServer.start(express().use('/n', service))
}

const secret = 'password of the database'

function* nothing(): Generator<never> {
  // JavaScript can throw anything, and this is how without saying it.
}

/** Failures that any method can have. */
const failing: Readonly<Record<string, Faulty>> = {
  'throws an error': () => {
    throw new Error(secret)
  },
  'throws a text': () => nothing().throw(secret),
  'rejects with an error': () => Promise.reject(new Error(secret)),
  'rejects with nothing': async () => nothing().throw(await Promise.resolve()),
  'rejects later': async () => {
    await turnEventLoop()
    throw new Error(secret)
  },
}

/** Values that are not entities. */
const garbage: Readonly<Record<string, Faulty>> = {
  'returns a number': () => 7,
  'returns an array': () => [1],
  'returns nothing': () => undefined,
  'returns a promise of a text': () => Promise.resolve(secret),
}

interface Change {
  readonly line: string
  readonly body: string
  readonly type: string
}

const json = 'application/json'
const insertion: Change = { line: 'POST Counters', body: '{"ID":2,"Value":5,"Version":1}', type: json }
const update: Change = { line: 'MERGE Counters(1)', body: '{"Value":5}', type: json }
const upload: Change = { line: 'POST Photos', body: 'new', type: 'image/png' }
const changes: Readonly<Record<Exclude<FaultyPlace, 'rollBack'>, Change>> = {
  'Counters.insert': insertion,
  'Counters.update': update,
  'Counters.delete': { line: 'DELETE Counters(1)', body: '', type: '' },
  'Counters.link': { line: 'POST Counters(1)/$links/Photos', body: '{"uri":"Photos(1)"}', type: json },
  'Counters.unlink': { line: 'DELETE Counters(1)/$links/Photos(1)', body: '', type: '' },
  'Photos.insert': upload,
  'Photos.media.insert': upload,
  'Photos.media.write': { line: 'PUT Photos(1)/$value', body: 'new', type: 'image/png' },
  'Photos.media.receive': { line: 'PUT Photos(1)/$value', body: 'new', type: 'image/png' },
  'Photos.media.remove': { line: 'DELETE Photos(1)/$value', body: '', type: '' },
  'Photos.media.open': { line: 'PUT Photos(1)/$value', body: 'new', type: 'image/png' },
  beginChangeSet: update,
  commit: update,
}

function headersOf({ line, type }: Change): Record<string, string> {
  return {
    ...(type === '' ? {} : { 'Content-Type': type }),
    ...(/^(?:MERGE|DELETE) Counters\(1\)$/.test(line) ? { 'If-Match': '*' } : {}),
  }
}

function send(change: Change): Promise<HttpResponse> {
  const [method = '', path = ''] = change.line.split(' ')
  const { body } = change
  return server.send(`/n/${path}`, { method, headers: headersOf(change), ...(body === '' ? {} : { body }) })
}

function inBatch(change: Change): string {
  return written(change.line, change.body, headersOf(change))
}

/** Everything there is. */
async function state(): Promise<string> {
  const texts = [
    'Photos?$format=json',
    'Photos(1)/$value',
    'Counters?$format=json',
    'Counters(1)/$links/Photos',
  ]
  faulty.isFaulty = false
  const responses = await Promise.all(texts.map((path) => server.send(`/n/${path}`)))
  faulty.isFaulty = true
  return responses.map(({ text }) => text.replace(/<updated>.*?<\/updated>/g, '')).join('\n')
}

async function link(): Promise<void> {
  faulty.isFaulty = false
  expect((await send(changes['Counters.link'])).status).toBe(204)
  faulty.isFaulty = true
  faulty.calls.length = 0
}

function placesWith(errors: Readonly<Record<string, Faulty>>, places: readonly (keyof typeof changes)[]) {
  return places.flatMap((place) =>
    Object.entries(errors).map(([what, error]) => [place, what, error] as const),
  )
}

const everywhere = Object.keys(changes) as (keyof typeof changes)[]
const rowsWanted = ['Counters.insert', 'Counters.update', 'Photos.insert', 'Photos.media.insert'] as const
/** Nothing stands for "none" elsewhere: no such entity, no change sets. */
const cases = [
  ...placesWith(failing, everywhere),
  ...placesWith(garbage, rowsWanted).filter(
    ([place, what]) => place !== 'Counters.update' || what !== 'returns nothing',
  ),
  ...placesWith({ ...garbage, 'returns an empty object': () => ({}) }, ['beginChangeSet']).filter(
    ([, what]) => what !== 'returns nothing',
  ),
] as const

describe.each(cases)('A provider whose %s %s', (place, _what, error) => {
  beforeEach(async () => {
    await start({ [place]: error })
    if (place === 'Counters.unlink') await link()
  })

  it('MUST get 500 with a general message, and be reported once to the application', async () => {
    const before = await state()
    const response = await send(changes[place])
    expect([response.status, response.text]).toEqual([
      500,
      expect.stringContaining('failed to process the request'),
    ])
    expect(response.text).not.toContain(secret)
    expect(faulty.errors).toHaveLength(1)
    expect(faulty.calls.filter((call) => call === 'rollBack')).toHaveLength(
      faulty.calls.includes('begin') && place !== 'beginChangeSet' ? 1 : 0,
    )
    expect(await state()).toBe(before)
  })

  it('MUST get 500 in its part of a batch, without affecting later parts', async () => {
    const before = await state()
    const good = written('PUT Photos(1)/Title/$value', 'two', { 'Content-Type': 'text/plain' })
    const responses = await responsesTo(
      server.port,
      get('Counters/$count', { Accept: '*/*' }),
      [inBatch(changes[place])],
      inBatch(changes[place]),
      get('Counters/$count', { Accept: '*/*' }),
    )
    expect(statusesOf(responses)).toEqual([200, 500, 500, 200])
    expect(JSON.stringify(responses)).not.toContain(secret)
    expect(faulty.errors).toHaveLength(2)
    expect(await state()).toBe(before)
    faulty.isFaulty = false
    expect(statusesOf(await responsesTo(server.port, [good], good))).toEqual([[204], 204])
  })
})

describe('A provider whose rollback fails', () => {
  it.each(['Counters.update', 'commit'] as const)(
    'MUST be reported with both errors, and the client MUST get the first: %s',
    async (first) => {
      await start({
        [first]: () => Promise.reject(new Error('first')),
        rollBack: () => Promise.reject(new Error('second')),
      })
      expect((await send(update)).status).toBe(500)
      expect(faulty.calls.at(-1)).toBe('rollBack')
      expect(faulty.calls.filter((call) => call === 'rollBack')).toHaveLength(1)
      expect(faulty.errors.map(({ cause }) => (cause as Error).message).sort()).toEqual(['first', 'second'])
      const responses = await responsesTo(server.port, [inBatch(update), inBatch(update)], get('Counters(1)'))
      expect(statusesOf(responses)).toEqual([500, 200])
      expect(faulty.errors).toHaveLength(4)
      expect(faulty.calls.filter((call) => call === 'rollBack')).toHaveLength(2)
    },
  )

  it('MUST not be rolled back after the changes were committed', async () => {
    await start({ rollBack: () => Promise.reject(new Error('never')) })
    expect((await send(update)).status).toBe(204)
    expect(statusesOf(await responsesTo(server.port, [inBatch(update)]))).toEqual([[204]])
    expect(faulty.calls).toEqual(['begin', 'commit', 'begin', 'commit'])
    expect(faulty.errors).toEqual([])
  })
})

describe('Results of the methods of a provider', () => {
  const ignored = placesWith(garbage, ['commit', 'Counters.link', 'Photos.media.write'])

  it.each(ignored)('MUST not matter where nothing is expected: %s %s', async (place, _what, error) => {
    await start({ [place]: error })
    expect((await send(changes[place])).status).toBe(204)
    expect(faulty.errors).toEqual([])
  })

  it('MUST mean that there is no such entity when an update returns nothing', async () => {
    await start({ 'Counters.update': () => undefined })
    expect((await send(update)).status).toBe(404)
    expect(faulty.errors).toEqual([])
  })

  it('MUST be reported to the application when a deletion does not return whether the entity existed', async () => {
    await start({ 'Counters.delete': () => undefined })
    expect((await send(changes['Counters.delete'])).status).toBe(500)
    expect(String(faulty.errors[0]?.cause)).toContain('true, or false when there was no such entity')
  })
})
