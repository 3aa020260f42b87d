import { annotatablesOf } from '../../csdl/annotatables.js'
import type { EdmModel } from '../../edm/edm-model.js'
import { edmNamespaces } from '../../xml/namespaces.js'

/**
 * What a document says in CSDL that means nothing in version 2 of OData: enumerations, bound functions. The model keeps
 * it as annotations, so that it is written again, but nothing of it is served.
 *
 * @returns `<EnumType>`, `IsBindable=`, each once with how often it is there
 */
export function keptWithoutMeaning(model: EdmModel): string[] {
  const counts = new Map<string, number>()
  for (const { annotations } of annotatablesOf(model)) {
    const attributes = annotations.attributes.filter(({ namespace }) => namespace === '')
    const elements = annotations.elements.filter(({ namespace }) => edmNamespaces.has(namespace))
    const names = [...elements.map(({ name }) => `<${name}>`), ...attributes.map(({ name }) => `${name}=`)]
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${String(count)} times)`))
}

/** How many comments a document has: they are no part of a model. */
export function commentsIn(document: string): number {
  const sections = document.match(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g) ?? []
  return sections.filter((section) => section.startsWith('<!--')).length
}
