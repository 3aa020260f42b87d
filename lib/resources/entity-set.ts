import { pathOf } from '../formats/entity-address.js'
import type { CollectionSource } from '../query/request-target.js'
import { insertEntity } from './change-entity.js'
import { hasToken } from './change-token.js'
import type { ResourceMethods } from './request-session.js'
import { pageResponse } from './page-response.js'
import { trackedPage } from './tracked-page.js'

/** URI 1 and 6B, and functions that return entities: a feed. @spec MS-ODATA 2.2.6.5.3 */
export const entitySet: ResourceMethods<'EntitySet'> = {
  reads: () => ({ offers: 'feed', authorizes: 'read' }),
  POST: ({ collection }, session) => insertEntity(collection, session),
  GET({ collection }, session) {
    const { projection } = session.authorized.query
    const writer = session.negotiated.format.feed(projection)
    const document = { title: titleOf(collection), path: pathOf(collection), writer, projection }
    const { binding, service } = session
    const { options } = binding.plan
    const isTracked = service.tracked.size > 0 || (options.custom.length > 0 && hasToken(options))
    const respond = isTracked ? trackedPage : pageResponse
    return respond(session, collection, document)
  },
}

function titleOf(collection: CollectionSource): string {
  switch (collection.kind) {
    case 'EntitySet':
      return collection.set.name
    case 'RelatedEntities':
      return collection.navigation.name
    case 'ReturnedEntities':
      return collection.call.functionImport.name
  }
}
