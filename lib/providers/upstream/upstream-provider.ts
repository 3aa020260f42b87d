import type { EntitySetProvider, FunctionHandler, Provider } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import { UpstreamChangeSet } from './upstream-change-set.js'
import type { UpstreamService } from './upstream-service.js'

type BeginChangeSet = NonNullable<Provider['beginChangeSet']>

interface ReadableSet {
  /** Returns the members of the provider of a set that read entities. */
  members(): EntitySetProvider
}

/** The parts of the provider of an upstream service. */
interface ProviderParts<Set extends ReadableSet> {
  /** The paths of the entity sets in the V2 model. */
  readonly paths: Iterable<string>
  readonly functions: Record<string, FunctionHandler>
  createSet(path: string, setOf: (path: string) => Set): Set
  /** Returns the members of the provider of a set that change entities, and its media. */
  changesOf(path: string, beginChangeSet: BeginChangeSet): Partial<EntitySetProvider>
}

/** Creates the provider of an upstream service. */
export function upstreamProvider<Set extends ReadableSet>(
  service: UpstreamService,
  parts: ProviderParts<Set>,
): Provider {
  const beginChangeSet: BeginChangeSet = (call) => new UpstreamChangeSet(service.batches, call, service.model)
  const entitySets: Record<string, EntitySetProvider> = {}
  const sets = new Map<string, Set>()
  for (const path of parts.paths) {
    const set = parts.createSet(path, (other) => required(sets.get(other)))
    sets.set(path, set)
    entitySets[path] = { ...set.members(), ...parts.changesOf(path, beginChangeSet) }
  }
  return { entitySets, functions: parts.functions, concurrentReads: true, beginChangeSet }
}
