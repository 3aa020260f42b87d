import { batchBody, written } from '../../support/batch-exchange.js'
import type { Place } from '../../support/faults/faulty-places.js'
import { places } from '../../support/faults/faulty-places.js'
import { ServiceProcess } from '../../support/faults/faulty-services.js'
import { errors, secret } from '../../support/faults/provider-faults.js'
import type { WriteResponse } from '../../support/killed-writer.js'
import { sendBytes } from '../../support/killed-writer.js'
import { until } from '../../support/until.js'

interface Found {
  /** 0 means that the connection was aborted. */
  readonly status: number
  readonly text: string
  /** The body of a later response of the same service. */
  readonly next: string
  readonly counters: string
}

let service: ServiceProcess
let handles: number

function headersOf({ type, conditional }: Place): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(conditional === true ? { 'If-Match': '*' } : {}),
  }
}

const faulty = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}faulty=1`

async function send(method: string, path: string, body = '', headers = {}): Promise<WriteResponse> {
  const response = await sendBytes(service.port, method, path, Buffer.from(body), headers)
  return response ?? { status: 0, text: '' }
}

/** Retries while another change set is being rolled back. */
async function patiently(path: string): Promise<string> {
  for (;;) {
    const { status, text } = await send('GET', path, '', { Accept: 'application/json' })
    if (status !== 503) return text
  }
}

async function found(place: Place, root: string, isBatch: boolean): Promise<Found> {
  if (place.method === 'DELETE' && place.path.includes('$links')) {
    await send('POST', `${root}/Counters(1)/$links/Photos`, '{"uri":"Photos(1)"}', {
      'Content-Type': 'application/json',
    })
  }
  const { method, path, body = '' } = place
  const response = isBatch
    ? await inChangeSet(place, root)
    : await send(method, `${root}/${faulty(path)}`, body, headersOf(place))
  return {
    ...response,
    next: await patiently(`${root}/Photos/$count`),
    counters: await patiently(`${root}/Counters?$format=json`),
  }
}

/** Sends the change after a valid change of the same change set. The status is that of the change set. */
async function inChangeSet(place: Place, root: string): Promise<WriteResponse> {
  const good = written('POST Counters', '{"ID":7,"Value":7,"Version":1}', {
    'Content-Type': 'application/json',
  })
  const headers = headersOf(place)
  const bad = written(`${place.method} ${faulty(place.path)}`, place.body, headers)
  const response = await send('POST', `${root}/${faulty('$batch')}`, batchBody([good, bad]), {
    'Content-Type': 'multipart/mixed; boundary=b',
  })
  if (response.status !== 202) return response
  const statuses = [...response.text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
  return { status: Math.max(...statuses), text: response.text }
}

const results = new Map<string, Found>()
const isWrite = ({ method }: Place): boolean => method !== 'GET'

interface Case {
  readonly name: string
  readonly where: string
  readonly what: string
  readonly place: Place
  readonly index: number
  readonly isBatch: boolean
}

const cases: readonly Case[] = Object.entries(places).flatMap(([where, place]) =>
  Object.keys(errors).flatMap((what, index) => {
    if (isOfNoUse(where, what)) return []
    const one = { where, what, place, index }
    const alone = { ...one, isBatch: false, name: `${where} ${what}` }
    const within = { ...one, isBatch: true, name: `${where} ${what}, in a change set` }
    return isWrite(place) ? [alone, within] : [alone]
  }),
)

/**
 * The service never sees a change set that `beginChangeSet` does not return, and accepts strings from `write`
 * as ETags.
 */
function isOfNoUse(where: string, what: string): boolean {
  if (where === 'media.write') return what === 'returns a text'
  return where === 'beginChangeSet' && /rows that|rows of which|and resolves/.test(what)
}

beforeAll(async () => {
  service = await ServiceProcess.start('faulty-services-script')
  handles = service.handles
  // Runs the cases of one service sequentially, and those of different services concurrently.
  const byService = new Map<string, Case[]>()
  for (const one of cases) {
    const root = `/${encodeURIComponent(one.where)}/${one.index}`
    byService.set(root, [...(byService.get(root) ?? []), one])
  }
  const waiting = [...byService]
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { name, place, isBatch } of next[1]) results.set(name, await found(place, next[0], isBatch))
    }
  }
  await Promise.all(Array.from({ length: 80 }, worker))
})

afterAll(() => service.stop())

/** Returns the statuses that an error may have; 0 means that the connection was aborted. */
const statusesOf = ({ where, what }: Case): readonly number[] => {
  if (/^(?:throws|rejects(?! after))|a promise of which/.test(what)) return [500]
  // The response to a commit is its outcome, if the provider reports it soon after the abort.
  if (where === 'commit' && what === 'answers after the abort') return [204, 503]
  if (/^never|after the abort$/.test(what)) return [503]
  return [500, 503, 0, ...(believed[where] ?? [])]
}

/** Invalid results of a provider that the service accepts, because it ignores them or they look valid. */
const believed: Readonly<Record<string, readonly number[]>> = {
  read: [200],
  'read, to be sorted': [200, 400],
  'read, to be counted': [200, 400],
  readByKey: [404],
  count: [200],
  'media.open': [404],
  update: [204, 404],
  link: [204],
  'media.write': [204],
  'media.remove': [204],
  beginChangeSet: [204, 501],
  commit: [204],
}

describe('A provider with one failing method', () => {
  it.each(cases.map((one) => [one.name, one] as const))('MUST fail only that request: %s', (name, one) => {
    const result = results.get(name)
    expect(statusesOf(one)).toContain(result?.status)
    // The service continues to work, and the response contains no internal details.
    expect(result?.next).toBe('1')
    expect(result?.text).not.toContain(secret)
    const counters = result?.counters ?? ''
    const [changed, added] = [counters.includes('"Value":5'), counters.includes('"ID":7')]
    // All of a change set is there, or nothing. What became of a commit that does not tell is open.
    const isDone = [200, 201, 204].includes(result?.status ?? 0)
    if (one.where === 'commit') {
      expect(changed).toBe(isDone || changed)
      expect(one.isBatch ? added : changed).toBe(changed)
    } else if (one.isBatch) expect(added).toBe(isDone)
    else if (!isDone) expect(changed).toBe(false)
  })

  it('MUST leave the process alive, with nothing said of rejections, and no handle more', async () => {
    expect([service.isAlive, service.told]).toEqual([true, ''])
    await until(() => service.handles <= handles)
  })
})
