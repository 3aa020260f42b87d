import type { IncomingMessage } from 'node:http'
import type { BatchLimits } from './batch/batch-part.js'
import type { EdmModel, EntitySet } from './edm/edm-model.js'
import type { EntitySetName } from './edm/infer.js'
import type { ODataError } from './errors/odata-error.js'
import { ConfigurationError } from './errors/configuration-error.js'
import { didYouMean } from './errors/suggestions.js'
import type { NextTop } from './formats/next-link.js'
import type { CsrfOptions } from './http/csrf-token.js'
import type { MediaDisposition } from './http/media-response.js'
import type { AccessLimits } from './data/access-limits.js'
import type { Authorize } from './provider/authorize.js'
import type { HooksBySet } from './data/check-hooks.js'
import { checkedHooks } from './data/check-hooks.js'
import type { Hooks } from './provider/hooks.js'
import type { QueryLimits } from './query/bind-query-options.js'
import type { SystemQueryOption } from './uri/parse-query-options.js'
import { systemQueryOptions } from './uri/parse-query-options.js'
import type { PromiseOrValue } from './util/promise-or-value.js'

/** What one request may cost. Every member can be set on its own. */
export interface Limits extends QueryLimits, AccessLimits, BatchLimits {
  /** Characters of the path and query of a request; longer ones are answered with 414. Default: 8192. */
  readonly url: number
  /** Characters of the path and query of a request within a batch, unless `url` allows more. Default: 65536. */
  readonly batchUrl: number
  /** Segments of a resource path: each may cost an access to data. Default: 100. */
  readonly pathSegments: number
  /** Bytes of a body that is not a media resource; longer ones are answered with 413. Default: 1 MiB (1,048,576). */
  readonly bodyBytes: number
  /** Bytes of a media resource that is sent to the service. Default: 100 MiB (104,857,600). */
  readonly mediaBytes: number
  /** Levels of entities within an entity that is inserted. Default: 5. */
  readonly insertDepth: number
  /**
   * Characters of the header `sap-message`; what is more is left out. Servers and proxies allow some 16,000.
   * Default: 8192.
   */
  readonly messageBytes: number
  /**
   * Milliseconds that a request may take until its answer begins, its body and a whole batch included, and for which
   * an answer that has begun may make no progress. Then it is given up, and `call.signal` is aborted. 0 is no limit.
   * Default: 120,000.
   */
  readonly requestTime: number
}

/** The cache of finished pages: feeds, counts, links, and entities with `$expand`. */
export interface PageCacheOptions {
  /** Bytes of all cached pages; one takes at most a quarter of it. 0 caches nothing. Default: 32 MiB (33,554,432). */
  readonly maxBytes?: number | undefined
}

/** What an OpenAPI document says of a service that its model does not. */
export interface OpenApiInfo {
  /** Default: the name of the entity container. */
  readonly title?: string | undefined
  /** Of the interface, not of OData. Default: `1.0.0`. */
  readonly version?: string | undefined
  /** In CommonMark. Default: the documentation of the entity container. */
  readonly description?: string | undefined
}

/** The entities of a page by the name of the entity set; 0 is no limit. */
export type PageSizes<Model = EdmModel> = { readonly [Name in EntitySetName<Model>]?: number | undefined }

/**
 * Options of services, whatever they are mounted in.
 *
 * @typeParam Context what the `context` option returns
 * @typeParam Model type of the model, from which the entities that `hooks` are given are inferred
 * @typeParam NativeRequest the requests of what the service is mounted in
 */
