import type { TargetAnnotations } from '../../edm/vocabularies/terms.js'
import { vocabularies } from '../../edm/vocabularies/vocabularies.js'
import { isRecord } from '../../util/is-record.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { childElements } from '../../xml/xml-element.js'
import { serializeAnnotations, TranslationChooser } from '../annotations/serialize-annotations.js'

const aliasOf = new Map(vocabularies.map(({ namespace, alias }) => [namespace, alias]))

/**
 * Converts the annotations of an element from JSON to `Annotation` elements. Dynamic expressions other than paths are left
 * out.
 *
 * @param element its members that start with `@` are annotations: `@Core.Description`
 * @spec OData CSDL JSON 4.01, 14
 */
export function jsonAnnotations(
  element: Readonly<Record<string, unknown>>,
  aliases: ReadonlyMap<string, string>,
): readonly XmlElement[] {
  const terms: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(element)) {
    if (!name.startsWith('@')) continue
    const converted = convert(value, aliases)
    if (converted !== undefined)
      terms[
        name
          .slice(1)
          .split('@')
          .map((one) => termName(one, aliases))
          .join('@')
      ] = converted
  }
  for (const name of Object.keys(terms)) {
    const [outer = ''] = name.split('@')
    if (outer !== name && !Object.hasOwn(terms, outer)) delete terms[name]
  }
  const [group] = serializeAnnotations(
    { kind: 'Annotations', targets: { element: terms as TargetAnnotations } },
    new TranslationChooser([]),
  )
  return group === undefined ? [] : childElements(group)
}

/** Returns the name of a term with the usual alias of its vocabulary, by which the kinds of values are known. */
function termName(name: string, aliases: ReadonlyMap<string, string>): string {
  const [term = '', ...qualifier] = name.split('#')
  const dot = term.lastIndexOf('.')
  const prefix = term.slice(0, Math.max(dot, 0))
  const namespace = aliases.get(prefix) ?? prefix
  return [(aliasOf.get(namespace) ?? namespace) + term.slice(dot), ...qualifier].join('#')
}

/** Converts a value. @returns undefined if it is or contains null or a dynamic expression other than a path */
function convert(value: unknown, aliases: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) {
    const items = value.map((one) => convert(one, aliases))
    return items.includes(undefined) ? undefined : items
  }
  if (!isRecord(value)) return value ?? undefined
  if (typeof value.$Path === 'string') return { $Path: value.$Path }
  const record: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (name.startsWith('$')) return undefined
    if (name === '@type' || name === '@odata.type') {
      const type = String(member)
      record.$Type = termName(type.slice(type.indexOf('#') + 1), aliases)
      continue
    }
    const converted = convert(member, aliases)
    if (converted === undefined) continue
    record[name.startsWith('@') ? `@${termName(name.slice(1), aliases)}` : name] = converted
  }
  return record
}
