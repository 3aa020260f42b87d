import type { EntityType } from '../../edm/edm-model.js'
import { atomNamespace, metadataNamespace, schemeNamespace } from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'
import { namedEntityType } from '../payload-types.js'
import type { ReadValues } from '../payload-values.js'
import type { EntityPayload, ReadOptions } from '../payload.js'
import { readLinks } from './read-links.js'
import { readMappedValues } from './read-mapped-values.js'
import { readProperties } from './read-properties.js'
import { childNamed, ownText } from './read-xml.js'

/**
 * Reads an `entry` element. Of what Atom demands, id, title and author among them, nothing counts that is not the
 * target of a feed customisation.
 *
 * @param path of the entity, empty for the one that is the body
 * @spec MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)
 */
export function readEntry(
  entry: XmlElement,
  declared: EntityType,
  path: string,
  options: ReadOptions,
): EntityPayload {
  const children = childElements(entry).filter(({ namespace }) => namespace === atomNamespace)
  const typeName = termOf(children)
  const type =
    typeName === undefined ? (options.untyped ?? declared) : namedEntityType(declared, typeName, path)
  const prefix = path === '' ? '' : `${path}/`
  const values: ReadValues = {}
  // Where the properties stand depends on whether the entity has a media resource, but clients need not know.
  for (const parent of [...children.filter(({ name }) => name === 'content'), entry]) {
    const properties = childNamed(parent, metadataNamespace, 'properties')
    if (properties !== undefined) readProperties(properties, type, prefix, options.ignoreUnknown, values)
  }
  readMappedValues(entry, type, prefix, values)
  const selves = addressesOf(children)
  return {
    typeName: typeName === undefined ? undefined : type.qualifiedName,
    uri: selves[0],
    values,
    links: readLinks(children, type, selves, prefix, options, readEntry),
  }
}

/** The category of the scheme that names types. */
function termOf(children: readonly XmlElement[]): string | undefined {
  const category = children.find(
    (child) => child.name === 'category' && attributeOf(child, 'scheme') === schemeNamespace,
  )
  const term = category === undefined ? undefined : attributeOf(category, 'term')?.trim()
  return term === '' ? undefined : term
}

/** All addresses that an entry gives for itself, its id first. */
function addressesOf(children: readonly XmlElement[]): string[] {
  const ids = children.filter(({ name }) => name === 'id').map((id) => ownText(id).trim())
  const links = ['edit', 'self'].flatMap((relation) =>
    children
      .filter((child) => child.name === 'link' && attributeOf(child, 'rel') === relation)
      .map((link) => attributeOf(link, 'href')?.trim() ?? ''),
  )
  return [...ids, ...links].filter((address) => address !== '')
}