export interface ServiceOptions<Context = unknown, Model = EdmModel, NativeRequest = IncomingMessage> {
  /**
   * How many entities a page has at most: a number, or a number for each entity set by name. 0 is no limit.
   * Default: 1000.
   */
  readonly pageSize?: number | PageSizes<Model> | undefined
  /**
   * What the application knows of the caller; handed to the provider, to `authorize`, to hooks and to functions. Asked
   * once for a request, also for a batch. What it throws is the answer. Default: undefined.
   */
  readonly context?: ((req: NativeRequest) => PromiseOrValue<Context>) | undefined
  /** Asked before every access to data; see {@link Authorize}. Default: everything is allowed. */
  readonly authorize?: Authorize<Context, Model> | undefined
  /** Called before and after entities change, for each entity set; see {@link EntityHooks}. Default: none. */
  readonly hooks?: Hooks<Model, Context> | undefined
  /** Query options that are answered with 400 `QueryOptionNotAllowed`, for instance `['$filter', '$orderby']`. Default: none. */
  readonly disabledQueryOptions?: readonly SystemQueryOption[] | undefined
  /**
   * Whether a browser that asks for a page at the service root gets one to explore the service with. Everybody else
   * gets the service document. Default: false.
   */
  readonly explorer?: boolean | undefined
  /**
   * Whether an OpenAPI document of the service is at `$openapi` below its root; an object says more of the service.
   * Default: what `explorer` is.
   */
  readonly openapi?: boolean | OpenApiInfo | undefined
  /**
   * The public address of the service, when it cannot be told from the request: `https://example.org/odata/`.
   * Default: from the request, and behind a trusted proxy from what that says.
   */
  readonly serviceRoot?: string | undefined
  /**
   * Rejects requests that change data with 405, including calls of function imports by POST, even if the provider
   * supports changes. Default: false.
   */
  readonly readOnly?: boolean | undefined
  /**
   * Whether requests that change data need a token, which `x-csrf-token: Fetch` gets, as SAP's clients expect. Where
   * several processes serve it, they need the same `secret`; see {@link CsrfOptions}. Default: false.
   */
  readonly csrf?: boolean | CsrfOptions<NativeRequest> | undefined
  /**
   * Whether what SAP's annotations of the model rule out is refused: `sap:creatable="false"`, `sap:filterable="false"`
   * and their like. A model without them costs nothing. Default: true.
   */
  readonly sapRestrictions?: boolean | undefined
  /**
   * Whether answers say in the header `Server-Timing` how long it took to parse, authorize, ask the provider and begin
   * to write. Everybody can read it. Default: false.
   */
  readonly serverTiming?: boolean | undefined
  /** What a request may cost: each limit by itself, the others keep their defaults; see {@link Limits}. */
  readonly limits?: Partial<Limits> | undefined
  /**
   * How much memory cached pages may take; see {@link PageCacheOptions}. A page is cached when it is requested for the
   * second time, and returned until the provider reports a new version of its data. Providers without `dataVersion`
   * are not cached.
   */
  readonly pageCache?: PageCacheOptions | undefined
  /**
   * Told of every error that is answered with 5xx, with what caused it; the client sees a general text.
   * Default: printed to standard error.
   */
  readonly onError?: ((error: ODataError, request: NativeRequest) => void) | undefined
  /** How `$top` goes on in next links: what is left of it, or the same number on every page. Default: `remaining`. */
  readonly nextTop?: NextTop | undefined
  /** The status for a single-valued navigation property that leads to nothing. Default: 404. */
  readonly nullNavigation?: 204 | 404 | undefined
  /**
   * `attachment` has browsers save media resources instead of showing them when their address is opened. Images,
   * audio and video within pages are shown all the same. Default: `inline`.
   */
  readonly mediaDisposition?: 'inline' | 'attachment' | undefined
  /** Whether JSON shows Edm.Double and Edm.Single as numbers rather than strings. Default: false. */
  readonly doubleAsNumber?: boolean | undefined
  /**
   * Whether the error of a change set that failed stands within the multipart of the change set, where some clients
   * look for it, rather than in its place. Default: false.
   */
  readonly nestChangeSetErrors?: boolean | undefined
}

/** Options with everything filled in. */
export interface Settings {
  readonly pageSize: (set: EntitySet) => number
  readonly context: ((req: IncomingMessage) => PromiseOrValue<unknown>) | undefined
  readonly authorize: Authorize | undefined
  readonly hooks: HooksBySet | undefined
  readonly disabledQueryOptions: ReadonlySet<SystemQueryOption>
  readonly serviceRoot: string | undefined
  readonly explorer: boolean
  /** Undefined when there is to be no such document. */
  readonly openapi: OpenApiInfo | undefined
  readonly readOnly: boolean
  readonly csrf: CsrfOptions | undefined
  readonly sapRestrictions: boolean
  readonly serverTiming: boolean
  readonly limits: Limits
  readonly pageCache: { readonly maxBytes: number }
  readonly onError: ((error: ODataError, request: IncomingMessage) => void) | undefined
  readonly nextTop: NextTop
  readonly nullNavigation: 204 | 404
  readonly mediaDisposition: MediaDisposition
  readonly doubleAsNumber: boolean
  readonly nestChangeSetErrors: boolean
}

const DEFAULT_PAGE_SIZE = 1000
const DEFAULT_PAGE_CACHE_BYTES = 33_554_432

