import type { ReaderOptions } from '../data/data-reader.js'
import type { ObserveAuthorize } from '../data/authorization.js'
import type { OpaqueTags } from '../data/opaque-tags.js'
import type { KeyReads } from '../data/key-reads.js'
import type { SharedCounts } from '../data/shared-counts.js'
import type { RequestObservation } from '../diagnostics/request-observation.js'
import type { EdmModel } from '../edm/edm-model.js'
import type { SapRestrictions } from '../edm/sap-annotations.js'
import type { ODataError } from '../errors/odata-error.js'
import type { CsrfTokens } from '../http/csrf-token.js'
import type { ChosenLanguage, Language } from '../http/language.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { RepeatableRequestsSettings } from '../http/repeatable-requests-options.js'
import type { Settings } from '../options.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { Provider } from '../provider/provider.js'
import type { RequestRecords } from '../provider/request-records.js'
import type { DerivedColumns } from '../query/derived-columns.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { MetadataDocument } from './metadata-document.js'
import type { PageCache } from './page-cache.js'
import type { ConflictRetries, RequestChangeSet } from './request-change-set.js'
import type { SharedPages } from './shared-pages.js'
import type { RequestPlans } from './request-plan.js'
import type { ServiceViews } from './service-views.js'

/**
 * State of a running service, which all of its requests share.
 *
 * @typeParam Route how requests of a resource are routed
 */
export interface ServiceState<Route> {
  readonly model: EdmModel
  readonly provider: Provider
  readonly settings: Settings
  readonly readerOptions: ReaderOptions
  /** The columns that are hidden together with others. */
  readonly derivedColumns: DerivedColumns
  /** Of the entity sets whose ETags do not follow from the model; undefined without such sets. */
  readonly etags: OpaqueTags | undefined
  /** The paths of the entity sets whose provider decides whether changes need `If-Match`. */
  readonly optionalIfMatch: ReadonlySet<string>
  /** The entity sets whose changes are tracked, by path, with the validity of their delta links in seconds. */
  readonly tracked: ReadonlyMap<string, number | undefined>
  readonly plans: RequestPlans<Route>
  /** The service as callers with hidden columns see it. */
  readonly views: ServiceViews<Route>
  readonly pages: PageCache
  /** Undefined without `pageCache.store`. */
  readonly sharedPages: SharedPages | undefined
  /** Restrictions of clients by annotations; undefined when the model has none, or the service ignores them. */
  readonly sapRestrictions: SapRestrictions | undefined
  readonly csrf: CsrfTokens | undefined
  /** Undefined without `repeatableRequests`. */
  readonly repeatable: RepeatableState | undefined
  readonly retries: ConflictRetries
  /** Documents of the service in addition to those of the protocol, in the order in which they are tried. */
  readonly documents: readonly ServedDocument[]
  /** True if `authorize` can be called for several reads of a batch before any of them reads data. */
  readonly canPrepareReads: boolean
  /** Runs several reads in one read snapshot; undefined when application code could run between them. */
  readonly readSnapshot: Provider['readSnapshot']
  /** When the model was loaded. */
  readonly loaded: Date
  /**
   * Returns the metadata document, by default without translations; serialized on the first call for a
   * language, in time slices if it takes long.
   */
  metadata(language?: Language): PromiseOrValue<MetadataDocument>
  /** Responds to a request within a batch; see `Service.handle`. */
  handle(
    request: ODataRequest,
    scope: RequestScope,
    batch: RequestObservation | undefined,
  ): PromiseOrValue<ODataResponse>
  /** Binds and authorizes a read within a batch; see {@link handle}. */
  prepare(request: ODataRequest, scope: RequestScope, batch: RequestObservation | undefined): PreparedResponse
}

/** The state of repeatable requests. */
export interface RepeatableState {
  readonly settings: RepeatableRequestsSettings
  readonly records: RequestRecords
  /** The names of the containers: services with other models can have their records in the same table. */
  readonly name: string
  /** The number of requests that were executed. */
  executed: number
}

/** A request of a batch that has not accessed data yet. */
export interface PreparedResponse {
  /** Responds as {@link ServiceState.handle} does. */
  respond(): PromiseOrValue<ODataResponse>
  /** True while `authorize` or the context of the request is pending. */
  readonly isWaiting: boolean
  /** True if responding calls no further code of the application. */
  readonly isAuthorized: boolean
  /** True for an entity, or a collection below one, that may be read in a call that several requests share. */
  readonly mayShareRead: boolean
  /** The call of {@link KeyReads.load} that the request waits for. Never rejects. */
  readonly sharedRead: Promise<unknown> | undefined
  /**
   * Adds the read of an entity by its key to {@link RequestScope.keyReads}.
   *
   * @returns a promise, which never rejects, if `authorize` is pending
   */
  shareRead(): Promise<void> | undefined
}

/** A document of a service that is not part of the protocol, such as the page of the explorer. */
export interface ServedDocument {
  /**
   * @param chooseLanguage chooses the language of the response, which then gets the headers of the language
   * @returns undefined for requests that do not address the document
   */
  respond(
    request: ODataRequest,
    chooseLanguage: () => ChosenLanguage | undefined,
  ): PromiseOrValue<ODataResponse> | undefined
}

/** State that a request within a batch shares with the other requests of the batch. */
export interface RequestScope {
  /** The change set that the request belongs to; undefined when the request begins its own. */
  readonly changeSet: RequestChangeSet | undefined
  /** True if the request may only add a change to the queue of the change set. It fails if it does anything else. */
  readonly mustQueue: boolean
  /** The error that a valid request is refused with. */
  readonly refusal: ODataError | undefined
  /** Counts that the reads between two changes share; undefined for changes. */
  readonly counts: SharedCounts | undefined
  /** Observes the calls of `authorize`. Absent for requests that are not repeatable. */
  readonly onAuthorized?: ObserveAuthorize | undefined
  /** Joins the reads by key that start together; absent for other requests. */
  readonly keyReads?: KeyReads | undefined
  /** See {@link ProviderCall.readGroup}. */
  readonly readGroup?: ProviderCall['readGroup']
  /** See {@link ProviderCall.readBack}. */
  readonly readBack?: ProviderCall['readBack']
  readonly references: {
    /** Resolves a reference to an earlier request, such as `$1`; undefined for other URIs. */
    resolve(uri: string): string | undefined
  }
}
