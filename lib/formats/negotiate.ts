import { ODataError } from '../errors/odata-error.js'
import { BoundedCache } from '../util/bounded-cache.js'
import { truncate } from '../util/describe-value.js'
import { required } from '../util/required.js'
import { atomFormat } from './atom/atom-format.js'
import type { Format, RepresentationKind } from './format.js'
import { jsonFormat } from './json/json-format.js'
import type { MediaRange } from './media-range.js'
import { parseAccept, parseMediaRange } from './media-range.js'

/** The negotiated format of a response and its media type. */
export interface Negotiated {
  readonly format: Format
  readonly contentType: string
}

/** A kind of document; metadata is only available as XML. */
export type OfferedKind = RepresentationKind | 'metadata'

interface Offer {
  readonly format: Format
  /** `application/atom+xml` */
  readonly mediaType: string
  /** The `type` parameter of Atom: `feed` or `entry`. */
  readonly atomType?: 'feed' | 'entry'
  /** Other media types that clients use for this one, with their specificity. */
  readonly aliases?: Readonly<Record<string, number>>
}

const SPECIFICITY_OF_NAME = 3

const applicationXml: Offer = { format: atomFormat, mediaType: 'application/xml' }
const textXml: Offer = { format: atomFormat, mediaType: 'text/xml' }
/**
 * Some clients accept Atom for every resource and understand plain XML where Atom is not defined. The media type
 * `application/atomsvc+xml` selects only service documents: for other resources a wildcard takes precedence.
 */
const atomAliases = { 'application/atom+xml': 2, 'application/atomsvc+xml': -1 }
const plainXml: readonly Offer[] = [{ ...applicationXml, aliases: atomAliases }, textXml]
const atomService: Offer = {
  format: atomFormat,
  mediaType: 'application/atomsvc+xml',
  aliases: { 'application/atom+xml': SPECIFICITY_OF_NAME },
}
const json: Offer = { format: jsonFormat, mediaType: 'application/json' }

/**
 * The format of responses if `$format` and `Accept` allow several: Atom with plain XML, or JSON.
 *
 * @example const defaultFormat: DefaultFormat = 'json'
 */
export type DefaultFormat = 'atom' | 'json'

type OffersByKind = Readonly<Record<OfferedKind, readonly Offer[]>>

/**
 * The representations of each kind of resource, the default first.
 *
 * @spec MS-ODATA 2.2.5.1 (Accept), 2.2.6
 */
const offersByDefault: Readonly<Record<DefaultFormat, OffersByKind>> = {
  atom: offersOf((xml) => [...xml, json]),
  json: offersOf((xml) => [json, ...xml]),
}

function offersOf(withJson: (xml: readonly Offer[]) => readonly Offer[]): OffersByKind {
  return {
    serviceDocument: withJson([atomService, applicationXml, textXml]),
    feed: withJson([atomOf('feed'), applicationXml, textXml]),
    entry: withJson([atomOf('entry'), applicationXml, textXml]),
    value: withJson(plainXml),
    metadata: plainXml,
  }
}

function atomOf(atomType: 'feed' | 'entry'): Offer {
  return { format: atomFormat, mediaType: 'application/atom+xml', atomType }
}

/**
 * Chooses the representation of a resource.
 *
 * @param formatOption the value of `$format`, which takes precedence over the header
 * @param accept the `Accept` header
 * @param defaultFormat the format of a request that allows several, or has no preference
 * @throws ODataError NotAcceptable when no representation is accepted, InvalidSystemQueryOption for metadata as JSON
 * @spec MS-ODATA 2.2.3.6.1.5 ($format), 2.2.5.1
 */
export function negotiate(
  kind: OfferedKind,
  formatOption: string | undefined,
  accept: string | undefined,
  defaultFormat: DefaultFormat = 'atom',
): Negotiated {
  const cache = (formatOption === undefined ? byAccept : byOption)[defaultFormat][kind]
  const key = formatOption ?? accept
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const negotiated = negotiateUncached(offersByDefault[defaultFormat][kind], kind, formatOption, accept)
  if (key === undefined || key.length <= MAX_CACHED_LENGTH) cache.set(key, negotiated)
  return negotiated
}

/** Results by header or option: separate caches save concatenating a key. */
type Caches = Readonly<
  Record<DefaultFormat, Readonly<Record<OfferedKind, BoundedCache<string | undefined, Negotiated>>>>
>

const MAX_CACHED_HEADERS = 100
const MAX_CACHED_LENGTH = 500
const byAccept: Caches = createCaches()
const byOption: Caches = createCaches()

function createCaches(): Caches {
  const cache = (): BoundedCache<string | undefined, Negotiated> => new BoundedCache(MAX_CACHED_HEADERS)
  const caches = (): Caches[DefaultFormat] => ({
    serviceDocument: cache(),
    feed: cache(),
    entry: cache(),
    value: cache(),
    metadata: cache(),
  })
  return { atom: caches(), json: caches() }
}

function negotiateUncached(
  offers: readonly Offer[],
  kind: OfferedKind,
  formatOption: string | undefined,
  accept: string | undefined,
): Negotiated {
  const ranges = formatOption === undefined ? parseAccept(accept) : [formatRange(formatOption, kind)]
  const best = bestOffer(offers, ranges)
  if (best !== undefined) return best
  const wanted = formatOption === undefined ? 'Accept' : '$format'
  const available = offers.map(({ mediaType }) => mediaType).join(', ')
  throw new ODataError('NotAcceptable', {
    message: `${wanted} does not include a media type of this resource. Supported: ${available}.${pageHint(kind, ranges)}`,
  })
}

