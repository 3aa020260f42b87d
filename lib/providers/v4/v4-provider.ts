import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import { UpstreamChangeSet } from '../upstream/upstream-change-set.js'
import type { MediaLocation } from '../upstream/upstream-media.js'
import { UpstreamMedia } from '../upstream/upstream-media.js'
import { v4Functions } from './changes/v4-operations.js'
import { V4Writer } from './changes/v4-writer.js'
import { V4EntitySet } from './v4-entity-set.js'
import type { SetOf } from './v4-set.js'
import type { V4Service } from './v4-service.js'

/** Creates the provider of a V4 service. */
export function v4Provider(service: V4Service): Provider {
  const beginChangeSet: NonNullable<Provider['beginChangeSet']> = (call) =>
    new UpstreamChangeSet(service.batches, call, service.model)
  const entitySets: Record<string, EntitySetProvider> = {}
  const sets = new Map<string, V4EntitySet>()
  const setOf: SetOf = (path) => required(sets.get(path))
  for (const [path, { kind, type }] of service.model.sets) {
    const set = new V4EntitySet(service, path, setOf)
    sets.set(path, set)
    entitySets[path] = {
      ...set.provider(),
      // Contained entities and singletons cannot be inserted into a set.
      ...(kind === 'EntitySet' ? new V4Writer(service, path).changes(beginChangeSet) : {}),
      ...(type.stream === undefined
        ? {}
        : { media: new UpstreamMedia(service.client, mediaLocation(service, path, type.stream)) }),
    }
  }
  return { entitySets, functions: v4Functions(service), concurrentReads: true, beginChangeSet }
}

/** @param stream the stream property, or `$value` */
function mediaLocation({ model }: V4Service, path: string, stream: string): MediaLocation {
  const name = stream === '$value' ? '$value' : encodeURIComponent(stream)
  return {
    set: path,
    isOptional: true,
    hasEtag: model.set(path).hasEtag,
    pathOf: (row) => `${model.requiredPath(path, row)}/${name}`,
    contentTypeOf: (row) => row[`${stream}@odata.mediaContentType`] ?? row['@odata.mediaContentType'],
  }
}
