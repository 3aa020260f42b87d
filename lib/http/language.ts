import createDebug from 'debug'
import type { Labels, NamedLabels } from '../csdl/localized-model.js'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'

const debugError = createDebug('odata-v2:error')

/**
 * The message of an error code in one language, or a function that returns it for an error.
 *
 * @example const notFound: MessageText = ({ details }) => `Nicht gefunden: ${details.source}`
 */
export type MessageText = string | ((error: ODataError) => string)

/** A language of the service, with its translations. */
export interface Language {
  /** The tag of the language, for example `de`. */
  readonly tag: string
  readonly labels: Labels
  readonly namedLabels: NamedLabels
  readonly messages: Readonly<Partial<Record<ODataErrorCode, MessageText>>>
}

/** The parts of a request that choose its language. */
type LanguageRequest = Pick<ODataRequest, 'relativeUri' | 'batch' | 'header'>

/** The language of one request. */
export interface ChosenLanguage {
  readonly language: Language
  /** True if the URI of the request sets the language. Headers are ignored then. */
  readonly isInUri: boolean
}

/**
 * Technical codes of SAP systems that are not ISO 639 codes; undefined is the default language.
 *
 * @spec SAPUI5, "Identifying the Language Code / Locale"
 */
const sapCodes: ReadonlyMap<string, string | undefined> = new Map([
  ['zh', 'zh-Hans'],
  ['zf', 'zh-Hant'],
  ['sh', 'sr-Latn'],
  ['ct', 'cnr'],
  ['1q', undefined],
  ['2q', undefined],
  ['3q', undefined],
])

const MAX_CACHED_HEADERS = 100
/** The maximum characters of a URI that are searched, because the URI may be longer than the limit. */
const MAX_SEARCHED_LENGTH = 10_000

/** The languages of a service, which chooses one for each request. */
export class Languages {
  private readonly tags: readonly string[]
  private readonly byTag: ReadonlyMap<string, Language>
  private readonly byHeader = new BoundedCache<string, Language | null>(MAX_CACHED_HEADERS)

  /** @param all the default language first */
  constructor(
    readonly defaultLanguage: Language,
    all: readonly Language[],
  ) {
    this.tags = all.map(({ tag }) => tag)
    this.byTag = new Map(all.map((language) => [language.tag, language]))
  }

  /** Chooses the language of a request. A part of a batch without a supported language has that of the batch. */
  of(request: LanguageRequest): ChosenLanguage {
    return this.requested(request) ?? { language: this.defaultLanguage, isInUri: false }
  }

  private requested(request: LanguageRequest): ChosenLanguage | undefined {
    const named =
      this.named(queryOption(request.relativeUri, 'sap-language')) ??
      this.named(queryOption(request.relativeUri, 'sap-locale'))
    if (named !== undefined) return { language: named, isInUri: true }
    const accepted = this.accepted(request.header('accept-language'))
    if (accepted !== undefined) return { language: accepted, isInUri: false }
    return request.batch === undefined ? undefined : this.requested(request.batch)
  }

  private named(code: string | undefined): Language | undefined {
    if (code === undefined) return undefined
    const name = code.trim().toLowerCase().replaceAll('_', '-')
    const range = sapCodes.has(name) ? sapCodes.get(name) : name
    return range === undefined ? this.defaultLanguage : this.find(lookUpLanguage(range, this.tags))
  }

  private accepted(header: string | undefined): Language | undefined {
    if (header === undefined) return undefined
    let language = this.byHeader.get(header)
    if (language === undefined) {
      language = this.find(acceptedLanguage(header, this.tags)) ?? null
      this.byHeader.set(header, language)
    }
    return language ?? undefined
  }

  private find(tag: string | undefined): Language | undefined {
    return tag === undefined ? undefined : this.byTag.get(tag)
  }
}

