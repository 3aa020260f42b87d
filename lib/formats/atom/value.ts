import type { ComplexType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { escapeText } from '../../xml/escape-xml.js'
import { dataNamespace, metadataNamespace } from '../../xml/namespaces.js'
import type { NamedValue } from '../format.js'
import { plainText } from '../plain-text.js'
import { xmlDeclaration } from './documents.js'
import { preserveSpace } from './xml-text.js'

const declareData = ` xmlns="${dataNamespace}"`
const declareMetadata = ` xmlns:m="${metadataNamespace}"`

/**
 * A document whose root is the property itself. Here the data namespace needs no prefix.
 *
 * @spec MS-ODATA 2.2.6.2.3, 2.2.6.2.4 (properties as XML)
 */
export function valueDocument({ name, type, precision }: NamedValue, content: unknown): string {
  const needsMetadata = type !== 'Edm.String' || content === null || content === undefined
  const declarations = declareData + (needsMetadata ? declareMetadata : '')
  return xmlDeclaration + valueElement(name, type, precision, content, declarations)
}

/** What a function returns that gives several values. @spec MS-ODATA 2.2.6.2.6 */
export function valuesDocument({ name, type, precision }: NamedValue, contents: readonly unknown[]): string {
  const isNamed = !isPrimitive(type)
  const hasNull = contents.some((content) => content === null || content === undefined)
  const declarations = declareData + (isNamed || hasNull ? declareMetadata : '')
  const elements = contents.map((content) => elementOf(type, precision, content))
  return `${xmlDeclaration}<${name}${declarations}>${elements.join('')}</${name}>`
}

/** Simple elements carry no type: all are of the one that the function declares. */
function elementOf(
  type: PrimitiveTypeName | ComplexType,
  precision: number | undefined,
  content: unknown,
): string {
  if (!isPrimitive(type)) return valueElement('element', type, precision, content, '')
  if (content === null || content === undefined) return '<element m:null="true"/>'
  const text = escapeText(plainText[type](content, precision))
  return `<element${preserveSpace(text)}>${text}</element>`
}

function valueElement(
  name: string,
  type: PrimitiveTypeName | ComplexType,
  precision: number | undefined,
  content: unknown,
  declarations: string,
): string {
  if (!isPrimitive(type)) {
    const row = (content as Row | null | undefined) ?? {}
    const members = type.properties.map((member) =>
      valueElement(member.name, member.type, member.precision, row[member.name], ''),
    )
    return `<${name}${declarations} m:type="${type.qualifiedName}">${members.join('')}</${name}>`
  }
  const typed = type === 'Edm.String' ? '' : ` m:type="${type}"`
  if (content === null || content === undefined) return `<${name}${declarations}${typed} m:null="true"/>`
  const text = escapeText(plainText[type](content, precision))
  return `<${name}${declarations}${typed}${preserveSpace(text)}>${text}</${name}>`
}