/** Returns a hint at the option `explorer` for browsers, which accept HTML at the service root. */
function pageHint(kind: OfferedKind, ranges: readonly MediaRange[] | undefined): string {
  const asksForPage = ranges?.some(({ type, subtype }) => type === 'text' && subtype === 'html')
  if (kind !== 'serviceDocument' || asksForPage !== true) return ''
  return ' The option explorer: true provides an HTML page.'
}

/** Negotiates the format of an error document; the default if none is acceptable. Never throws. */
export function negotiateError(
  formatOption: string | undefined,
  accept: string | undefined,
  defaultFormat: DefaultFormat = 'atom',
): Negotiated {
  const requested = formatOption === undefined ? undefined : rangeOf(formatOption)
  const ranges = requested === undefined ? parseAccept(accept) : [requested]
  const offered = offersByDefault[defaultFormat].value.filter(({ mediaType }) => mediaType !== 'text/xml')
  return required(bestOffer(offered, ranges) ?? bestOffer(offered, undefined))
}

const shortNames: Readonly<Record<string, string>> = {
  atom: 'application/atom+xml',
  json: 'application/json',
  xml: 'application/xml',
}

function rangeOf(formatOption: string): MediaRange | undefined {
  const name = formatOption.trim()
  return parseMediaRange(Object.hasOwn(shortNames, name) ? (shortNames[name] ?? name) : name)
}

function formatRange(formatOption: string, kind: OfferedKind): MediaRange {
  const range = rangeOf(formatOption)
  if (range === undefined) {
    throw new ODataError('NotAcceptable', {
      message: `$format must be 'atom', 'json', 'xml' or a media type, not '${truncate(formatOption)}'.`,
    })
  }
  if (kind === 'metadata' && range.subtype === 'json') {
    throw new ODataError('InvalidSystemQueryOption', {
      message: '$format: metadata is only available as XML. Use $format=xml, or omit it.',
    })
  }
  return range
}

interface Match {
  readonly offer: Offer
  readonly range: MediaRange
  readonly specificity: number
}

/** Returns the offer with the best quality, then the highest specificity, then the first. */
function bestOffer(
  offered: readonly Offer[],
  ranges: readonly MediaRange[] | undefined,
): Negotiated | undefined {
  const [first] = offered
  if (ranges === undefined) return first && { format: first.format, contentType: contentTypeOf(first) }
  const best = bestMatch(offered, ranges)
  return best && { format: best.offer.format, contentType: contentTypeOf(best.offer, best.range) }
}

/** Returns how well a feed matches, to compare it with other representations of a collection. */
export function bestFeedMatch(ranges: readonly MediaRange[] | undefined): Match | undefined {
  return bestMatch(offersByDefault.atom.feed, ranges ?? [])
}

function bestMatch(offered: readonly Offer[], ranges: readonly MediaRange[]): Match | undefined {
  let best: Match | undefined
  for (const offer of offered) {
    const match = bestRange(offer, ranges)
    if (match === undefined || match.range.quality === 0) continue
    if (best === undefined || isBetter(match, best)) best = match
  }
  return best
}

function isBetter(match: Match, best: Match): boolean {
  const { quality } = match.range
  if (quality !== best.range.quality) return quality > best.range.quality
  return match.specificity > best.specificity
}

/** Returns the most specific range of an offer, which takes precedence over wider ranges. */
function bestRange(offer: Offer, ranges: readonly MediaRange[]): Match | undefined {
  let best: Match | undefined
  for (const range of ranges) {
    const specificity = specificityOf(offer, range)
    if (specificity === undefined) continue
    const better =
      best === undefined ||
      specificity > best.specificity ||
      (specificity === best.specificity && range.quality > best.range.quality)
    if (better) best = { offer, range, specificity }
  }
  return best
}

/** @returns undefined when the range does not match the offer */
function specificityOf(offer: Offer, range: MediaRange): number | undefined {
  const { parameters } = range
  const charset = parameters.get('charset')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return undefined
  if (range.type === '*') return 0
  const name = `${range.type}/${range.subtype}`
  const [offeredType] = offer.mediaType.split('/')
  if (range.type === offeredType && range.subtype === '*') return 1
  if (name !== offer.mediaType) return offer.aliases?.[name]
  if (offer.format === jsonFormat) return jsonSpecificity(parameters)
  const type = parameters.get('type')
  if (type === undefined || offer.atomType === undefined) return SPECIFICITY_OF_NAME
  return type === offer.atomType ? 4 : undefined
}

/**
 * Returns the specificity of a JSON media range; undefined if it does not include verbose JSON, the only JSON of
 * OData V2. Clients of several versions list `odata.metadata` of V4 first, and Atom after it.
 */
function jsonSpecificity(parameters: ReadonlyMap<string, string>): number | undefined {
  if (parameters.has('odata.metadata')) return undefined
  const odata = parameters.get('odata')
  if (odata === undefined) return SPECIFICITY_OF_NAME
  return odata === 'verbose' ? 4 : undefined
}

function contentTypeOf(offer: Offer, range?: MediaRange): string {
  const type = offer.atomType === undefined ? '' : `;type=${offer.atomType}`
  const verbose = offer.format === jsonFormat && range?.parameters.get('odata') === 'verbose'
  return `${offer.mediaType}${type}${verbose ? ';odata=verbose' : ''};charset=utf-8`
}
