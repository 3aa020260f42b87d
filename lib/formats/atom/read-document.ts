import { nameOfType } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import { atomNamespace, dataNamespace, metadataNamespace } from '../../xml/namespaces.js'
import { childElements } from '../../xml/xml-element.js'
import { payloadFault } from '../payload-faults.js'
import type { PayloadReader } from '../payload.js'
import { readEntry } from './read-entry.js'
import { readProperty } from './read-properties.js'
import { ownText, readXml, shownElement } from './read-xml.js'

/** @spec MS-ODATA 2.2.6.2 */
export const atomReader: PayloadReader = {
  entity(text, type, options) {
    const entry = readXml(text)
    if (entry.name === 'entry' && entry.namespace === atomNamespace)
      return readEntry(entry, type, '', options)
    throw payloadFault(
      `The body must be an element <entry> of the namespace '${atomNamespace}', not ${shownElement(entry)}.`,
    )
  },
  property(text, property) {
    const { name, type } = property
    const element = readXml(text)
    if (element.name === name && element.namespace === dataNamespace) {
      return readProperty(element, property, '', false)
    }
    throw payloadFault(
      `The body must be the value of '${name}' (${nameOfType(type)}) in an element <${name}> of the namespace ` +
        `'${dataNamespace}', not ${shownElement(element)}.${hint(element.name, name)}`,
    )
  },
  link(text) {
    const element = readXml(text)
    // One widespread client takes the wrong one of the two namespaces.
    const isUri = element.name === 'uri' && [dataNamespace, metadataNamespace].includes(element.namespace)
    const uri = isUri && childElements(element).length === 0 ? ownText(element).trim() : ''
    if (uri !== '') return uri
    throw payloadFault(`The body must be a link such as <uri xmlns="${dataNamespace}">Products(1)</uri>.`)
  },
}

function hint(written: string, name: string): string {
  return written === name ? '' : didYouMean(written, [name])
}
