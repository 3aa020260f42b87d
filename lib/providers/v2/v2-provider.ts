import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import { UpstreamChangeSet } from '../upstream/upstream-change-set.js'
import { V2EntitySet } from './v2-entity-set.js'
import { v2Functions } from './v2-functions.js'
import { V2Media } from './v2-media.js'
import type { V2Service } from './v2-service.js'
import { V2Writer } from './v2-writer.js'

/** Creates the provider of a V2 service. */
export function v2Provider(service: V2Service): Provider {
  const beginChangeSet: NonNullable<Provider['beginChangeSet']> = (call) =>
    new UpstreamChangeSet(service.batches, call, service.model)
  const entitySets: Record<string, EntitySetProvider> = {}
  const sets = new Map<string, V2EntitySet>()
  for (const [path, { entityType }] of service.model.sets) {
    const set = new V2EntitySet(service, path, (other) => required(sets.get(other)))
    sets.set(path, set)
    const writer = new V2Writer(service, path)
    const hasStream = [entityType, ...entityType.derivedTypes].some((type) => type.hasStream)
    entitySets[path] = {
      ...set.provider(),
      ...writer.changes(beginChangeSet),
      ...(hasStream ? { media: new V2Media(service, path, writer) } : {}),
    }
  }
  return { entitySets, functions: v2Functions(service), concurrentReads: true, beginChangeSet }
}
