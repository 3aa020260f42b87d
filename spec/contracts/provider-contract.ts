import { fc, runs } from '../support/random.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { Provider } from '../../lib/provider/provider.js'
import type { PromiseOrValue } from '../../lib/util/promise-or-value.js'
import { plainProvider } from '../support/plain-provider.js'
import type { ExpectedDifferences } from './expected-differences.js'
import { withDifferences } from './expected-differences.js'
import { describeExactness } from './contract-exactness.js'
import { describeReading } from './contract-reading.js'
import { describeRelations } from './contract-relations.js'
import { contractRows } from './contract-data.js'
import type { ContractRows } from './contract-data.js'
import { contractModel } from './contract-model.js'
import { authorizeBy, ContractServices, outlineOfResponse } from './contract-service.js'
import { vocabularies, vocabularyOf } from './contract-vocabulary.js'
import type { FitFractions } from './fraction-digits.js'
import { fittingFractions, rowsWithFractions } from './fraction-digits.js'
import { handicap, hindered, readingOnly, unhindered } from './handicaps.js'
import { filterOn, requestOn } from './random-requests.js'

/** The model and the rows of a provider under the contract. */
export interface ContractData {
  readonly model: EdmModel
  /** Plain rows; how they are linked without foreign keys is in `linkTables`. */
  readonly rows: ContractRows
}

interface ContractOptions {
  /**
   * Features that a provider lacks. Without `media`, photos are entities without media resources; without
   * `inheritance`, parties are not requested.
   */
  readonly without?: readonly ('media' | 'inheritance')[]
  /** The number of fraction digits of a second that the provider stores. Default: 7. */
  readonly fractionDigits?: number
  /** Statements that are not true of the provider, with reasons. Default: none. */
  readonly differences?: ExpectedDifferences
  /** The number of random requests for each property in a deep run. Default: 100. */
  readonly numRuns?: number
}

/** The arguments of the parts of the contract. */
export interface ContractSubject {
  readonly services: () => ContractServices
  readonly provider: () => Provider
  readonly has: (feature: 'media' | 'inheritance') => boolean
  /** To be used for every text with more digits of a second than a provider may keep. */
  readonly fit: FitFractions
}

/**
 * The suite of every provider. It sends requests to services on the provider, and compares the responses with the data,
 * with the responses of the same provider without push-down, and with those of a provider that is only an array.
 *
 * The services are mounted as `all` without a page size, and as `two` and `one` with pages of two and one.
 *
 * @param name the provider, for the titles
 * @param makeProvider creates a provider of the model and the rows
 */
export function describeProvider(
  name: string,
  makeProvider: (data: ContractData) => PromiseOrValue<Provider>,
  options: ContractOptions = {},
): void {
  describe(`${name} under the provider contract`, () => {
    let services: ContractServices
    let provider: Provider
    const fit = fittingFractions(options.fractionDigits ?? 7)
    const rows = rowsWithFractions(contractRows, fit)

    beforeAll(async () => {
      services = await ContractServices.start()
      provider = await makeProvider({ model: contractModel(), rows })
      services.mount('all', provider, { pageSize: 0 })
      services.mount('two', provider, { pageSize: 2 })
      services.mount('one', provider, { pageSize: 1 })
    })

    afterAll(async () => {
      await services.close()
    })

    const subject: ContractSubject = {
      services: () => services,
      provider: () => provider,
      has: (feature) => options.without?.includes(feature) !== true,
      fit,
    }
    const define = (): void => {
      describeReading(subject)
      describeExactness(subject)
      describeRelations(subject)
      describeEquivalence(subject, rows, options)
    }
    if (options.differences === undefined) define()
    else withDifferences(options.differences, define)
  })
}

/** Milliseconds for one property: machines may have other things to do. */
const longest = 60_000

