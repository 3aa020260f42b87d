import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import type { V4Service } from './v4-entity-set.js'
import { v4EntitySet } from './v4-entity-set.js'

/** Creates the provider of a V4 service. */
export function v4Provider(service: V4Service): Provider {
  const entitySets: Record<string, EntitySetProvider> = {}
  for (const path of service.model.sets.keys()) entitySets[path] = v4EntitySet(service, path)
  return { entitySets, concurrentReads: true }
}
