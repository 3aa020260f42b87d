import type { IncomingMessage } from 'node:http'
import type { AnnotationOptions, AnnotationSettings } from './csdl/annotations/annotation-options.js'
import type { EdmModel, EntitySet } from './edm/edm-model.js'
import type { AnalyticsOptions } from './edm/analytics-options.js'
import type { EntitySetName } from './edm/infer.js'
import type { ODataError } from './errors/odata-error.js'
import { checkChoice, checkFunction, checkNames, invalid } from './errors/check-option.js'
import type { ExportOptions, ExportSettings } from './formats/export/export-options.js'
import { exportSettingsOf } from './formats/export/export-options.js'
import type { DefaultFormat } from './formats/negotiate.js'
import type { NextTop } from './formats/next-link.js'
import type { CsrfOptions } from './http/csrf-token.js'
import { csrfOptionsOf } from './http/csrf-token.js'
import type { Languages } from './http/language.js'
import type { LanguageOptions } from './http/language-options.js'
import { languagesOf } from './http/language-options.js'
import type { OpenApiInfo } from './http/openapi-options.js'
import { openApiOf } from './http/openapi-options.js'
import type { PageCacheOptions, PageCacheSettings } from './http/page-cache-options.js'
import { pageCacheOf } from './http/page-cache-options.js'
import { pageSizesOf } from './http/page-size-options.js'
import type {
  RepeatableRequestsOptions,
  RepeatableRequestsSettings,
} from './http/repeatable-requests-options.js'
import { repeatableRequestsOf } from './http/repeatable-requests-options.js'
import type { SignedLinksOptions, SignedLinksSettings } from './http/signed-links-options.js'
import { signedLinksOf } from './http/signed-links-options.js'
import { publicRoot } from './http/service-root.js'
import type { Limits } from './limits.js'
import { limitsOf } from './limits.js'
import type { Authorize } from './provider/authorize.js'
import type { HooksBySet } from './data/check-hooks.js'
import { checkedHooks } from './data/check-hooks.js'
import type { ComputedProperties } from './provider/computed-properties.js'
import type { Hooks } from './provider/hooks.js'
import { disabledOptions } from './query/query-option-support.js'
import type { Analytics } from './query/analytics.js'
import { analyticsOf } from './query/analytics.js'
import type { MatchingOptions, MatchingSettings } from './query/search-settings.js'
import { matchingSettingsOf } from './query/search-settings.js'
import type { SystemQueryOption } from './uri/parse-query-options.js'
import type { PromiseOrValue } from './util/promise-or-value.js'

/**
 * Page sizes by name of the entity set; 0 means no limit.
 *
 * @example
 * const pageSize: PageSizes = { Products: 50, Logs: 0 }
 * app.use('/shop', odataV2(model, provider, { pageSize }))
 */
export type PageSizes<Model = EdmModel> = { readonly [Name in EntitySetName<Model>]?: number | undefined }

/**
 * Options of a service, for all hosts.
 *
 * @typeParam Context type of the per-request context that the option `context` returns
 * @typeParam Model type of the model, from which the entity types of `hooks` are inferred
 * @typeParam NativeRequest type of the requests of the host: Express or Node
 * @example
 * const options: ServiceOptions = { pageSize: 50, limits: { bodyBytes: 65_536 }, disabledQueryOptions: ['$expand'] }
 */
export interface ServiceOptions<
  Context = unknown,
  Model = EdmModel,
  NativeRequest = IncomingMessage,
