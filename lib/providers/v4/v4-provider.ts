import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import { V4EntitySet } from './v4-entity-set.js'
import type { V4Service } from './v4-service.js'

/** Creates the provider of a V4 service. */
export function v4Provider(service: V4Service): Provider {
  const entitySets: Record<string, EntitySetProvider> = {}
  for (const path of service.model.sets.keys()) entitySets[path] = new V4EntitySet(service, path).provider()
  return { entitySets, concurrentReads: true }
}
