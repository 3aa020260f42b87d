import type { EdmModel, Schema } from '../../edm/edm-model.js'
import { fullName } from '../../edm/vocabularies/vocabularies.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { csdl4Namespace } from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'
import { aliasesIn } from './parse-annotations.js'

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
