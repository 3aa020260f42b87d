import type { LabelTexts, NamedLabels } from '../csdl/localized-model.js'
import { labelledElements, labelNames, labelsOf } from '../csdl/localized-model.js'
import type { Annotatable } from '../edm/annotations.js'
import type { EdmModel } from '../edm/edm-model.js'
import { checkNames, invalid } from '../errors/check-option.js'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { errorCodes } from '../errors/error-codes.js'
import { didYouMean } from '../errors/suggestions.js'
import type { Language, MessageText } from './language.js'
import { Languages } from './language.js'
import type { DefinitionOf, KeysOfUnion, Member, SchemasOf } from '../edm/infer.js'

/**
 * The translations of one language.
 *
 * @typeParam Model type of the model, which determines the names of `labels`
 * @example
 * const german: LanguageTexts = {
 *   labels: { 'Shop.Product/Price': 'Preis' },
 *   messages: { ResourceNotFound: 'Nicht gefunden.' },
 * }
 * const options: ServiceOptions = { languages: { default: 'en', texts: { de: german } } }
 */
export interface LanguageTexts<Model = EdmModel> {
  /**
   * Labels of model elements. Names are `Namespace.Type`, `Namespace.Type/Property`, `Container/EntitySet`,
   * `Container/Function` and `Container/Function/Parameter`. A string is `sap:label`; an object can have `label`,
   * `heading` and `quickinfo`. Default: the annotations of the model.
   */
  readonly labels?: { readonly [Name in LabelName<Model>]?: string | LabelTexts | undefined } | undefined
  /**
   * Messages of error responses by code: strings, or functions of the error. Default: the message of the error, in
   * English.
   */
  readonly messages?: { readonly [Code in ODataErrorCode]?: MessageText | undefined } | undefined
}

/**
 * The languages of a service: the default language and those of `texts`.
 *
 * @typeParam Model type of the model, which determines the names of labels
 * @example
 * const options: ServiceOptions = {
 *   languages: { default: 'en', texts: { de: { messages: { ResourceNotFound: 'Nicht gefunden.' } } } },
 * }
 */
export interface LanguageOptions<Model = EdmModel> {
  /** The language of requests without a supported language, for example `en`. */
  readonly default: string
  /** Translations by language tag (BCP 47), for example `de` or `pt-BR`. */
  readonly texts: Readonly<Record<string, LanguageTexts<Model>>>
}

/**
 * Returns the tags of the languages of a service, the default first; none without the option.
 *
 * @throws ConfigurationError for an invalid option, and for names that are not tags of languages
 */
export function languageTags(options: LanguageOptions | undefined): readonly string[] {
  if (options === undefined) return []
  if (!isObject(options) || !isObject(options.texts)) {
    throw invalid('languages must be an object with a default language, and with translations by language')
  }
  checkNames(options, ['default', 'texts'], 'an option', 'languages.')
  const tags = new Set([canonicalTag(options.default, 'languages.default')])
  const given = new Set<string>()
  for (const name of Object.keys(options.texts)) {
    const path = `languages.texts.${name}`
    const tag = canonicalTag(name, path)
    if (given.has(tag)) throw invalid(`${path}: the language '${tag}' occurs twice`)
    given.add(tag)
    tags.add(tag)
  }
  return [...tags]
}

/**
 * Validates the option `languages`.
 *
 * @param defaultLabels returns labels of a language that the option does not have
 * @returns undefined for a service without languages
 * @throws ConfigurationError for an invalid option
 */
export function languagesOf(
  options: LanguageOptions | undefined,
  model: EdmModel,
  defaultLabels: (tag: string) => NamedLabels = () => new Map(),
): Languages | undefined {
  if (options === undefined) return undefined
  const tags = languageTags(options)
  const texts = new Map(
    Object.entries(options.texts).map(([name, given]) => {
      const path = `languages.texts.${name}`
      return [canonicalTag(name, path), { given, path }]
    }),
  )
  const all = tags.map((tag) => {
    const { given = {}, path = '' } = texts.get(tag) ?? {}
    return languageOf(tag, given, model, path, defaultLabels(tag))
  })
  const [defaultLanguage] = all
  return defaultLanguage && new Languages(defaultLanguage, all)
}

