import type { Format } from '../format.js'
import { entryWriter } from './entry.js'
import { errorDocument } from './error.js'
import { closeList, feedWriter, linksWriter, openList } from './feed.js'
import { jsonString } from './json-string.js'
import { valueText } from './properties.js'
import { jsonReader } from './read-document.js'

/**
 * Verbose JSON, in one line. Everything is within an object `d`, so that no answer is a script.
 *
 * @spec MS-ODATA 2.2.6.3
 */
export const jsonFormat: Format = {
  name: 'json',
  read: jsonReader,
  serviceDocument(model) {
    const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
    return `{"d":{"EntitySets":[${sets.map(({ path }) => jsonString(path)).join(',')}]}}`
  },
  feed: feedWriter,
  entry: (projection, batch, context) => `{"d":${entryWriter(projection)(batch, 0, context)}}`,
  value: ({ name, type }, content, context) => `{"d":{"${name}":${valueText(type, content, context)}}}`,
  values({ type }, contents, context) {
    const texts = contents.map((content) => valueText(type, content, context))
    return openList(undefined, context.version) + texts.join(',') + closeList(undefined, context.version)
  },
  link: (uri) => `{"d":{"uri":${jsonString(uri)}}}`,
  links: linksWriter,
  error: errorDocument,
}
