import type { Projection } from '../../query/projection.js'
import type { FeedWriter } from '../format.js'
import { atomDeclarations, xmlDeclaration } from './documents.js'
import { entryWriter } from './entry.js'
import { closeFeed, openFeed } from './feed-frame.js'

/** @spec MS-ODATA 2.2.6.2.1 (entity set as an Atom feed) */
export function feedWriter(projection: Projection): FeedWriter {
  const write = entryWriter(projection)
  return {
    open: (info, context) => xmlDeclaration + openFeed(info, context, atomDeclarations(context)),
    entry: (batch, index, _isFirst, context) => write(batch, index, context),
    close: closeFeed,
  }
}