function languageOf(
  tag: string,
  texts: LanguageTexts,
  model: EdmModel,
  path: string,
  defaultLabels: NamedLabels,
): Language {
  if (!isObject(texts)) throw invalid(`${path} must be an object such as { labels: {}, messages: {} }`)
  checkNames(texts, ['labels', 'messages'], 'an option', `${path}.`)
  const elements = labelledElements(model)
  const { labels = {}, messages = {} } = texts
  if (!isObject(labels))
    throw invalid(`${path}.labels must be an object such as { 'Shop.Product/Name': 'Name' }`)
  if (!isObject(messages)) {
    throw invalid(`${path}.messages must be an object such as { Conflict: 'Text' }`)
  }
  checkNames(messages, Object.keys(errorCodes), 'an error code', `${path}.messages.`)
  for (const [code, text] of Object.entries(messages)) checkMessage(text, `${path}.messages.${code}`)
  const namedLabels = new Map(defaultLabels)
  for (const [name, label] of Object.entries(labels)) {
    checkElement(name, elements, path)
    namedLabels.set(name, { ...namedLabels.get(name), ...labelTexts(label, `${path}.labels['${name}']`) })
  }
  return {
    tag,
    labels: labelsOf(model, namedLabels),
    namedLabels,
    messages: messages as Language['messages'],
  }
}

function checkElement(name: string, elements: ReadonlyMap<string, Annotatable>, path: string): void {
  if (elements.has(name)) return
  const hint =
    didYouMean(name, elements.keys()) ||
    " Use a name such as 'Shop.Product/Name', 'Container/Products' or 'Container/Function/Parameter'."
  throw invalid(`${path}.labels: '${name}' is not an element of the model.${hint}`)
}

function labelTexts(label: unknown, path: string): LabelTexts {
  if (typeof label === 'string') return { label }
  if (!isObject(label)) throw invalid(`${path} must be a string, or an object such as { label: 'Name' }`)
  checkNames(label, labelNames, 'a label', `${path}.`)
  for (const [name, text] of Object.entries(label) as [string, unknown][]) {
    if (text !== undefined && typeof text !== 'string') throw invalid(`${path}.${name} must be a string`)
  }
  return label
}

function checkMessage(text: unknown, path: string): void {
  if (text === undefined || typeof text === 'string' || typeof text === 'function') return
  throw invalid(`${path} must be a string or a function`)
}

function canonicalTag(tag: unknown, path: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(typeof tag === 'string' ? tag : '')
    if (canonical !== undefined) return canonical
  } catch {
    // Reported below.
  }
  throw invalid(`${path}: '${String(tag)}' is not a language tag such as 'de' or 'pt-BR'`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * The names of the elements of a model that have labels: `Namespace.Type`, `Namespace.Type/Property`,
 * `Container/EntitySet`, `Container/Function` and `Container/Function/Parameter`. Any string for models of `readEdmx`.
 */
type LabelName<Model> =
  unknown extends DefinitionOf<Model> ? string : NamesInSchema<SchemasOf<DefinitionOf<Model>>>

type NamesInSchema<Schema> = Schema extends { readonly namespace: infer Namespace extends string }
  ? | TypeNames<Namespace, Member<Schema, 'entityTypes'>>
    | TypeNames<Namespace, Member<Schema, 'complexTypes'>>
    | ContainerNames<Member<Schema, 'entityContainer'>>
    | (Schema extends { readonly entityContainers: infer Containers }
        ? `${keyof Containers & string}/${string}`
        : never)
  : never

type TypeNames<Namespace extends string, Types> = Types extends unknown
  ? {
      [Name in keyof Types & string]:
        | `${Namespace}.${Name}`
        | `${Namespace}.${Name}/${NamesOf<Types[Name], 'properties'> | NamesOf<Types[Name], 'navigationProperties'>}`
    }[keyof Types & string]
  : never

/** Names of containers, and of parameters, are checked at start-up. */
type ContainerNames<Container> =
  | `${string}/${NamesOf<Container, 'entitySets'> | NamesOf<Container, 'functionImports'>}`
  | `${string}/${NamesOf<Container, 'functionImports'>}/${string}`

/** The names of members of one kind; `keyof` would accept any name for an empty object. */
type NamesOf<Owner, Kind extends PropertyKey> = KeysOfUnion<Member<Owner, Kind>> & string
