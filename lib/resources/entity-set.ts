import { pathOf } from '../formats/entity-address.js'
import type { FeedWriter, WriteContext } from '../formats/format.js'
import { namedFault } from '../formats/provider-fault.js'
import type { EntityWriting } from '../data/entity-renderer.js'
import type { Projection } from '../query/projection.js'
import type { CollectionSource } from '../query/request-target.js'
import { insertEntity } from './change-entity.js'
import type { ResourceMethods } from './request-session.js'
import { pageResponse } from './page-response.js'

/** URI 1 and 6B, and functions that return entities: a feed. @spec MS-ODATA 2.2.6.5.3 */
export const entitySet: ResourceMethods<'EntitySet'> = {
  offers: () => 'feed',
  reads: ({ collection }) => collection,
  POST: ({ collection }, session) => insertEntity(collection, session),
  async GET({ collection }, session) {
    const { format, contentType } = session.negotiated
    const { projection } = session.query
    const data = await session.reader()
    // Before the page is opened: this fails for a Host that is none.
    const write = session.writeContext(data)
    const writer = format.feed(projection)
    const page = await data.page(collection, session.authorized, writingOf(writer, write, projection))
    const path = pathOf(collection)
    const info = { title: titleOf(collection), path, inlineCount: page.inlineCount }
    return pageResponse(session, page, contentType, path, {
      open: (isEmpty) => writer.open({ ...info, isEmpty }, write),
      row: (batch, index, isFirst) => writer.entry(batch, index, isFirst, write),
      fault: (thrown, batch, index) => namedFault(thrown, projection, batch, index),
      separator: writer.separator,
      close: (next) => writer.close(next, write),
    })
  },
}

/** Undefined where a provider cannot write the entities: in version 1 it is not known before the end if that is right. */
function writingOf(
  writer: FeedWriter,
  context: WriteContext,
  projection: Projection,
): EntityWriting | undefined {
  const { template, separator } = writer
  if (template === undefined || context.version === '1.0') return undefined
  return {
    template,
    context,
    separator,
    write(batch, index, given = context) {
      try {
        return writer.entry(batch, index, true, given)
      } catch (thrown) {
        throw namedFault(thrown, projection, batch, index)
      }
    },
  }
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