/** Push-down must not change the result. */
function describeEquivalence(
  { services, provider, has, fit }: ContractSubject,
  rows: ContractRows,
  options: ContractOptions,
): void {
  const parameters = { numRuns: runs(options.numRuns ?? 100) }
  const sets = Object.keys(vocabularies).filter(
    (set) => (set !== 'Photos' || has('media')) && (set !== 'Parties' || has('inheritance')),
  )
  const restrictions = fc
    .tuple(...sets.map((set) => fc.option(filterOn(set).map(fit), { nil: undefined, freq: 1 })))
    .map((filters) => Object.fromEntries(sets.map((set, index) => [set, filters[index]])))
  const reference = plainProvider(rows)
  const requests = requestOn(sets).map(fit)

  describe('random requests', () => {
    it(
      'MUST return the same response with every kind of push-down',
      () =>
        fc.assert(
          fc.asyncProperty(requests, handicap, async (request, given) => {
            services().mount('full', hindered(provider(), unhindered), { pageSize: 3 })
            services().mount('hindered', hindered(provider(), given), { pageSize: 3 })
            const expected = await services().comparablePages('full', request)
            expect(await services().comparablePages('hindered', request)).toEqual(expected)
          }),
          parameters,
        ),
      longest,
    )

    it(
      'MUST return the same entities as an array of the same rows',
      () =>
        fc.assert(
          fc.asyncProperty(requests, async (request) => {
            services().mount('full', provider(), { pageSize: 3 })
            services().mount('reference', hindered(reference, readingOnly), { pageSize: 3 })
            const expected = await services().comparablePages('reference', request)
            const responses = await services().comparablePages('full', request)
            expect(responses.map(outlineOfResponse)).toEqual(expected.map(outlineOfResponse))
            if (request.includes('$count')) expect(responses).toEqual(expected)
          }),
          parameters,
        ),
      longest,
    )

    it(
      'MUST apply the filters of authorize, also to related entities',
      () =>
        fc.assert(
          fc.asyncProperty(requests, restrictions, handicap, async (request, filters, given) => {
            const restricted = { pageSize: 3, authorize: authorizeBy(filters) }
            services().mount('full', provider(), restricted)
            services().mount('hindered', hindered(provider(), given), restricted)
            const expected = await services().comparablePages('hindered', request)
            expect(await services().comparablePages('full', request)).toEqual(expected)
          }),
          parameters,
        ),
      longest,
    )

    it(
      'MUST respond to the reads of a batch as to each alone',
      () =>
        fc.assert(
          fc.asyncProperty(
            batchOn(sets, requests, fit),
            restrictions,
            fc.boolean(),
            async (all, filters, isCached) => {
              services().mount('full', provider(), {
                pageSize: 3,
                ...(Object.values(filters).some((one) => one !== undefined) && {
                  authorize: authorizeBy(filters),
                }),
                ...(isCached ? {} : { pageCache: { maxBytes: 0 } }),
              })
              const responses = await services().comparableBatch('full', all)
              for (const [index, request] of all.entries())
                expect([request, responses[index]]).toEqual([
                  request,
                  await services().comparable('full', request),
                ])
            },
          ),
          parameters,
        ),
      longest,
    )
  })
}

/** Requests of a batch, some of them as a table of UI5 sends them: the number of entities, and a page of them. */
function batchOn(
  sets: readonly string[],
  requests: fc.Arbitrary<string>,
  fit: FitFractions,
): fc.Arbitrary<readonly string[]> {
  const table = fc.constantFrom(...sets).chain((set) =>
    fc.tuple(filterOn(set).map(fit), fc.nat(9), fc.boolean()).map(([filter, top, isFirst]) => {
      const option = `$filter=${encodeURIComponent(filter)}`
      const pair = [`/${set}/$count?${option}`, `/${set}?$inlinecount=allpages&$top=${String(top)}&${option}`]
      return isFirst ? pair : pair.reverse()
    }),
  )
  const keys = fc
    .constantFrom(...sets)
    .chain((set) => fc.array(fc.constantFrom(...vocabularyOf(set).keys).map((key) => `/${set}(${key})`)))
  const parts = fc.oneof(
    requests.map((one) => [one]),
    table,
    keys,
  )
  return fc.array(parts, { minLength: 1, maxLength: 6 }).map((all) => all.flat())
}
