import { pathOf } from '../formats/entity-address.js'
import type { CollectionSource } from '../query/request-target.js'
import { insertEntity } from './change-entity.js'
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
    const respond = session.service.tracked.size === 0 ? pageResponse : trackedPage
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
