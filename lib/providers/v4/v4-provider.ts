import type { Provider } from '../../provider/provider.js'
import type { MediaLocation } from '../upstream/upstream-media.js'
import { UpstreamMedia } from '../upstream/upstream-media.js'
import { requiredPath } from '../upstream/upstream-model.js'
import { upstreamProvider } from '../upstream/upstream-provider.js'
import { v4Functions } from './changes/v4-operations.js'
import { v4Writer } from './changes/v4-writer.js'
import { V4EntitySet } from './v4-entity-set.js'
import type { V4Service } from './v4-service.js'

/** Creates the provider of a V4 service. */
export function v4Provider(service: V4Service): Provider {
  return upstreamProvider(service, {
    paths: service.model.sets.keys(),
    functions: v4Functions(service),
    createSet: (path, setOf: (other: string) => V4EntitySet) => new V4EntitySet(service, path, setOf),
    changesOf(path, beginChangeSet) {
      const { kind, type } = service.model.set(path)
      return {
        // Contained entities and singletons cannot be inserted into a set.
        ...(kind === 'EntitySet' ? v4Writer(service, path).changes(beginChangeSet) : {}),
        ...(type.stream === undefined
          ? {}
          : { media: new UpstreamMedia(service.client, mediaLocation(service, path, type.stream)) }),
      }
    },
  })
}

/** @param stream the stream property, or `$value` */
function mediaLocation({ model }: V4Service, path: string, stream: string): MediaLocation {
  const name = stream === '$value' ? '$value' : encodeURIComponent(stream)
  return {
    set: path,
    isOptional: true,
    hasEtag: model.hasEtag(path),
    pathOf: (row) => `${requiredPath(model, path, row)}/${name}`,
    contentTypeOf: (row) => row[`${stream}@odata.mediaContentType`] ?? row['@odata.mediaContentType'],
  }
}
