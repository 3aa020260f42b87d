import type { RequestObservation } from '../diagnostics/request-observation.js'
import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { BatchReader } from '../util/batch-reader.js'
import type { ProviderCalls } from './provider-calls.js'

/** Calls of one entity set that have an event: its name, and how the rows of a result are counted. */
const observedCalls = {
  openMedia: ['media.open'],
  readByKey: ['readByKey', countOf],
  count: ['count'],
  aggregate: ['aggregate'],
  readRelated: ['readRelated', countNested],
  insert: ['insert'],
  autocommitInsert: ['insert'],
  update: ['update'],
  autocommitUpdate: ['update'],
  delete: ['delete'],
  autocommitDelete: ['delete'],
  link: ['link'],
  unlink: ['unlink'],
} satisfies {
  readonly [Name in keyof ProviderCalls]?: readonly [event: string, rowsOf?: (result: unknown) => number]
}

type AnyCall = (set: EntitySet, ...others: readonly unknown[]) => unknown

/** Publishes the duration of calls to the subscribers of diagnostics. @returns the same calls */
export function observeCalls(calls: ProviderCalls, observation: RequestObservation): ProviderCalls {
  for (const [name, [event, rowsOf]] of Object.entries(observedCalls)) {
    const call = (calls[name as keyof typeof observedCalls] as AnyCall).bind(calls)
    const observed: AnyCall = (set, ...others) =>
      observation.calling(event, set.path).call(() => call(set, ...others), rowsOf)
    Object.assign(calls, { [name]: observed })
  }
  const read = calls.read.bind(calls)
  const dataVersion = calls.dataVersion.bind(calls)
  const beginChangeSet = calls.beginChangeSet.bind(calls)
  const callFunction = calls.callFunction.bind(calls)
  return Object.assign(calls, {
    derive: (derived) => observeCalls(derived, observation),
    read: async (set, ...others) =>
      observation.calling('read', set.path).source<readonly Row[], BatchReader<Row>>(
        () => read(set, ...others),
        ({ length }) => length,
      ),
    // Counts as time of the provider, but has no event of its own: it precedes nearly every read.
    dataVersion: (entitySets) => observation.waitingFor(() => dataVersion(entitySets)),
    beginChangeSet: (willQueue) =>
      observation.calling('beginChangeSet', undefined).call(() => beginChangeSet(willQueue)),
    callFunction: (name, parameters) =>
      observation.calling('function', name).call(() => callFunction(name, parameters), countOf),
  } satisfies Partial<ProviderCalls>)
}

function countOf(result: unknown): number {
  if (Array.isArray(result)) return result.length
  return result === null || result === undefined ? 0 : 1
}

/** Counts the rows of arrays of rows. */
function countNested(result: unknown): number {
  return (result as readonly (readonly Row[])[]).reduce((sum, { length }) => sum + length, 0)
}
