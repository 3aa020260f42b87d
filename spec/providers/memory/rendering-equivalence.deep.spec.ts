import { fc, runs } from '../../support/random.js'
import type { ServiceOptions } from '../../../lib/options.js'
import { change } from './random-changes.js'
import type { RandomRequest } from './random-requests.js'
import { filterOn, request, setNames } from './random-requests.js'
import { shopProvider, world } from './random-shop.js'
import type { Asked } from './service-answers.js'
import { AnsweringService, standardRoot } from './service-answers.js'
import { shopModel } from './shop-model.js'

const model = shopModel()

/** What is asked for, by whom, or a change, or seconds that go by. */
type Step =
  | { readonly kind: 'read'; readonly asked: Asked; readonly times: number }
  | { readonly kind: 'change'; readonly asked: Asked }
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
  return { kind: 'read', asked: { target: `/${path}?${pairs.join('&')}`, headers, root }, times: 3 }
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
        { weight: 3, arbitrary: change.map((asked): Step => ({ kind: 'change', asked })) },
        { weight: 1, arbitrary: fc.nat(3).map((seconds): Step => ({ kind: 'wait', seconds })) },
      ),
      { minLength: 4, maxLength: 14 },
    ),
  )

const renderedBytes = fc.constantFrom(6_000, 20_000, 33_554_432)

const serviceOptions: fc.Arbitrary<ServiceOptions> = fc.record({
  pageSize: fc.constantFrom(1, 3, 1_000),
  doubleAsNumber: fc.boolean(),
  limits: fc.record({ expandedRows: fc.constantFrom(3, 12, 1_000) }),
})

const restrictions = fc
  .tuple(...setNames.map((set) => fc.option(filterOn(set), { nil: undefined, freq: 2 })))
  .map((filters) => Object.fromEntries(setNames.map((set, index) => [set, filters[index]])))

/** Has each step done by a service that keeps what it writes and by one that does not. */
async function compare(
  data: Parameters<typeof shopProvider>[0],
  all: readonly Step[],
  kept: number,
  options: ServiceOptions,
): Promise<void> {
  const keeping = new AnsweringService(model, shopProvider(data, { renderedBytes: kept }), options)
  const plain = new AnsweringService(model, shopProvider(data, { renderedBytes: 0 }), options)
  for (const step of all) {
    if (step.kind === 'wait') {
      jest.setSystemTime(Date.now() + step.seconds * 1_000)
      continue
    }
    const times = step.kind === 'read' ? step.times : 1
    for (let time = 0; time < times; time++) {
      expect(await keeping.ask(step.asked)).toEqual(await plain.ask(step.asked))
    }
  }
}

describe('Entities that the memory provider keeps as it wrote them', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_704_164_645_000, doNotFake: ['setImmediate', 'nextTick', 'performance'] })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('MUST be those that the service writes, whatever changes in between', () =>
    fc.assert(fc.asyncProperty(world, steps, renderedBytes, serviceOptions, compare), { numRuns: runs(120) }))

  it('MUST be those that the caller may see', () =>
    fc.assert(
      fc.asyncProperty(
        world,
        steps,
        renderedBytes,
        serviceOptions,
        restrictions,
        (data, all, kept, options, filters) =>
          compare(data, all, kept, {
            ...options,
            authorize: (operation) => (operation.kind === 'read' ? filters[operation.entitySet] : undefined),
          }),
      ),
      { numRuns: runs(80) },
    ))
})