/** Returns the decoded value of a query option of a URI that may be malformed. */
function queryOption(uri: string, name: string): string | undefined {
  const start = uri.indexOf('?')
  if (start < 0 || !uri.includes(name, start)) return undefined
  const query = uri.slice(start + 1, MAX_SEARCHED_LENGTH)
  return new URLSearchParams(query.replace(/#.*/s, '')).get(name) ?? undefined
}

/** An error, and the language of its message. */
interface TranslatedError {
  readonly error: ODataError
  /** The tag of the language. */
  readonly tag: string
}

/** The language of the messages of the service itself. */
export const MESSAGE_LANGUAGE = 'en'

/**
 * Translates the message of an error. A message whose language the application states is not translated.
 *
 * @param error as clients may see it: messages of internal errors are confidential
 */
export function translateError(error: ODataError, { messages, tag }: Language): TranslatedError {
  const { code, details, innererror, status, upstreamCode } = error
  if (typeof details.language === 'string') return { error, tag: languageTag(details.language) }
  const message = messageOf(messages[code], error)
  if (message === undefined) return { error, tag: MESSAGE_LANGUAGE }
  const options = {
    message,
    details,
    status,
    upstreamCode,
    ...(innererror === undefined ? {} : { innererror }),
  }
  return { error: new ODataError(code, options), tag }
}

/**
 * Returns the translation of a message. A function of the application that fails must not replace the error that it
 * translates.
 */
function messageOf(text: MessageText | undefined, error: ODataError): string | undefined {
  if (typeof text !== 'function') return text
  try {
    const message: unknown = text(error)
    return typeof message === 'string' ? message : undefined
  } catch (thrown) {
    debugError('a message for %s failed: %O', error.code, thrown)
    return undefined
  }
}

/** Returns a language tag if it is valid in headers and XML, otherwise the tag of English. */
function languageTag(given: string): string {
  return /^[a-zA-Z0-9-]{1,100}$/.test(given) ? given : MESSAGE_LANGUAGE
}

type Headers = ODataResponse['headers']

/** Headers without the language, which many responses share, and with it. */
const localizedHeaders = new WeakMap<Headers, Map<string, Headers>>()

/**
 * Adds the headers of a negotiated language to a response, unless it states the language of its body itself.
 *
 * @spec RFC 9110 8.5, 12.5.5
 */
export function withLanguage(
  response: ODataResponse,
  { isInUri, language: { tag } }: ChosenLanguage,
): ODataResponse {
  const { status, headers, body } = response
  const language = body === undefined || headers['Content-Language'] !== undefined ? undefined : tag
  if (!Object.isFrozen(headers)) return { status, headers: withHeaders(headers, language, isInUri), body }
  const key = `${language ?? ''} ${String(isInUri)}`
  let known = localizedHeaders.get(headers)
  if (known === undefined) localizedHeaders.set(headers, (known = new Map<string, Headers>()))
  let localized = known.get(key)
  if (localized === undefined)
    known.set(key, (localized = Object.freeze(withHeaders(headers, language, isInUri))))
  return { status, headers: localized, body }
}

function withHeaders(headers: Headers, language: string | undefined, isInUri: boolean): Headers {
  const { Vary } = headers
  return {
    ...headers,
    ...(language === undefined ? {} : { 'Content-Language': language }),
    ...(isInUri ? {} : { Vary: Vary === undefined ? 'Accept-Language' : `${Vary}, Accept-Language` }),
  }
}

/** Longer headers and ranges, in characters, are ignored. */
const MAX_HEADER_LENGTH = 2_000
const MAX_RANGE_LENGTH = 100

const rangePattern = /^(?:\*|[a-z]{1,8}(?:-(?:\*|[a-z0-9]{1,8}))*)$/
const qualityPattern = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/** A language range of an `Accept-Language` header. */
interface LanguageRange {
  /** In lower case. */
  readonly range: string
  /** From 0 to 1. */
  readonly quality: number
}

/**
 * Finds the language that an `Accept-Language` header prefers, by the lookup of RFC 4647. Malformed ranges are ignored.
 *
 * @param header value of the header
 * @param tags supported languages, the default language first
 * @returns undefined when no range matches
 * @example acceptedLanguage('de-AT,en;q=0.5', ['en', 'de']) // 'de'
 * @spec RFC 4647 3.4, RFC 9110 12.5.4
 */
export function acceptedLanguage(header: string, tags: readonly string[]): string | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined
  const ranges = header.split(',').flatMap(parseRange)
  const refused = ranges.filter(({ quality }) => quality === 0)
  const offered = tags.filter((tag) => !refused.some(({ range }) => isWithin(tag.toLowerCase(), range)))
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  for (const { range } of accepted) {
    const tag = range === '*' ? offered[0] : lookUpLanguage(range, offered)
    if (tag !== undefined) return tag
  }
  return undefined
}

/**
 * Finds the supported language of a language range: shortens the range until it equals a tag.
 *
 * @param range a language range in any case
 * @returns undefined when no language matches
 * @spec RFC 4647 3.4
 */
export function lookUpLanguage(range: string, tags: readonly string[]): string | undefined {
  let subtags = range.length > MAX_RANGE_LENGTH ? [] : range.toLowerCase().split('-')
  while (subtags.length > 0) {
    const shortened = subtags.join('-')
    const found = tags.find((tag) => tag.toLowerCase() === shortened)
    if (found !== undefined) return found
    subtags = subtags.slice(0, -1)
    // A single letter or digit introduces the subtags after it.
    if (subtags.at(-1)?.length === 1) subtags = subtags.slice(0, -1)
  }
  return undefined
}

function parseRange(part: string): readonly LanguageRange[] {
  const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
  if (range.length > MAX_RANGE_LENGTH || !rangePattern.test(range)) return []
  if (parameters.length === 0) return [{ range, quality: 1 }]
  const quality = parameters.length === 1 ? qualityPattern.exec(parameters[0] ?? '')?.[1] : undefined
  return quality === undefined ? [] : [{ range, quality: Number(quality) }]
}

/** Returns true if a refused range covers a tag. `*` only refuses languages that no other range names. */
function isWithin(tag: string, range: string): boolean {
  return tag === range || tag.startsWith(`${range}-`)
}
