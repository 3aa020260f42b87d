import type { EdmModel, Schema } from '../../edm/edm-model.js'
import type { XmlElement } from '../../xml/xml-element.js'
import type { NamedLabels, LabelTexts } from '../localized-model.js'
import type { AnnotationSettings } from './annotation-options.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'
import { elementOf } from './serialize-annotations.js'
import { elementName, labelTerms } from './sap-equivalents.js'
import { fullName } from '../../edm/vocabularies/vocabularies.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { csdl4Namespace } from '../../xml/namespaces.js'
import { aliasesIn } from './parse-annotations.js'

/** The language of a document, with its labels. */
interface DocumentLanguage {
  readonly tag: string
  readonly namedLabels: NamedLabels
}

/**
 * Returns the `Annotations` elements of a document.
 *
 * @param searched the paths of the entity sets that the service searches
 * @param language undefined for a service without languages
 */
export function servedElements(
  annotations: AnnotationSettings,
  model: EdmModel,
  searched: ReadonlyMap<string, unknown>,
  language: DocumentLanguage | undefined,
): readonly XmlElement[] {
  const elements = annotations.elements(language?.tag)
  const localized =
    language === undefined ? elements : localizedAnnotations(elements, model, language.namedLabels)
  return localized.map((element) => withSearchSupported(element, searched))
}

/**
 * Returns annotations that announce repeatable requests, one for each container.
 *
 * @spec OASIS Repeatable Requests 1.0
 */
export function repeatabilityElements({ entityContainers }: EdmModel): readonly XmlElement[] {
  const supported = elementOf('Annotation', { Term: 'Org.OData.Repeatability.V1.Supported', Bool: 'true' })
  return entityContainers.map(({ qualifiedName }) =>
    elementOf('Annotations', { Target: qualifiedName }, [supported]),
  )
}

/**
 * Returns annotations whose value helps state `SearchSupported`: by default, true if the service searches the listed set.
 *
 * @param searched the paths of the entity sets that the service searches
 */
function withSearchSupported(element: XmlElement, searched: ReadonlyMap<string, unknown>): XmlElement {
  const children = element.children.map((child) =>
    typeof child === 'string' ? child : withSearchSupported(child, searched),
  )
  const path = element.name === 'Record' ? constantOf(element, 'CollectionPath') : undefined
  // For other services, the option `search` determines it.
  if (path === undefined || hasMember(element, 'SearchSupported') || hasMember(element, 'CollectionRoot')) {
    return { ...element, children }
  }
  const member = { Property: 'SearchSupported', Bool: String(searched.has(path)) }
  return { ...element, children: [...children, elementOf('PropertyValue', member)] }
}

function constantOf(record: XmlElement, name: string): string | undefined {
  const member = childElements(record).find((child) => attributeOf(child, 'Property') === name)
  return member && attributeOf(member, 'String')
}

function hasMember(record: XmlElement, name: string): boolean {
  return childElements(record).some((child) => attributeOf(child, 'Property') === name)
}

/**
 * Returns annotations in which the labels of a language replace `Common.Label`, `Common.Heading` and `Common.QuickInfo`:
 * UI5 prefers these terms to `sap:label` and the like.
 *
 * @param annotations `Annotations` elements with full names
 */
function localizedAnnotations(
  annotations: readonly XmlElement[],
  model: EdmModel,
  named: NamedLabels,
): readonly XmlElement[] {
  return annotations.map((group) => {
    const labels = named.get(elementName(attributeOf(group, 'Target') ?? '', model))
    return labels === undefined ? group : withLabels(group, labels)
  })
}

function withLabels(group: XmlElement, labels: LabelTexts): XmlElement {
  const children = group.children.map((child) => {
    if (typeof child === 'string' || attributeOf(child, 'String') === undefined) return child
    const name = labelTerms.get(attributeOf(child, 'Term') ?? '')
    const text = name && labels[name]
    if (text === undefined) return child
    const attributes = child.attributes.map((one) => (one.name === 'String' ? { ...one, value: text } : one))
    return { ...child, attributes }
  })
  return { ...group, children }
}

/**
 * Returns a model whose metadata document contains annotations, in the schema of each target. They replace annotations of
 * the model with the same target, term and qualifier.
 *
 * @param annotations `Annotations` elements with full names
 */
export function withAnnotations(model: EdmModel, annotations: readonly XmlElement[]): EdmModel {
  const replaced = new Set(annotations.flatMap((group) => keysOf(group, new Map())))
  const aliases = new Map([
    ...aliasesIn(model.annotations.elements),
    ...model.schemas.flatMap(({ alias, namespace }) =>
      alias === undefined ? [] : [[alias, namespace] as const],
    ),
  ])
  const added = new Map<Schema | undefined, XmlElement[]>()
  for (const group of annotations) getOrCreate(added, schemaOf(group, model), () => []).push(group)
  return {
    ...model,
    schemas: model.schemas.map((schema) => {
      const others = schema.annotations.elements.flatMap((element) => without(element, replaced, aliases))
      const elements = [...others, ...(added.get(schema) ?? [])]
      return { ...schema, annotations: { ...schema.annotations, elements } }
    }),
  }
}

function schemaOf(group: XmlElement, { schemas }: EdmModel): Schema | undefined {
  const [name = ''] = (attributeOf(group, 'Target') ?? '').split('/')
  return schemas.find(({ namespace }) => namespace === name.slice(0, name.lastIndexOf('.'))) ?? schemas[0]
}

/** Removes replaced annotations from an element of the model; returns nothing if no annotation is left. */
function without(
  group: XmlElement,
  replaced: ReadonlySet<string>,
  aliases: ReadonlyMap<string, string>,
): XmlElement[] {
  if (group.name !== 'Annotations' || group.namespace !== csdl4Namespace) return [group]
  const children = group.children.filter(
    (child) => typeof child === 'string' || !replaced.has(keyOf(group, child, aliases)),
  )
  if (children.length === group.children.length) return [group]
  return children.some((child) => typeof child !== 'string') ? [{ ...group, children }] : []
}

function keysOf(group: XmlElement, aliases: ReadonlyMap<string, string>): string[] {
  return childElements(group).map((annotation) => keyOf(group, annotation, aliases))
}

function keyOf(group: XmlElement, annotation: XmlElement, aliases: ReadonlyMap<string, string>): string {
  const [name = '', ...path] = (attributeOf(group, 'Target') ?? '').split('/')
  const target = [fullName(name, aliases), ...path].join('/')
  const term = fullName(attributeOf(annotation, 'Term') ?? '', aliases)
  const qualifier = attributeOf(annotation, 'Qualifier') ?? attributeOf(group, 'Qualifier') ?? ''
  return `${target} ${term}#${qualifier}`
}