export const DEFAULT_LIMITS: Limits = {
  url: 8192,
  batchUrl: 65_536,
  pathSegments: 100,
  bodyBytes: 1_048_576,
  mediaBytes: 104_857_600,
  insertDepth: 5,
  messageBytes: 8192,
  requestTime: 120_000,
  batchParts: 100,
  changeSetRequests: 1000,
  batchRequests: 1000,
  batchBytes: 16_777_216,
  expressionDepth: 100,
  expressionNodes: 5000,
  orderByTerms: 20,
  expandDepth: 5,
  expandPaths: 20,
  top: 2_147_483_647,
  scannedRows: 1_000_000,
  sortedRows: 100_000,
  expandedRows: 100_000,
}

const optionNames: Readonly<Record<keyof ServiceOptions, true>> = {
  pageSize: true,
  context: true,
  authorize: true,
  hooks: true,
  disabledQueryOptions: true,
  serviceRoot: true,
  explorer: true,
  openapi: true,
  readOnly: true,
  csrf: true,
  sapRestrictions: true,
  serverTiming: true,
  limits: true,
  pageCache: true,
  onError: true,
  nextTop: true,
  nullNavigation: true,
  mediaDisposition: true,
  doubleAsNumber: true,
  nestChangeSetErrors: true,
}

/**
 * Checks options when the application starts, so that no mistake waits for a request to show.
 *
 * @param hostOptions names of options that belong to what the service is mounted in
 * @throws StartFault with what to write instead
 */
export function settingsOf<Context>(
  options: ServiceOptions<Context>,
  model: EdmModel,
  hostOptions: readonly string[] = [],
): Settings {
  if (typeof options !== 'object' || options === null) throw invalid('options must be an object')
  checkNames(options, [...Object.keys(optionNames), ...hostOptions], 'an option')
  checkFunction('context', options.context)
  checkFunction('authorize', options.authorize)
  checkFunction('onError', options.onError)
  checkChoice('nextTop', options.nextTop, ['remaining', 'same'])
  checkChoice('nullNavigation', options.nullNavigation, [204, 404])
  checkChoice('mediaDisposition', options.mediaDisposition, ['inline', 'attachment'])
  checkChoice('explorer', options.explorer, [true, false])
  checkChoice('readOnly', options.readOnly, [true, false])
  checkChoice('serverTiming', options.serverTiming, [true, false])
  checkChoice('sapRestrictions', options.sapRestrictions, [true, false])
  checkChoice('doubleAsNumber', options.doubleAsNumber, [true, false])
  checkChoice('nestChangeSetErrors', options.nestChangeSetErrors, [true, false])
  return {
    pageSize: pageSizes(options.pageSize, model),
    context: options.context,
    authorize: options.authorize as Authorize | undefined,
    hooks: checkedHooks(options.hooks, model),
    disabledQueryOptions: disabledOptions(options.disabledQueryOptions),
    serviceRoot: options.serviceRoot === undefined ? undefined : publicRoot(options.serviceRoot),
    explorer: options.explorer ?? false,
    openapi: openApiOf(options.openapi ?? options.explorer),
    readOnly: options.readOnly ?? false,
    csrf: csrfOf(options.csrf),
    sapRestrictions: options.sapRestrictions ?? true,
    serverTiming: options.serverTiming ?? false,
    limits: limitsOf(options.limits),
    pageCache: pageCacheOf(options.pageCache),
    onError: options.onError,
    nextTop: options.nextTop ?? 'remaining',
    nullNavigation: options.nullNavigation ?? 404,
    mediaDisposition: options.mediaDisposition ?? 'inline',
    doubleAsNumber: options.doubleAsNumber ?? false,
    nestChangeSetErrors: options.nestChangeSetErrors ?? false,
  }
}

function pageSizes(pageSize: ServiceOptions['pageSize'], model: EdmModel): Settings['pageSize'] {
  const size = (value: unknown, name: string): number => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
      throw invalid(`${name} must be a whole number; 0 means pages without limit`)
    }
    return value === 0 ? Number.POSITIVE_INFINITY : value
  }
  if (typeof pageSize !== 'object' || pageSize === null) {
    const all = size(pageSize === undefined ? DEFAULT_PAGE_SIZE : pageSize, 'pageSize')
    return () => all
  }
  const paths = model.entityContainers.flatMap(({ entitySets }) => entitySets.map(({ path }) => path))
  checkNames(pageSize, paths, 'an entity set', 'pageSize.')
  const sizes = new Map(
    Object.entries(pageSize).map(([name, value]) => [name, size(value, `pageSize.${name}`)]),
  )
  return ({ path }) => sizes.get(path) ?? DEFAULT_PAGE_SIZE
}