> extends MatchingOptions<Model> {
  /**
   * Maximum number of entities of a page: for all entity sets, or by name of the entity set. 0 means no limit.
   * Default: 1000.
   */
  readonly pageSize?: number | PageSizes<Model> | undefined
  /**
   * Returns the context of a request, for example the authenticated user. The provider, `authorize`, hooks and functions
   * receive it. Called once per request, also for a batch. An error that it throws becomes the response.
   * Default: undefined.
   */
  readonly context?: ((req: NativeRequest) => PromiseOrValue<Context>) | undefined
  /** Authorizes every access to data; see {@link Authorize}. Default: everything is allowed. */
  readonly authorize?: Authorize<Context, Model> | undefined
  /**
   * Properties whose values are computed instead of stored, for each entity set; see {@link ComputedProperty}.
   * Default: those that the model declares.
   */
  readonly computed?: ComputedProperties<Model, Context> | undefined
  /** Called before and after entities change, for each entity set; see {@link EntityHooks}. Default: none. */
  readonly hooks?: Hooks<Model, Context> | undefined
  /** Query options that are rejected with 400 `QueryOptionNotAllowed`, for example `['$filter']`. Default: none. */
  readonly disabledQueryOptions?: readonly SystemQueryOption[] | undefined
  /**
   * If true, browsers receive an HTML page at the service root, to explore the service. Other clients receive the service
   * document. Default: false.
   */
  readonly explorer?: boolean | undefined
  /**
   * Serves an OpenAPI document at `$openapi` below the service root. An object sets its title, version and other
   * metadata. Default: the value of `explorer`.
   */
  readonly openapi?: boolean | OpenApiInfo | undefined
  /**
   * Exports collections as CSV and Excel files, which clients request with `$format=csv` and `$format=xlsx`. An object
   * sets details; see {@link ExportOptions}. A file contains all entities, up to `limits.exportRows`. Default: false.
   */
  readonly exports?: boolean | ExportOptions | undefined
  /**
   * Languages of labels, messages and errors, with their translations; see {@link LanguageOptions}. Requests choose one
   * by `sap-language`, `sap-locale` or `Accept-Language`. Default: the language of the model, and errors in English.
   */
  readonly languages?: LanguageOptions<Model> | undefined
  /**
   * Aggregation of the entity sets with `sap:semantics="aggregate"`, by name; see {@link AnalyticalSetOptions}. Requests
   * of these sets return groups. False serves their entities as they are. Default: `{}`.
   */
  readonly analytics?: AnalyticsOptions<Model> | false | undefined
  /**
   * Annotations of OData V4, which Fiori elements reads: the result of {@link annotate}, or XML. They are part of
   * `$metadata`; `{ source, place: 'document' }` serves them at `$annotations`. Default: those of the model.
   */
  readonly annotations?: AnnotationOptions['source'] | AnnotationOptions | undefined
  /**
   * The public URL of the service, for example `https://example.org/odata/`. Default: derived from the request, and from
   * its forwarded headers if Express trusts the proxy.
   */
  readonly serviceRoot?: string | undefined
  /**
   * Rejects requests that change data with 405, including calls of function imports by POST, even if the provider
   * supports changes. Default: false.
   */
  readonly readOnly?: boolean | undefined
  /**
   * Requires a CSRF token in write requests, which clients fetch with `x-csrf-token: Fetch`, as SAP clients do. Services
   * that run in several processes need a common `secret`; see {@link CsrfOptions}. Default: false.
   */
  readonly csrf?: boolean | CsrfOptions<NativeRequest> | undefined
  /**
   * Executes changes once, whose clients identify them by `Repeatability-Request-ID` or `RequestID`: a client that has
   * received no response sends the change again, and gets the response of the first request; see
   * {@link RepeatableRequestsOptions}. Requires a provider with `requestRecords`. Default: the headers are ignored.
   */
  readonly repeatableRequests?: RepeatableRequestsOptions<Context> | undefined
  /**
   * Signs next links and delta links, so that clients can follow only links of this service, and with `caller` only their
   * own; others get 400 `InvalidLink`. See {@link SignedLinksOptions}. Default: links are not signed.
   */
  readonly signedLinks?: SignedLinksOptions<Context> | undefined
  /**
   * Rejects requests that SAP annotations of the model exclude, such as `sap:creatable="false"` and
   * `sap:filterable="false"`. `'relaxed'` permits to read sets with `sap:addressable="false"` as a whole, and those that
   * require a filter without one. Default: true.
   */
  readonly sapRestrictions?: boolean | 'relaxed' | undefined
  /**
   * Adds a `Server-Timing` header to responses, with the durations of parsing, authorization, provider calls and
   * serialization. Every client can read it. Default: false.
   */
  readonly serverTiming?: boolean | undefined
  /**
   * Identifies requests by the headers `x-request-id`, `x-correlation-id` and `traceparent`, and generates an id for others.
   * The id is in the response, in `call.requestIds`, in events, in debug output and in the errors of `onError`.
   * Default: false.
   */
  readonly requestIds?: boolean | undefined
  /**
   * Explains read requests with the query option `explain=true`: the response shows which parts of the query the provider
   * evaluates and which the service, the SQL statements and their plans, and indexes that would help. For development only:
   * it reveals the structure of the database. Default: false.
   */
  readonly explain?: boolean | undefined
  /** Limits of the cost of a request. Default: that of each limit, see {@link Limits}. */
  readonly limits?: Partial<Limits> | undefined
  /**
   * Size of the cache of finished pages, and a store that processes share; see {@link PageCacheOptions}. A page is cached when it is requested for the
   * second time, and returned until the provider reports a new version of its data. Requires a provider with
   * `dataVersion`. Default: 32 MiB.
   */
  readonly pageCache?: PageCacheOptions | undefined
  /**
   * Called for every 5xx error, with its cause; clients receive a generic message for status 500.
   * Default: prints to standard error.
   */
  readonly onError?: ((error: ODataError, request: NativeRequest) => void) | undefined
  /** The `$top` of next links: the remaining number, or the same number on every page. Default: `remaining`. */
  readonly nextTop?: NextTop | undefined
  /** Status for a single-valued navigation property without target. Default: 404. */
  readonly nullNavigation?: 204 | 404 | undefined
  /**
   * `attachment` makes browsers download media resources that are opened directly. Images, audio and video embedded in
   * pages are not affected. Default: `inline`.
   */
  readonly mediaDisposition?: 'inline' | 'attachment' | undefined
  /**
   * The format of responses if `$format` and `Accept` allow several formats, or are missing: `atom`, as OData specifies,
   * or `json`, for clients that expect JSON without requesting it. Default: `atom`.
   */
  readonly defaultFormat?: DefaultFormat | undefined
  /** If true, `$metadata` repeats inherited members; see {@link WriteEdmxOptions}. Default: false. */
  readonly flattenInheritance?: boolean | undefined
  /** If true, JSON represents Edm.Double and Edm.Single as numbers instead of strings. Default: false. */
  readonly doubleAsNumber?: boolean | undefined
  /**
   * If true, the error of a failed change set is nested in a multipart, as some clients expect. If false, it replaces the
   * multipart of the change set. Default: false.
   */
  readonly nestChangeSetErrors?: boolean | undefined
}

