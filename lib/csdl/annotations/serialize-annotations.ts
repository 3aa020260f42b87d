import type { AnnotationSet } from '../../edm/vocabularies/annotate.js'
import type { StringKind } from '../../edm/vocabularies/value-kinds.js'
import { stringKind } from '../../edm/vocabularies/value-kinds.js'
import { fullName, vocabularyAliases } from '../../edm/vocabularies/vocabularies.js'
import { invalid } from '../../errors/check-option.js'
import { isRecord } from '../../util/is-record.js'
import { csdl4Namespace } from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'

/** A constant or path as an attribute, or a collection or record as an element. */
type Expression = { readonly attribute: readonly [string, string] } | { readonly element: XmlElement }

/**
 * Serializes annotations as `Annotations` elements, one for each target.
 *
 * @throws ConfigurationError for a value that annotations cannot have
 * @spec OData V4 CSDL 14.2 to 14.5
 */
export function serializeAnnotations({ targets }: AnnotationSet): XmlElement[] {
  return Object.entries(targets).map(([target, terms]) =>
    elementOf('Annotations', { Target: target }, annotationsOf(terms, target)),
  )
}

/** Creates an element of CSDL 4.0; attributes without value are omitted. */
export function elementOf(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly (XmlElement | string)[] = [],
): XmlElement {
  const given = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined ? [] : [{ namespace: '', prefix: '', name: attribute, value }],
  )
  return { namespace: csdl4Namespace, prefix: '', name, attributes: given, children }
}

/** Terms after another term and `@`, as in CSDL JSON, annotate that term. */
function annotationsOf(terms: object, place: string): XmlElement[] {
  const entries = Object.entries(terms).filter(([, value]) => value !== undefined)
  return entries
    .filter(([name]) => !name.includes('@'))
    .map(([name, value]) => {
      const nested = entries
        .filter(([other]) => other.startsWith(`${name}@`))
        .map(([other, inner]) => annotationOf(other.slice(name.length + 1), inner, [], place))
      return annotationOf(name, value, nested, place)
    })
}

function annotationOf(
  name: string,
  value: unknown,
  nested: readonly XmlElement[],
  target: string,
): XmlElement {
  const [term = '', qualifier] = name.split('#')
  const place = `annotations: ${target}: ${name}`
  const attributes = { Term: fullName(term, vocabularyAliases), Qualifier: qualifier }
  return withExpression('Annotation', attributes, expressionOf(value, stringKind(term), place), nested)
}

function withExpression(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  expression: Expression,
  nested: readonly XmlElement[] = [],
): XmlElement {
  if ('element' in expression) return elementOf(name, attributes, [expression.element, ...nested])
  const [kind, value] = expression.attribute
  return elementOf(name, { ...attributes, [kind]: value }, nested)
}

function expressionOf(value: unknown, kind: StringKind | undefined, place: string): Expression {
  if (Array.isArray(value)) return { element: collectionOf(value, kind, place) }
  if (isRecord(value)) {
    if (typeof value.$Path === 'string') return { attribute: ['Path', value.$Path] }
    return { element: recordOf(value, place) }
  }
  if (typeof value === 'boolean') return { attribute: ['Bool', String(value)] }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return { attribute: [Number.isSafeInteger(value) ? 'Int' : 'Decimal', String(value)] }
  }
  if (typeof value === 'string') return { attribute: stringOf(value, kind) }
  throw invalid(`${place} must be a string, number, boolean, path(…), record or array`)
}

function stringOf(value: string, kind: StringKind | undefined): readonly [string, string] {
  if (kind === undefined) return ['String', value]
  if (typeof kind === 'string') return [kind, fullPath(value)]
  return ['EnumMember', `${fullName(kind.enum, vocabularyAliases)}/${value}`]
}

/** Replaces the alias of a term within an annotation path: `Lines/@UI.LineItem`. */
function fullPath(path: string): string {
  const at = path.indexOf('@')
  return at < 0 ? path : path.slice(0, at + 1) + fullName(path.slice(at + 1), vocabularyAliases)
}

function collectionOf(items: readonly unknown[], kind: StringKind | undefined, place: string): XmlElement {
  const children = items.map((item, index) => {
    const expression = expressionOf(item, kind, `${place}[${index}]`)
    if ('element' in expression) return expression.element
    const [name, value] = expression.attribute
    return elementOf(name, {}, [value])
  })
  return elementOf('Collection', {}, children)
}

function recordOf(record: Readonly<Record<string, unknown>>, place: string): XmlElement {
  const type = typeof record.$Type === 'string' ? fullName(record.$Type, vocabularyAliases) : undefined
  const members = Object.entries(record).filter(([name, value]) => name !== '$Type' && value !== undefined)
  const children = members.map(([name, value]) =>
    name.startsWith('@')
      ? annotationOf(name.slice(1), value, [], place)
      : withExpression(
          'PropertyValue',
          { Property: name },
          expressionOf(value, stringKind(name, record), `${place}.${name}`),
        ),
  )
  return elementOf('Record', { Type: type }, children)
}
