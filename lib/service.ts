import { announcedModel } from './csdl/annotated-model.js'
import { repeatabilityElements, servedElements, withAnnotations } from './csdl/annotations/served-elements.js'
import { localizedModel } from './csdl/localized-model.js'
import { edmxChunks, writeEdmx } from './csdl/write-edmx.js'
import { Authorization } from './data/authorization.js'
import type { ReaderOptions } from './data/data-reader.js'
import { canWrite } from './data/can-write.js'
import type { OpaqueTags } from './data/opaque-tags.js'
import { trackedSets } from './data/tracked-sets.js'
import { opaqueTagsOf, setsWithOptionalIfMatch } from './data/opaque-tags.js'
import type { RequestObservation } from './diagnostics/request-observation.js'
import type { EdmModel } from './edm/edm-model.js'
import type { SapRestrictions } from './edm/sap-annotations.js'
import { enforcedRestrictions, sapRestrictionsOf } from './edm/sap-annotations.js'
import { ConfigurationError } from './errors/check-option.js'
import { CsrfTokens } from './http/csrf-token.js'
import type { ODataRequest } from './http/odata-request.js'
import type { ODataResponse } from './http/odata-response.js'
import type { Lifecycle } from './lifecycle.js'
import { lifecycleOf, PreparedRequest, respondTo } from './lifecycle.js'
import type { Language } from './http/language.js'
import type { Settings } from './options.js'
import type { Provider } from './provider/provider.js'
import { DerivedColumns } from './query/derived-columns.js'
import { MetadataDocument } from './resources/metadata-document.js'
import { ConflictRetries } from './resources/request-change-set.js'
import { PageCache } from './resources/page-cache.js'
import { RequestPlans } from './resources/request-plan.js'
import type { ResourceRoute } from './resources/request-session.js'
import { RequestSession } from './resources/request-session.js'
import { routeOf } from './resources/resources.js'
import { ServiceViews } from './resources/service-views.js'
import type {
  PreparedResponse,
  RepeatableState,
  RequestScope,
  ServedDocument,
  ServiceState,
} from './resources/service-state.js'
import { SharedPages } from './resources/shared-pages.js'
import type { PromiseOrValue } from './util/promise-or-value.js'
import { catchValue, isPromiseLike, mapValue } from './util/promise-or-value.js'
import { encodeInSlices } from './util/time-slice.js'

/** One mounted service. `lifecycle.ts` has the steps of its requests. */
export class Service implements ServiceState<ResourceRoute> {
  readonly readerOptions: ReaderOptions
  readonly derivedColumns: DerivedColumns
  readonly etags: OpaqueTags | undefined
  readonly optionalIfMatch: ReadonlySet<string>
  readonly tracked: ReadonlyMap<string, number | undefined>
  readonly plans: RequestPlans<ResourceRoute>
  readonly views: ServiceViews<ResourceRoute>
  readonly pages: PageCache
  readonly sharedPages: SharedPages | undefined
  readonly sapRestrictions: SapRestrictions | undefined
  readonly csrf: CsrfTokens | undefined
  readonly repeatable: RepeatableState | undefined
  readonly retries = new ConflictRetries()
  readonly canPrepareReads: boolean
  readonly readSnapshot: Provider['readSnapshot']
  readonly loaded = new Date()
  private readonly lifecycle: Lifecycle
  private readonly metadataDocuments = new Map<Language | undefined, PromiseOrValue<MetadataDocument>>()