/** Validated options with all defaults. */
export interface Settings extends MatchingSettings, SimpleSettings {
  readonly pageSize: (set: EntitySet) => number
  /** The model of the service has these properties already. */
  readonly computed: ComputedProperties | undefined
  readonly hooks: HooksBySet | undefined
  readonly disabledQueryOptions: ReadonlySet<SystemQueryOption>
  readonly serviceRoot: string | undefined
  /** Undefined for a service without OpenAPI document. */
  readonly openapi: OpenApiInfo | undefined
  /** Undefined for a service without analytical sets. */
  readonly analytics: Analytics | undefined
  /** Undefined for a service without exports. */
  readonly exports: ExportSettings | undefined
  /** Undefined for a service without languages. */
  readonly languages: Languages | undefined
  /** Undefined for a service without annotations in addition to those of the model. */
  readonly annotations: AnnotationSettings | undefined
  readonly csrf: CsrfOptions | undefined
  /** Undefined for a service that ignores the headers of repeatable requests. */
  readonly repeatableRequests: RepeatableRequestsSettings | undefined
  /** Undefined for a service whose links are not signed. */
  readonly signedLinks: SignedLinksSettings | undefined
  readonly limits: Limits
  readonly pageCache: PageCacheSettings
}

const booleans = [true, false] as const

