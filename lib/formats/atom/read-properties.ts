import type { ComplexType, EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { setMember } from '../../evaluation/row.js'
import { dataNamespace, metadataNamespace } from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'
import { payloadFault, unknownMember, valueMismatch } from '../payload-faults.js'
import { checkComplexType } from '../payload-types.js'
import type { ReadValues } from '../payload-values.js'
import { nullMembers } from '../payload-values.js'
import { textExamples, valueOfText } from '../read-text.js'
import { shortened } from '../../util/shortened.js'
import { ownText, shownElement } from './read-xml.js'

/**
 * Reads the properties that stand in an element, `m:properties` or that of a complex value. Elements of other
 * namespaces are no properties.
 *
 * @param prefix path of the element, with a slash at the end unless it is empty
 * @param values where they are added
 * @spec MS-ODATA 2.2.6.2.2
 */
export function readProperties(
  parent: XmlElement,
  type: EntityType | ComplexType,
  prefix: string,
  ignoreUnknown: boolean,
  values: ReadValues,
): void {
  const given = new Set<Property>()
  for (const element of childElements(parent)) {
    if (element.namespace !== dataNamespace) continue
    const property = type.property(element.name)
    if (property === undefined) {
      if (!ignoreUnknown) throw unknownMember(prefix, element.name, type)
      continue
    }
    // Who reads the first of two and who reads the last would see different values.
    if (given.has(property)) throw payloadFault(`'${prefix}${property.name}' is there twice.`)
    given.add(property)
    setMember(values, property.name, readProperty(element, property, prefix, ignoreUnknown))
  }
}

/** Reads the element of one property. */
export function readProperty(
  element: XmlElement,
  { name, type }: Property,
  prefix: string,
  ignoreUnknown: boolean,
): unknown {
  const path = prefix + name
  const typeName = attributeOf(element, 'type', metadataNamespace)?.trim() ?? ''
  if (!isPrimitive(type)) {
    if (typeName !== '') checkComplexType(type, typeName, path)
    return readComplex(element, type, path, ignoreUnknown)
  }
  if (typeName !== '' && typeName !== type) {
    throw payloadFault(
      `'${path}' is of type ${type}: write m:type="${type}" or leave it out, instead of '${shortened(typeName)}'.`,
    )
  }
  return isNull(element) ? null : readSimple(element, type, path)
}

/** @spec MS-ODATA 2.2.6.2.4 (complex type as XML) */
function readComplex(element: XmlElement, type: ComplexType, path: string, ignoreUnknown: boolean): unknown {
  if (isNull(element)) return nullMembers(type)
  const text = ownText(element).trim()
  if (text !== '') {
    throw valueMismatch(path, type, 'an element for each member', `the text '${shortened(text)}'`)
  }
  const values: ReadValues = {}
  readProperties(element, type, `${path}/`, ignoreUnknown, values)
  return values
}

function readSimple(element: XmlElement, type: PrimitiveTypeName, path: string): unknown {
  const [inner] = childElements(element)
  if (inner !== undefined) throw valueMismatch(path, type, textExamples[type], shownElement(inner))
  return simpleValue(ownText(element), type, path)
}

/** The value of a text; only in strings do blanks at the ends count. */
export function simpleValue(text: string, type: PrimitiveTypeName, path: string): unknown {
  const value = valueOfText(type, type === 'Edm.String' ? text : text.trim())
  if (value !== undefined) return value
  const found = text === '' ? `nothing; null is m:null="true"` : `'${shortened(text)}'`
  throw valueMismatch(path, type, textExamples[type], found)
}

function isNull(element: XmlElement): boolean {
  const value = attributeOf(element, 'null', metadataNamespace)?.trim()
  return value === 'true' || value === '1'
}
