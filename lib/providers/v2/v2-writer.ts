import { UpstreamWriter } from '../upstream/upstream-writer.js'
import type { V2Service } from './v2-service.js'
import { toV2Entity } from './v2-values.js'

/** Creates the writer of an entity set of a V2 service. @param path of the entity set */
export function v2Writer(service: V2Service, path: string): UpstreamWriter {
  const type = service.model.entityType(path)
  // The service decides which values are required.
  const defaults: ReadonlySet<string> = new Set(
    [type, ...type.derivedTypes].flatMap(({ properties }) => properties.map(({ name }) => name)),
  )
  return new UpstreamWriter(service, path, {
    bodyOf: (values) => toV2Entity(values, type),
    insertsRelated: () => true,
    storeDefaults: () => defaults,
  })
}