/** Options that are a function, or one of some values, and the default of each. */
const simpleOptions = {
  context: { check: 'function', default: undefined },
  authorize: { check: 'function', default: undefined },
  onError: { check: 'function', default: undefined },
  explorer: { check: booleans, default: false },
  readOnly: { check: booleans, default: false },
  sapRestrictions: { check: [...booleans, 'relaxed'], default: true },
  serverTiming: { check: booleans, default: false },
  requestIds: { check: booleans, default: false },
  explain: { check: booleans, default: false },
  nextTop: { check: ['remaining', 'same'], default: 'remaining' },
  nullNavigation: { check: [204, 404], default: 404 },
  mediaDisposition: { check: ['inline', 'attachment'], default: 'inline' },
  defaultFormat: { check: ['atom', 'json'], default: 'atom' },
  flattenInheritance: { check: booleans, default: false },
  doubleAsNumber: { check: booleans, default: false },
  nestChangeSetErrors: { check: booleans, default: false },
} as const

type SimpleOptionName = keyof typeof simpleOptions

type SimpleSettings = {
  readonly [Name in SimpleOptionName]:
    Exclude<ServiceOptions[Name], undefined> | (typeof simpleOptions)[Name]['default']
}

/** The other options, whose checks and defaults are in {@link settingsOf}. */
const otherOptions: Readonly<Record<Exclude<keyof ServiceOptions, SimpleOptionName>, true>> = {
  pageSize: true,
  computed: true,
  hooks: true,
  disabledQueryOptions: true,
  serviceRoot: true,
  caseInsensitive: true,
  search: true,
  openapi: true,
  exports: true,
  languages: true,
  analytics: true,
  annotations: true,
  csrf: true,
  repeatableRequests: true,
  signedLinks: true,
  limits: true,
  pageCache: true,
}

/**
 * Validates options when the application starts, and adds defaults.
 *
 * @param hostOptions names of additional options of the host
 * @param annotations of the option `annotations`
 * @throws ConfigurationError for an invalid option
 */
export function settingsOf<Context>(
  options: ServiceOptions<Context>,
  model: EdmModel,
  hostOptions: readonly string[] = [],
  annotations?: AnnotationSettings,
): Settings {
  if (typeof options !== 'object' || options === null) throw invalid('options must be an object')
  checkNames(options, [...Object.keys({ ...otherOptions, ...simpleOptions }), ...hostOptions], 'an option')
  const simple = simpleSettingsOf(options as ServiceOptions)
  const limits = limitsOf(options.limits)
  const matching = matchingSettingsOf(options, model)
  return {
    ...simple,
    pageSize: pageSizesOf(options.pageSize, model),
    computed: options.computed as ComputedProperties | undefined,
    hooks: checkedHooks(options.hooks, model),
    disabledQueryOptions: disabledOptions(options.disabledQueryOptions),
    serviceRoot: options.serviceRoot === undefined ? undefined : publicRoot(options.serviceRoot),
    ...matching,
    openapi: openApiOf(options.openapi ?? options.explorer),
    exports: exportSettingsOf(options.exports),
    languages: languagesOf(options.languages, model, annotations?.labels),
    analytics: analyticsOf(options.analytics, model, { ...matching, limits }),
    annotations,
    csrf: csrfOptionsOf(options.csrf),
    repeatableRequests: repeatableRequestsOf(options),
    signedLinks: signedLinksOf(options.signedLinks),
    limits,
    pageCache: pageCacheOf(options),
  }
}

/** @throws ConfigurationError for an option with another value */
function simpleSettingsOf(options: ServiceOptions): SimpleSettings {
  const settings = Object.entries(simpleOptions).map(([name, { check, default: fallback }]) => {
    const value: unknown = options[name as SimpleOptionName]
    if (check === 'function') checkFunction(name, value)
    else checkChoice(name, value, check)
    return [name, value ?? fallback]
  })
  return Object.fromEntries(settings) as SimpleSettings
}
