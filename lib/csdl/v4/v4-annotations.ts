import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements, textOf } from '../../xml/xml-element.js'

/** Collects the annotations of a document by their targets, inline ones included. */
export class V4Annotations {
  readonly byTarget = new Map<string, XmlElement[]>()

  add(target: string, annotations: readonly XmlElement[]): void {
    if (annotations.length === 0) return
    // Annotations of an overload are those of the operation.
    const name = target.replace(/\([^)]*\)/, '')
    const found = this.byTarget.get(name)
    if (found === undefined) this.byTarget.set(name, [...annotations])
    else found.push(...annotations)
  }
}

/** Finds an annotation without qualifier. */
export function annotationOf(
  annotations: ReadonlyMap<string, readonly XmlElement[]>,
  target: string,
  term: string,
): XmlElement | undefined {
  return annotations
    .get(target)
    ?.find((one) => attributeOf(one, 'Term') === term && attributeOf(one, 'Qualifier') === undefined)
}

/** Returns the value of a Boolean expression; true without a value, undefined if it is not a constant. */
export function booleanOf(annotation: XmlElement | undefined): boolean | undefined {
  if (annotation === undefined) return undefined
  const value = constantOf(annotation, 'Bool')
  if (value !== undefined) return value.trim() !== 'false'
  const isEmpty = annotation.attributes.every(({ name }) => name === 'Term' || name === 'Property')
  return isEmpty && annotation.children.length === 0 ? true : undefined
}

export function stringOf(annotation: XmlElement | undefined): string | undefined {
  return annotation && constantOf(annotation, 'String')
}

/** Returns a member of the record of an annotation. */
export function memberOf(annotation: XmlElement | undefined, name: string): XmlElement | undefined {
  const record = annotation && childElements(annotation).find((one) => one.name === 'Record')
  return record && childElements(record).find((one) => attributeOf(one, 'Property') === name)
}

/** Returns the paths in the collection of an annotation. */
export function pathsOf(annotation: XmlElement | undefined): readonly string[] {
  const collection = annotation && childElements(annotation).find((one) => one.name === 'Collection')
  if (collection === undefined) return []
  return childElements(collection)
    .filter(({ name }) => name.endsWith('Path') || name === 'String')
    .map((one) => textOf(one).trim())
}

/** Returns a constant, which is an attribute or a child element. */
function constantOf(annotation: XmlElement, kind: string): string | undefined {
  const attribute = attributeOf(annotation, kind)
  if (attribute !== undefined) return attribute
  const child = childElements(annotation).find(({ name }) => name === kind)
  return child && textOf(child)
}