  constructor(
    readonly model: EdmModel,
    readonly provider: Provider,
    readonly settings: Settings,
    readonly documents: readonly ServedDocument[] = [],
  ) {
    const { analytics, authorize, csrf, hooks, limits, pageSize } = settings
    this.csrf = csrf === undefined ? undefined : new CsrfTokens(csrf)
    this.repeatable = repeatableOf(model, provider, settings)
    this.readerOptions = {
      authorization: new Authorization(model, authorize),
      limits,
      pageSize,
      hooks,
      analytics,
    }
    this.etags = opaqueTagsOf(provider)
    this.optionalIfMatch = setsWithOptionalIfMatch(provider)
    this.tracked = trackedSets(provider)
    this.derivedColumns = new DerivedColumns(model, analytics)
    this.pages = new PageCache(settings.pageCache.maxBytes)
    this.sharedPages = sharedPagesOf(model, settings)
    // Groups are authorized while they are read.
    const canPrepare = authorize === undefined || analytics === undefined
    this.canPrepareReads = canPrepare && provider.functions === undefined
    this.readSnapshot = this.canPrepareReads ? provider.readSnapshot?.bind(provider) : undefined
    const enforced = (restrictions: SapRestrictions | undefined): SapRestrictions | undefined =>
      enforcedRestrictions(restrictions, settings.sapRestrictions)
    this.sapRestrictions = enforced(sapRestrictionsOf(model))
    const plansOf = (
      ofModel: EdmModel,
      sapRestrictions: SapRestrictions | undefined,
    ): RequestPlans<ResourceRoute> =>
      new RequestPlans(
        ofModel,
        settings,
        sapRestrictions,
        ({ path }) => {
          const search = provider.entitySets[path]?.pushdown?.search
          return typeof search === 'function' ? false : search
        },
        (target) =>
          routeOf(target, (set, operation) => canWrite(provider, set, operation), settings.readOnly),
      )
    this.plans = plansOf(model, this.sapRestrictions)
    this.views = new ServiceViews(model, this.sapRestrictions !== undefined, (view, sapRestrictions) =>
      plansOf(view.model, enforced(sapRestrictions)),
    )
    this.lifecycle = lifecycleOf(this)
  }

  metadata(language?: Language): PromiseOrValue<MetadataDocument> {
    const documents = this.metadataDocuments
    const known = documents.get(language)
    if (known !== undefined) return known
    const writing = catchValue(
      () =>
        mapValue(encodeInSlices(this.metadataChunks(language)), (bytes) => {
          const document = new MetadataDocument(bytes)
          documents.set(language, document)
          return document
        }),
      (error) => {
        documents.delete(language)
        throw error
      },
    )
    if (isPromiseLike(writing)) documents.set(language, writing)
    return writing
  }

  private metadataChunks(language: Language | undefined): Iterator<string, undefined> {
    const { analytics, annotations, exports, flattenInheritance, repeatableRequests, search } = this.settings
    let model = announcedModel(this.model, {
      analyticalSets: analytics?.sets.values(),
      searched: search,
      formats: exports?.formats,
      tracked: this.tracked,
    })
    if (repeatableRequests !== undefined) model = withAnnotations(model, repeatabilityElements(model))
    if (annotations?.isInMetadata === true) {
      model = withAnnotations(model, servedElements(annotations, model, search, language))
    }
    if (language !== undefined) model = localizedModel(model, language.tag, language.namedLabels)
    return edmxChunks(model, { flattenInheritance })
  }

  prepare(request: ODataRequest, scope: RequestScope, batch?: RequestObservation): PreparedResponse {
    return new PreparedRequest(new RequestSession(this, request, scope, batch), this.lifecycle)
  }

  /**
   * Responds to a request, and observes it if there are subscribers of diagnostics.
   *
   * @param scope what the request shares with other requests of its batch
   * @param batch observes that batch, if there are subscribers
   * @returns always a response: errors become error documents
   * @throws only errors that ask for a retry of the change set of the scope
   */
  handle(
    request: ODataRequest,
    scope?: RequestScope,
    batch?: RequestObservation,
  ): PromiseOrValue<ODataResponse> {
    const session = new RequestSession(this, request, scope, batch)
    const { observation } = session
    return observation === undefined
      ? respondTo(session, this.lifecycle)
      : observation.run(request.signal, () => respondTo(session, this.lifecycle))
  }
}

/** @throws ConfigurationError for a provider that cannot store responses in its transactions */
function repeatableOf(
  { entityContainers }: EdmModel,
  provider: Provider,
  { repeatableRequests }: Settings,
): RepeatableState | undefined {
  if (repeatableRequests === undefined) return undefined
  const { requestRecords } = provider
  if (requestRecords === undefined || provider.beginChangeSet === undefined)
    throw new ConfigurationError(
      "repeatableRequests requires a provider with 'requestRecords' and 'beginChangeSet', such as memoryProvider or sqlProvider.",
    )
  const name = entityContainers.map(({ qualifiedName }) => qualifiedName).join(' ')
  return { settings: repeatableRequests, records: requestRecords, name, executed: 0 }
}

/** @returns undefined without `pageCache.store` */
function sharedPagesOf(model: EdmModel, { pageCache: { shared } }: Settings): SharedPages | undefined {
  return shared && new SharedPages(shared, `${shared.fingerprint}${writeEdmx(model)}`)
}
