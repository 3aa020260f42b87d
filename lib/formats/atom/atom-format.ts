import type { Format } from '../format.js'
import { atomDeclarations, xmlDeclaration } from './documents.js'
import { entryWriter } from './entry.js'
import { errorDocument } from './error.js'
import { feedWriter } from './feed.js'
import { linkDocument, linksWriter } from './links.js'
import { atomReader } from './read-document.js'
import { serviceDocument } from './service-document.js'
import { valueDocument, valuesDocument } from './value.js'

/**
 * Atom for entities, and plain XML for everything that Atom has no form for. No white space stands between elements.
 *
 * @spec MS-ODATA 2.2.6.2
 */
export const atomFormat: Format = {
  name: 'atom',
  read: atomReader,
  serviceDocument,
  feed: feedWriter,
  entry: (projection, batch, context) =>
    xmlDeclaration + entryWriter(projection)(batch, 0, context, atomDeclarations(context)),
  value: valueDocument,
  values: valuesDocument,
  link: linkDocument,
  links: linksWriter,
  error: errorDocument,
}
