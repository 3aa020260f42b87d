import { fc, runs } from '../../support/random.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { ServiceOptions } from '../../../lib/options.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'
import { photoData, photoModel } from '../../support/services/photo-service.js'
import { change } from './random-changes.js'
import type { RandomRequest } from './random-requests.js'
import { filterOn, request, setNames } from './random-requests.js'
import { shopProvider, world } from './random-shop.js'
import type { SentRequest } from './service-responses.js'
import { RespondingService, standardRoot } from './service-responses.js'
import { shopModel } from './shop-model.js'

const model = shopModel()

/** A request of a user, a change, or a number of seconds to wait. */
type Step =
  | { readonly kind: 'read'; readonly requested: SentRequest; readonly times: number }
  | { readonly kind: 'change'; readonly requested: SentRequest }
  | { readonly kind: 'wait'; readonly seconds: number }

const selections: Readonly<Record<string, readonly string[]>> = {
  Categories: ['ID', 'Name,Products', 'Products/Name', 'Parent'],
  Products: ['Name', 'Code,Dims,Category', 'Tags/T', 'Category/Name,Price'],
  Tags: ['T', 'Products'],
}

function readOf({ path, options }: RandomRequest, choice: readonly [string, string, string, number]): Step {
  const [format, version, root, select] = choice
  const selectable = options.$expand === undefined ? (selections[path] ?? []) : []
  const $select = selectable[select]
  const all = { ...options, ...($select === undefined || $select.includes('/') ? {} : { $select }) }
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const headers = { accept: format, ...(version === '' ? {} : { maxdataserviceversion: version }) }
  return { kind: 'read', requested: { target: `/${path}?${pairs.join('&')}`, headers, root }, times: 3 }
}

const reading: fc.Arbitrary<Step> = fc
  .tuple(
    request,
    fc.tuple(
      fc.constantFrom('application/json', 'application/atom+xml'),
      fc.constantFrom('', '', '', '1.0'),
      fc.constantFrom(standardRoot, standardRoot, 'https://other.example:8443/s/'),
      fc.nat(8),
    ),
  )
  .map(([one, choice]) => readOf(one, choice))

const steps = fc
  .array(reading, { minLength: 1, maxLength: 4 })
  .chain((reads) =>
    fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...reads) },
        { weight: 3, arbitrary: change.map((requested): Step => ({ kind: 'change', requested })) },
        { weight: 1, arbitrary: fc.nat(3).map((seconds): Step => ({ kind: 'wait', seconds })) },
      ),
      { minLength: 4, maxLength: 14 },
    ),
  )

const serviceOptions: fc.Arbitrary<ServiceOptions> = fc.record({
  pageSize: fc.constantFrom(1, 3, 1_000),
  doubleAsNumber: fc.boolean(),
  limits: fc.record({ expandedRows: fc.constantFrom(3, 12, 1_000) }),
})

const restrictions = fc
  .tuple(...setNames.map((set) => fc.option(filterOn(set), { nil: undefined, freq: 2 })))
  .map((filters) => Object.fromEntries(setNames.map((set, index) => [set, filters[index]])))

/** A provider without push-down: the service filters, sorts and pages its rows. */
function rowsOf({ entitySets, functions, ...provider }: Provider): Provider {
  const pushdown = { navigation: () => true }
  const sets = Object.entries(entitySets).map(([name, set]) => [name, { ...set, pushdown }] as const)
  const begin = provider.beginChangeSet?.bind(provider)
  if (begin === undefined) throw new Error('The memory provider has change sets.')
  return { entitySets: Object.fromEntries(sets), functions, beginChangeSet: begin }
}

/** Sends the requests of each step to the memory provider and to a service that evaluates queries itself. */
async function compare(
  data: Parameters<typeof shopProvider>[0],
  all: readonly Step[],
  options: ServiceOptions,
): Promise<void> {
  const memory = new RespondingService(model, shopProvider(data), options)
  const plain = new RespondingService(model, rowsOf(shopProvider(data)), options)
  for (const step of all) {
    if (step.kind === 'wait') {
      jest.setSystemTime(Date.now() + step.seconds * 1_000)
      continue
    }
    const times = step.kind === 'read' ? step.times : 1
    for (let time = 0; time < times; time++) {
      expect(await memory.send(step.requested)).toEqual(await plain.send(step.requested))
    }
  }
}

describe('Requests that are sent to the memory provider repeatedly', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_704_164_645_000, doNotFake: ['setImmediate', 'nextTick', 'performance'] })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('MUST have the responses of a service that evaluates all queries itself, whatever changes in between', () =>
    fc.assert(fc.asyncProperty(world, steps, serviceOptions, compare), { numRuns: runs(120) }))

  it('MUST show only entities that the caller may see', () =>
    fc.assert(
      fc.asyncProperty(world, steps, serviceOptions, restrictions, (data, all, options, filters) =>
        compare(data, all, {
          ...options,
          authorize: (operation) => (operation.kind === 'read' ? filters[operation.entitySet] : undefined),
        }),
      ),
      { numRuns: runs(80) },
    ))

  it('MUST show the current media resources', async () => {
    const photos = photoModel as EdmModel
    const service = new RespondingService(photos, memoryProvider(photos, photoData()))
    const plain = new RespondingService(photos, rowsOf(memoryProvider(photos, photoData())))
    const send = async (requested: SentRequest) => {
      const [response, expected] = [await service.send(requested), await plain.send(requested)]
      expect(response).toEqual(expected)
      return response.text
    }
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const body = JSON.stringify({ uri: 'http://localhost/shop/Photos(1)' })
    await send({ method: 'POST', target: '/Counters(1)/$links/Photos', headers, body })
    for (const target of ['/Photos', '/Counters?$expand=Photos']) {
      const seen = new Set<string>()
      for (const content of ['one', 'two', 'three']) {
        const media = { headers: { 'content-type': 'image/png' }, body: `${target} ${content}` }
        await send({ method: 'PUT', target: '/Photos(1)/$value', ...media })
        for (const accept of ['application/json', 'application/atom+xml']) {
          for (let time = 0; time < 3; time++) seen.add(await send({ target, headers: { accept } }))
        }
      }
      expect(seen.size).toBe(6)
    }
  })

  it.each(['commit', 'rollBack'] as const)('MUST NOT show changes of a change set before %s', async (end) => {
    const photos = photoModel as EdmModel
    const Counters = [1, 2].map((ID) => ({ ID, Value: ID * 7, Version: 1 }))
    const provider = memoryProvider(photos, { Counters })
    const service = new RespondingService(photos, provider)
    const headers = { accept: 'application/json' }
    const read = async () => (await service.send({ target: '/Counters', headers })).text
    const before = await read()
    expect([await read(), await read()]).toEqual([before, before])
    const call = callWith()
    const changeSet = await provider.beginChangeSet?.(call)
    await provider.entitySets.Counters?.update?.({ ID: 1 }, { Value: 4711 }, {}, { ...call, changeSet })
    const waiting = [read(), read(), read()]
    await new Promise((resolve) => setImmediate(resolve))
    await changeSet?.[end]()
    for (const text of await Promise.all(waiting)) expect(text.includes('4711')).toBe(end === 'commit')
    expect((await read()) === before).toBe(end === 'rollBack')
  })
})
