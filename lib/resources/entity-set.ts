import { pathOf } from '../formats/entity-address.js'
import { withPropertyPath } from '../formats/row-errors.js'
import type { CollectionSource } from '../query/request-target.js'
import { insertEntity } from './change-entity.js'
import type { ResourceMethods } from './request-session.js'
import { pageResponse } from './page-response.js'

/** URI 1 and 6B, and functions that return entities: a feed. @spec MS-ODATA 2.2.6.5.3 */
export const entitySet: ResourceMethods<'EntitySet'> = {
  reads: () => ({ offers: 'feed', authorizes: 'read' }),
  POST: ({ collection }, session) => insertEntity(collection, session),
  async GET({ collection }, session) {
    const { format, contentType } = session.negotiated
    const { projection } = session.query
    const data = await session.reader()
    // Before the page is opened: this throws for an invalid Host.
    const write = session.writeContext(data)
    const writer = format.feed(projection)
    const page = await data.page(collection, session.authorized)
    const path = pathOf(collection)
    const info = { title: titleOf(collection), path, inlineCount: page.inlineCount }
    return pageResponse(session, page, contentType, path, {
      open: (isEmpty) => writer.open({ ...info, isEmpty }, write),
      row: (batch, index, isFirst) => writer.entry(batch, index, isFirst, write),
      locateError: (thrown, batch, index) => withPropertyPath(thrown, projection, batch, index),
      close: (next) => writer.close(next, write),
    })
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
