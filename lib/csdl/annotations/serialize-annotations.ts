import type { AnnotationSet } from '../../edm/vocabularies/annotate.js'
import type { StringKind } from '../../edm/vocabularies/value-kinds.js'
import { recordType, stringKind } from '../../edm/vocabularies/value-kinds.js'
import { fullName, vocabularyAliases } from '../../edm/vocabularies/vocabularies.js'
import { invalid } from '../../errors/check-option.js'
import { isRecord } from '../../util/is-record.js'
import { csdl4Namespace } from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'

/** A constant or path as an attribute, or a collection or record as an element. */
type Expression = { readonly attribute: readonly [string, string] } | { readonly element: XmlElement }

/** The kind and type that the vocabulary declares for a value. */
interface Expected {
  readonly kind: StringKind | undefined
  /** The type of records. */
  readonly type?: string | undefined
}

/** Values nested deeper are refused, so that a value that contains itself is too. */
const MAX_DEPTH = 50

/**
 * Serializes annotations as `Annotations` elements, one for each target.
 *
 * @param translations chooses those of a language
 * @throws ConfigurationError for a value that annotations cannot have
 * @spec OData V4 CSDL 14.2 to 14.5
 */
export function serializeAnnotations(
  { targets }: AnnotationSet,
  translations: TranslationChooser,
): XmlElement[] {
  const serializer = new Serializer(translations)
  return Object.entries(targets).map(([target, terms]) =>
    elementOf('Annotations', { Target: target }, serializer.annotations(terms, `annotations: ${target}`)),
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

class Serializer {
  private depth = 0

  constructor(private readonly translations: TranslationChooser) {}

  /** Serializes terms; those after another term and `@`, as in CSDL JSON, annotate that term. */
  annotations(terms: unknown, place: string): XmlElement[] {
    if (!isRecord(terms)) throw invalid(`${place} must be an object such as { 'UI.Hidden': true }`)
    const entries = Object.entries(terms).filter(([, value]) => value !== undefined)
    const names = entries.map(([name]) => name)
    const orphan = names.find((name) => name.includes('@') && !names.includes(name.split('@')[0] ?? ''))
    if (orphan !== undefined) {
      throw invalid(`${place}: ${orphan} annotates '${orphan.split('@')[0] ?? ''}', which is missing`)
    }
    return entries
      .filter(([name]) => !name.includes('@'))
      .map(([name, value]) => {
        const nested = entries
          .filter(([other]) => other.startsWith(`${name}@`))
          .map(([other, inner]) => this.annotation(other.slice(name.length + 1), inner, [], place))
        return this.annotation(name, value, nested, place)
      })
  }

  private annotation(
    name: string,
    value: unknown,
    nested: readonly XmlElement[],
    parent: string,
  ): XmlElement {
    const [term = '', qualifier] = name.split('#')
    const attributes = { Term: fullName(term, vocabularyAliases), Qualifier: qualifier }
    const expression = this.expression(value, { kind: stringKind(term) }, `${parent}: ${name}`)
    return withExpression('Annotation', attributes, expression, nested)
  }

  private expression(value: unknown, expected: Expected, place: string): Expression {
    if (this.depth === MAX_DEPTH) throw invalid(`annotations have more than ${MAX_DEPTH} levels of values`)
    this.depth++
    const expression = this.anyExpression(value, expected, place)
    this.depth--
    return expression
  }

  private anyExpression(value: unknown, expected: Expected, place: string): Expression {
    const { kind } = expected
    if (Array.isArray(value)) return { element: this.collection(value, expected, place) }
    if (kind === 'Text' && isLocalized(value))
      return { attribute: ['String', this.translations.choose(value, place)] }
    if (isRecord(value)) {
      if (typeof value.$Path === 'string') return { attribute: ['Path', value.$Path] }
      return { element: this.record(value, expected.type, place) }
    }
    if (typeof value === 'boolean') return { attribute: ['Bool', String(value)] }
    if (typeof value === 'number' && Number.isFinite(value)) {
      return { attribute: [Number.isSafeInteger(value) ? 'Int' : 'Decimal', String(value)] }
    }
    if (typeof value === 'string') return { attribute: stringOf(value, kind) }
    throw invalid(`${place} must be a string, number, boolean, path(…), record or array`)
  }

  private collection(items: readonly unknown[], expected: Expected, place: string): XmlElement {
    const children = items.map((item, index) => {
      const expression = this.expression(item, expected, `${place}[${index}]`)
      if ('element' in expression) return expression.element
      const [name, value] = expression.attribute
      return elementOf(name, {}, [value])
    })
    return elementOf('Collection', {}, children)
  }

  private record(
    record: Readonly<Record<string, unknown>>,
    expectedType: string | undefined,
    place: string,
  ): XmlElement {
    const type = typeof record.$Type === 'string' ? record.$Type : expectedType
    const members = Object.entries(record).filter(([name, value]) => name !== '$Type' && value !== undefined)
    const children = members.map(([name, value]) =>
      name.startsWith('@')
        ? this.annotation(name.slice(1), value, [], place)
        : withExpression(
            'PropertyValue',
            { Property: name },
            this.expression(
              value,
              { kind: stringKind(name, record), type: recordType(name) },
              `${place}.${name}`,
            ),
          ),
    )
    return elementOf('Record', { Type: type && fullName(type, vocabularyAliases) }, children)
  }
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

function stringOf(value: string, kind: StringKind | undefined): readonly [string, string] {
  if (kind === undefined || kind === 'Text') return ['String', value]
  if (typeof kind === 'string') return [kind, fullPath(value)]
  return ['EnumMember', `${fullName(kind.enum, vocabularyAliases)}/${value}`]
}

/** Replaces the alias of a term within an annotation path: `Lines/@UI.LineItem`. */
function fullPath(path: string): string {
  const at = path.indexOf('@')
  return at < 0 ? path : path.slice(0, at + 1) + fullName(path.slice(at + 1), vocabularyAliases)
}

/** Chooses among translations such as `{ en: 'Product', de: 'Produkt' }`. */
export class TranslationChooser {
  /** True after a translation was chosen. */
  hasTranslations = false

  /**
   * @param tags the languages of the service, the default first; empty for a service without languages
   * @param tag the language of the chosen translations
   */
  constructor(
    private readonly tags: readonly string[],
    private readonly tag = tags[0],
  ) {}

  /**
   * Returns the translation of the language, or that of the default language.
   *
   * @throws ConfigurationError for another language, and without translation into the default language
   */
  choose(texts: Readonly<Record<string, string>>, place: string): string {
    const [defaultTag] = this.tags
    if (defaultTag === undefined) {
      throw invalid(`${place} has translations, which need the option languages`)
    }
    this.hasTranslations = true
    const unknown = Object.keys(texts).find((name) => !this.tags.includes(canonical(name)))
    if (unknown !== undefined) {
      const known = this.tags.join(', ')
      throw invalid(`${place}: '${unknown}' is not a language of the service. Its languages are ${known}.`)
    }
    const byTag = new Map(Object.entries(texts).map(([name, text]) => [canonical(name), text]))
    const text = byTag.get(this.tag ?? defaultTag) ?? byTag.get(defaultTag)
    if (text === undefined) throw invalid(`${place} has no text in the default language '${defaultTag}'`)
    return text
  }
}

/** Returns true for translations: names of members of records start with an uppercase letter. */
function isLocalized(value: unknown): value is Readonly<Record<string, string>> {
  if (!isRecord(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length > 0 &&
    entries.every(([name, text]) => /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(name) && typeof text === 'string')
  )
}

function canonical(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    return tag
  }
}
