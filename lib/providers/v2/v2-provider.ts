import type { Provider } from '../../provider/provider.js'
import { upstreamProvider } from '../upstream/upstream-provider.js'
import { V2EntitySet } from './v2-entity-set.js'
import { v2Functions } from './v2-functions.js'
import { V2Media } from './v2-media.js'
import type { V2Service } from './v2-service.js'
import { v2Writer } from './v2-writer.js'

/** Creates the provider of a V2 service. */
export function v2Provider(service: V2Service): Provider {
  return upstreamProvider(service, {
    paths: service.model.sets.keys(),
    functions: v2Functions(service),
    createSet: (path, setOf: (other: string) => V2EntitySet) => new V2EntitySet(service, path, setOf),
    changesOf(path, beginChangeSet) {
      const type = service.model.entityType(path)
      const writer = v2Writer(service, path)
      const hasStream = [type, ...type.derivedTypes].some((one) => one.hasStream)
      return {
        ...writer.changes(beginChangeSet),
        ...(hasStream ? { media: new V2Media(service, path, writer) } : {}),
      }
    },
  })
}
