import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { Provider } from '../../lib/provider/provider.js'
import type { PromiseOrValue } from '../../lib/util/promise-or-value.js'
import { runs } from '../support/random.js'
import { describeCalls } from './contract-calls.js'
import { describeChangeSets } from './contract-change-sets.js'
import { describeConcurrency } from './contract-concurrency.js'
import type { ContractRows } from './contract-data.js'
import { describeDeepInserts } from './contract-deep-inserts.js'
import { describeDeleting } from './contract-deleting.js'
import type { ExpectedDifferences } from './expected-differences.js'
import { withDifferences } from './expected-differences.js'
import { describeInserting } from './contract-inserting.js'
import { describeIsolation } from './contract-isolation.js'
import { describeLinks } from './contract-links.js'
import { describeMediaWrites } from './contract-media-writes.js'
import { describeRandomWrites } from './contract-random-writes.js'
import { describeRoundTrips } from './contract-round-trips.js'
import { describeUpdating } from './contract-updating.js'
import { writeRows } from './write-data.js'
import { writeModel } from './write-model.js'
import { WriteService } from './write-service.js'

/** A provider, and how to give back what it holds. */
interface WritableProvider {
  readonly provider: Provider
  dispose?(): PromiseOrValue<void>
}

/** Features that a provider may lack. They are not tested then, nor are the entity sets that need them. */
type WriteFeature =
  /** Media resources of photos. */
  | 'media'
  /** Entities of derived types: parties. */
  | 'inheritance'
  /** Associations without foreign key. */
  | 'link tables'
  /** Change sets whose changes are made before they are committed. */
  | 'open change sets'
  /** NaN and infinity in Double and Single. */
  | 'non-finite numbers'

interface WriteContractOptions {
  /**
   * Makes a provider with a store of its own that holds the rows and nothing else. Called once for each topic of the
   * contract; `dispose` is called at its end. What a provider must be made of is said at {@link writeModel}.
   */
  readonly create: (model: EdmModel, rows: ContractRows) => PromiseOrValue<WritableProvider>
  /** Default: a provider has everything. */
  readonly without?: readonly WriteFeature[]
  /** The number of fraction digits of a second that the provider stores. Default: 7. */
  readonly fractionDigits?: number
  /** Statements that are not true of the provider, with reasons. Default: none. */
  readonly differences?: ExpectedDifferences
  /** The number of random sequences of changes in a deep run. Default: 150. */
  readonly numRuns?: number
}

/** The arguments of the parts of the contract. */
export interface WriteSubject {
  readonly service: () => WriteService
  readonly provider: () => Provider
  readonly has: (feature: WriteFeature) => boolean
  readonly fractionDigits: number
  readonly numRuns: number
}

interface Started {
  readonly service: WriteService
  readonly made: WritableProvider
}

const topics = {
  'adding entities': describeInserting,
  'values of all types': describeRoundTrips,
  'changing entities': describeUpdating,
  'deleting entities': describeDeleting,
  'entities inline': describeDeepInserts,
  links: describeLinks,
  versions: describeConcurrency,
  'changes at the same time': describeIsolation,
  'change sets': describeChangeSets,
  'calls of the provider': describeCalls,
  'media resources': describeMediaWrites,
  'changes at random': describeRandomWrites,
}

/**
 * The suite of every provider that can be written to. It sends changes over HTTP to a service on the provider, in
 * Atom and in JSON, one by one and in change sets, and reads back what has become of them.
 *
 * @param name the provider, as it stands in the titles
 */
export function describeWriteContract(name: string, options: WriteContractOptions): void {
  const { create, without = [], fractionDigits = 7, numRuns = 150, differences } = options
  const define = (): void => {
    for (const [topic, describeTopic] of Object.entries(topics)) {
      describe(topic, () => {
        let started: Started | undefined

        beforeAll(async () => {
          const made = await create(writeModel(), writeRows)
          started = { service: await WriteService.start(made.provider), made }
        })

        afterAll(async () => {
          await started?.service.close()
          await started?.made.dispose?.()
        })

        const subject = (): Started => {
          if (started === undefined) throw new Error('There is no service yet.')
          return started
        }
        describeTopic({
          service: () => subject().service,
          provider: () => subject().made.provider,
          has: (feature) => !without.includes(feature),
          fractionDigits,
          numRuns: runs(numRuns),
        })
      })
    }
  }
  describe(`${name} under the write contract:`, () => {
    if (differences === undefined) define()
    else withDifferences(differences, define)
  })
}
