import { fullName, vocabularyAliases } from '../../edm/vocabularies/vocabularies.js'
import { invalid } from '../../errors/check-option.js'
import { csdl4Namespace } from '../../xml/namespaces.js'
import { parseXml, XmlError } from '../../xml/parse-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'

/** Attributes with a qualified name, whose alias has only a meaning in its document. */
const qualifiedAttributes = new Set(['Term', 'Type', 'EnumMember', 'AnnotationPath', 'Target'])

/**
 * Reads the `Annotations` elements of a document, or of text that consists of such elements, with full names.
 *
 * @throws ConfigurationError for malformed XML, and text without annotations
 */
export function parseAnnotations(xml: string): XmlElement[] {
  const body = xml.replace(/^\uFEFF?\s*(?:<\?xml[^>]*\?>)?/, '')
  let root: XmlElement
  try {
    root = parseXml(`<All xmlns="${csdl4Namespace}">${body}</All>`)
  } catch (error) {
    if (error instanceof XmlError) throw invalid(`annotations: ${error.message}`)
    throw error
  }
  const all = [...elementsIn(root)]
  const found = all.filter((element) => element.name === 'Annotations' && isAnnotation(element))
  if (found.length === 0) {
    throw invalid(`annotations: the XML has no <Annotations> of the namespace '${csdl4Namespace}'`)
  }
  const aliases = new Map([...vocabularyAliases, ...all.flatMap(declaredAlias)])
  return found.map((element) => withFullNames(element, aliases))
}

/** Returns the aliases that the references and schemas below an element declare. */
export function aliasesIn(elements: readonly XmlElement[]): ReadonlyMap<string, string> {
  const all = elements.flatMap((element) => [element, ...elementsIn(element)])
  return new Map([...vocabularyAliases, ...all.flatMap(declaredAlias)])
}

function isAnnotation({ namespace }: XmlElement): boolean {
  return namespace === csdl4Namespace
}

function* elementsIn(element: XmlElement): Generator<XmlElement> {
  for (const child of childElements(element)) {
    yield child
    yield* elementsIn(child)
  }
}

function declaredAlias(element: XmlElement): [string, string][] {
  if (element.name !== 'Include' && element.name !== 'Schema' && element.name !== 'Using') return []
  const alias = attributeOf(element, 'Alias')
  const namespace = attributeOf(element, 'Namespace')
  return alias === undefined || namespace === undefined ? [] : [[alias, namespace]]
}

/** Returns an annotation in which namespaces replace aliases. */
export function withFullNames(element: XmlElement, aliases: ReadonlyMap<string, string>): XmlElement {
  const isPath = qualifiedAttributes.has(element.name)
  const { name } = element
  return {
    ...element,
    prefix: '',
    attributes: element.attributes.map((one) =>
      qualifiedAttributes.has(one.name) ? { ...one, value: fullNames(one.name, one.value, aliases) } : one,
    ),
    children: element.children.flatMap((child): (XmlElement | string)[] => {
      if (typeof child !== 'string') return [withFullNames(child, aliases)]
      if (isPath) return [fullNames(name, child.trim(), aliases)]
      return child.trim() === '' ? [] : [child]
    }),
  }
}

/** Replaces aliases in an attribute, or in the text of the element with the same name. */
function fullNames(kind: string, value: string, aliases: ReadonlyMap<string, string>): string {
  if (kind === 'AnnotationPath') {
    return value.replace(/@([^/]+)/g, (_match, name: string) => `@${fullName(name, aliases)}`)
  }
  // A path follows the first slash; several members of an enumeration are separated by blanks.
  return value
    .split(' ')
    .map((one) => {
      const [name = '', ...path] = one.split('/')
      return [fullName(name, aliases), ...path].join('/')
    })
    .join(' ')
}
