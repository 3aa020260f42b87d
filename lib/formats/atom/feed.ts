import type { Projection } from '../../query/projection.js'
import type { FeedWriter } from '../format.js'
import { atomDeclarations, xmlDeclaration } from './documents.js'
import { entryTemplate, entryWriter } from './entry.js'
import { closeFeed, openFeed } from './feed-frame.js'

/** @spec MS-ODATA 2.2.6.2.1 (entity set as an Atom feed) */
export function feedWriter(projection: Projection): FeedWriter {
  const writeEntry = entryWriter(projection)
  const { entityType } = projection
  return {
    template: entityType.derivedTypes.length === 0 ? entryTemplate(projection, entityType) : undefined,
    separator: '',
    open: (info, context) => xmlDeclaration + openFeed(info, context, atomDeclarations(context)),
    entry: (batch, index, _isFirst, context) => writeEntry(batch, index, context),
    close: closeFeed,
  }
}