function disabledOptions(names: readonly string[] | undefined): ReadonlySet<SystemQueryOption> {
  if (names === undefined) return new Set()
  if (!Array.isArray(names)) throw invalid(`disabledQueryOptions must be an array such as ['$filter']`)
  for (const name of names as readonly unknown[]) {
    if (!(systemQueryOptions as readonly unknown[]).includes(name)) {
      throw invalid(
        `disabledQueryOptions: '${String(name)}' is no system query option.${didYouMean(String(name), systemQueryOptions)}`,
      )
    }
  }
  return new Set(names as readonly SystemQueryOption[])
}

function csrfOf(csrf: ServiceOptions['csrf']): CsrfOptions | undefined {
  if (csrf === undefined || csrf === false) return undefined
  if (csrf === true) return {}
  if (typeof csrf !== 'object' || csrf === null) {
    throw invalid('csrf must be true, false, or an object such as { secret: process.env.CSRF_SECRET }')
  }
  checkNames(csrf, ['secret', 'session'], 'a part of it', 'csrf.')
  checkFunction('csrf.session', csrf.session)
  const secret: unknown = csrf.secret
  if ('secret' in csrf && (typeof secret !== 'string' || secret.length < 16)) {
    throw invalid('csrf.secret must be a text of at least 16 characters, the same in every process')
  }
  return csrf
}

function openApiOf(openapi: ServiceOptions['openapi']): OpenApiInfo | undefined {
  if (openapi === undefined || openapi === false) return undefined
  if (openapi === true) return {}
  if (typeof openapi !== 'object' || openapi === null) {
    throw invalid(`openapi must be true, false, or an object such as { title: 'Shop', version: '2.1.0' }`)
  }
  checkNames(openapi, ['title', 'version', 'description'], 'a part of it', 'openapi.')
  for (const [name, value] of Object.entries(openapi) as [string, unknown][]) {
    if (value !== undefined && typeof value !== 'string') throw invalid(`openapi.${name} must be a text`)
  }
  return openapi
}

function limitsOf(limits: ServiceOptions['limits']): Limits {
  if (limits === undefined) return DEFAULT_LIMITS
  if (typeof limits !== 'object' || limits === null)
    throw invalid('limits must be an object such as { url: 4000 }')
  checkNames(limits, Object.keys(DEFAULT_LIMITS), 'a limit', 'limits.')
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value !== undefined && (typeof value !== 'number' || !(value >= 0))) {
      throw invalid(`limits.${name} must be a number that is not negative`)
    }
  }
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  return { ...DEFAULT_LIMITS, ...given }
}

function pageCacheOf(pageCache: ServiceOptions['pageCache'] = {}): Settings['pageCache'] {
  if (typeof pageCache !== 'object' || (pageCache as unknown) === null) {
    throw invalid('pageCache must be an object such as { maxBytes: 16_777_216 }')
  }
  checkNames(pageCache, ['maxBytes'], 'a part of it', 'pageCache.')
  const { maxBytes = DEFAULT_PAGE_CACHE_BYTES } = pageCache
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw invalid('pageCache.maxBytes must be a whole number of bytes; 0 caches nothing')
  }
  return { maxBytes }
}

/** The address as it will stand in links: encoded, without query, with a slash at the end. */
function publicRoot(address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid(`serviceRoot must be an absolute address such as 'https://example.org/odata/'`)
  }
  if (url.search !== '' || url.hash !== '') throw invalid('serviceRoot must have no query and no fragment')
  return `${url.origin}${url.pathname.replace(/\/*$/, '')}/`.replaceAll('&', '%26')
}

function checkNames(given: object, known: readonly string[], what: string, prefix = ''): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    throw invalid(
      `'${prefix}${name}' is not ${what}.${didYouMean(name, known)} There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`,
    )
  }
}

function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw invalid(`${name} must be a function`)
}

function checkChoice(name: string, value: unknown, choices: readonly unknown[]): void {
  if (value !== undefined && !choices.includes(value)) {
    throw invalid(`${name} must be ${choices.map((one) => JSON.stringify(one)).join(' or ')}`)
  }
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError(`${message.replace(/[.?]?$/, (end) => (end === '?' ? end : '.'))}`)
}
