import type { ObserveAuthorize } from '../data/authorization.js'
import type { ReaderOptions } from '../data/data-reader.js'
import { DataReader } from '../data/data-reader.js'
import type { AccessLimits } from '../data/access-limits.js'
import { ColumnRights } from '../data/column-rights.js'
import { EntityWriter } from '../data/entity-writer.js'
import { observeCalls } from '../data/observed-calls.js'
import type { AuthorizedQuery } from '../data/permissions.js'
import type { AutocommitMethod } from '../data/can-write.js'
import { watchQueue } from '../data/queued-calls.js'
import type { Transact } from '../data/provider-calls.js'
import { ProviderCalls } from '../data/provider-calls.js'
import { hasSubscribers } from '../diagnostics/channels.js'
import { Measurement, meters } from '../diagnostics/measurement.js'
import { RequestObservation } from '../diagnostics/request-observation.js'
import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { WriteContext } from '../formats/format.js'
import type { Negotiated, OfferedKind } from '../formats/negotiate.js'
import { negotiate } from '../formats/negotiate.js'
import type { DataServiceVersion } from '../http/data-service-version.js'
import { toODataError } from '../http/error-response.js'
import type { ChosenLanguage } from '../http/language.js'
import type { MethodTable } from '../http/methods.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ODataResponse } from '../http/odata-response.js'
import { commonHeaders, headersOfType, revalidation, timeOfResponse } from '../http/response-headers.js'
import type { Settings } from '../options.js'
import type { Explanation } from '../provider/explanation.js'
import type { MessageList } from '../provider/messages.js'
import type { EntityQuery } from '../query/entity-query.js'
import type { RequestTarget, ResourceKind } from '../query/request-target.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { parseQueryOptions } from '../uri/parse-query-options.js'
import { splitRelativeUri } from '../uri/split-resource-path.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue, waitOrAbort } from '../util/promise-or-value.js'
import { RequestCall } from './request-call.js'
import { RequestChangeSet } from './request-change-set.js'
import type { PendingPage } from './page-cache.js'
import { TIME_PLACEHOLDER } from './page-cache.js'
import type { RequestPlan } from './request-plan.js'
import type { RequestScope, ServiceState } from './service-state.js'
import type { ServiceView } from './service-views.js'

/** Makes changes. */
type Work<T> = (writer: EntityWriter) => PromiseOrValue<T>

/**
 * The state of one request: the results of the steps of the lifecycle, and the access of its handler to the data, to the
 * response format and, for a batch, to the service.
 */
export class RequestSession {
  readonly settings: Settings
  version: DataServiceVersion = '2.0'
  /** The request as it is bound to the model, or to the part of it that the caller sees. */
  binding: Binding = unbound
  /** The language of the response; undefined for a service without languages. */
  language: ChosenLanguage | undefined
  /** Headers with a new CSRF token, for a client that fetches one. */
  csrfToken: ODataResponse['headers'] | undefined
  /** The number of times that a read was repeated; absent for nearly all requests. */
  declare repeats?: number
  /** The column rights of the caller; undefined without `authorize`. */
  readonly columns: ColumnRights | undefined
  /** The query of a read of entities, with what `authorize` restricts in it; undefined without `authorize`. */
  restricted: AuthorizedQuery | undefined
  /** The entry of the page cache that the response will become; undefined if it is not cached. */
  pendingPage: PendingPage | undefined
  /** Collects how the request is evaluated; undefined unless the client has requested it. */
  explanation: Explanation | undefined
  /** Messages for the client in addition to the response; undefined without messages. */
  messages: MessageList | undefined

  /** Undefined without `signedLinks`. */
  linkSigner: { readonly sign: (link: string) => string } | undefined

  /** Undefined without `metrics`. */
  readonly measurement: Measurement | undefined
  /** Undefined without subscribers of diagnostics. */
  readonly observation: RequestObservation | undefined

  private readerOptions: ReaderOptions
  private calls: PromiseOrValue<ProviderCalls> | undefined
  private ownReader: PromiseOrValue<DataReader> | undefined
  private callerResult: CallerResult | undefined
  /** Failures during a read snapshot, in which no code of the application may run. */
  private postponedFailures: ODataError[] | undefined

  /**
   * @param scope what the request shares with other requests of its batch; undefined outside of batches
   * @param batch observes that batch; undefined without subscribers
   */
  constructor(
    readonly service: ServiceState<ResourceRoute>,
    public request: ODataRequest,
    public scope: RequestScope | undefined,
    batch: RequestObservation | undefined,
  ) {
    const { readerOptions, settings } = service
    const isObserved = settings.serverTiming || hasSubscribers()
    const observation = isObserved ? new RequestObservation(request, batch, settings.serverTiming) : undefined
    this.settings = settings
    this.observation = observation
    this.measurement = meters.current && new Measurement(meters.current, request, scope !== undefined)
    this.columns = settings.authorize && new ColumnRights(service.derivedColumns)
    this.readerOptions =
      observation === undefined ? readerOptions : observedOptions(readerOptions, observation)
    if (scope?.onAuthorized !== undefined) this.readerOptions = this.optionsObservedBy(scope.onAuthorized)
  }

  /**
   * Continues in a change set, with a body that was read.
   *
   * @returns a function that continues outside of it
   */
  enter(scope: RequestScope, request: ODataRequest): () => void {
    const { readerOptions, request: ownRequest, scope: ownScope } = this
    this.continueWith(scope, request)
    if (scope.onAuthorized !== undefined) this.readerOptions = this.optionsObservedBy(scope.onAuthorized)
    return () => {
      this.continueWith(ownScope, ownRequest)
      this.readerOptions = readerOptions
    }
  }

  private continueWith(scope: RequestScope | undefined, request: ODataRequest): void {
    this.scope = scope
    this.request = request
    this.calls = undefined
    this.ownReader = undefined
    this.columns?.forgetResults()
  }

  private optionsObservedBy(observe: ObserveAuthorize): ReaderOptions {
    const { readerOptions } = this
    return { ...readerOptions, authorization: readerOptions.authorization.around(observe) }
  }

  /** Chooses the language of the response. Its headers are added when the response is complete. */
  chooseLanguage(): ChosenLanguage | undefined {
    return (this.language ??= this.settings.languages?.of(this.request))
  }

  /** The query options of a resource that consists of entities. */
  get query(): EntityQuery {
    return this.binding.plan.prepared.query ?? missing('query')
  }

  /** The query of a read of entities, with everything that the application restricts in it. */
  get authorized(): AuthorizedQuery {
    return this.restricted ?? this.binding.plan.prepared.unrestricted ?? missing('authorized query')
  }

  /** The format and media type that a resource is read in. */
  get negotiated(): Negotiated {
    return this.binding.negotiated ?? missing('format')
  }

  /** Returns an entity set as the caller sees it: without its hidden columns. */
  visibleSet(set: EntitySet): EntitySet {
    const { columns, service } = this
    if (columns === undefined || columns.hidden.size === 0) return set
    return service.views.of(columns.hidden).view.setOf(set)
  }

  /** @throws ODataError NotAcceptable */
  negotiate(kind: OfferedKind): Negotiated {
    const option = this.binding.plan.options.system.get('$format')
    return negotiate(kind, option, this.request.header('accept'), this.settings.defaultFormat)
  }

  headers(contentType?: string): Readonly<Record<string, string>> {
    return contentType === undefined ? commonHeaders(this.version) : headersOfType(this.version, contentType)
  }

  /** Returns the headers of a resource with one representation. */
  headersOfOneForm(contentType?: string): Readonly<Record<string, string>> {
    const isPrivate = this.settings.authorize !== undefined || this.settings.context !== undefined
    return { ...this.headers(contentType), ...revalidation(isPrivate) }
  }

  writeContext(reader?: DataReader): WriteContext {
    return {
      root: this.request.serviceRoot,
      version: this.version,
      updated: this.pendingPage === undefined ? timeOfResponse() : TIME_PLACEHOLDER,
      doubleAsNumber: this.settings.doubleAsNumber,
      etags: this.service.etags,
      sign: this.linkSigner?.sign,
      media: (set: EntitySet) => reader?.media(set),
    }
  }

  /**
   * Returns the `context` of the application for this request; resolved once.
   *
   * @throws the error that the application threw, at every call
   */
  caller(): PromiseOrValue<unknown> {
    if (this.callerResult === undefined) {
      try {
        this.callerResult = { caller: this.request.context() }
      } catch (error) {
        this.callerResult = { error }
      }
    }
    if ('error' in this.callerResult) throw this.callerResult.error
    return this.callerResult.caller
  }

  /**
   * Returns the reader of the request. It is created after the format of the response is known, so that 406 does not
   * resolve the context.
   */
  reader(): PromiseOrValue<DataReader> {
    if (this.ownReader !== undefined) return this.ownReader
    const calls = this.providerCalls()
    this.ownReader = isPromiseLike(calls)
      ? calls.then((opened) => new DataReader(opened, this.readerOptions, this.columns))
      : new DataReader(calls, this.readerOptions, this.columns)
    return this.ownReader
  }

  /** Creates a reader with other limits than those of the service. */
  readerWith(limits: Partial<AccessLimits>): PromiseOrValue<DataReader> {
    const { readerOptions } = this
    const options = { ...readerOptions, limits: { ...readerOptions.limits, ...limits } }
    return mapValue(this.providerCalls(), (calls) => new DataReader(calls, options, this.columns))
  }

  /**
   * Makes changes in a change set, and retries them after conflicts that the provider has rolled back.
   *
   * @param canRepeat false when the work consumes a stream. Default: true
   */
  write<T>(work: Work<T>, canRepeat = true): PromiseOrValue<T> {
    return mapValue(this.providerCalls(), (calls) => {
      this.throwIfAborted()
      // The change set of a batch is retried as a whole.
      if (this.scope?.changeSet !== undefined) return work(this.writerFor(calls))
      const messageCount = this.messages?.all.length ?? 0
      const attempt = (): Promise<T> => {
        this.messages?.truncateTo(messageCount)
        return this.attempt(work, calls)
      }
      // Changes that are not rolled back must not be repeated.
      const isRolledBack = this.service.provider.beginChangeSet !== undefined
      return canRepeat && isRolledBack ? this.service.retries.run(attempt, this.request) : attempt()
    })
  }

  /**
   * Makes one change without a change set, where that is possible: the provider must be able to commit it; see also
   * {@link EntityWriter.needsNoChangeSet}.
   *
   * @returns undefined when the change has to be made by {@link write}
   */
  autocommit<T>(set: EntitySet, method: AutocommitMethod, work: Work<T>): PromiseOrValue<T | undefined> {
    const { scope } = this
    if (scope?.changeSet !== undefined && !scope.mustQueue && !scope.changeSet.isFinal) return undefined
    return mapValue(this.providerCalls(true), (calls) => {
      this.throwIfAborted()
      if (!calls.canAutocommit(set, method)) return undefined
      const writer = this.writerFor(calls)
      if (!writer.needsNoChangeSet(set, method)) return undefined
      const result = work(writer)
      if (scope?.changeSet === undefined && isPromiseLike(result)) this.request.pendingChange = result
      return result
    })
  }

  private throwIfAborted(): void {
    if (this.request.isAborted) this.request.signal.throwIfAborted()
  }

  private async attempt<T>(work: Work<T>, calls: ProviderCalls): Promise<T> {
    const { request } = this
    const provided = await calls.beginChangeSet()
    if (provided === undefined || provided.queue?.isFinal === true) return work(this.writerFor(calls))
    const changeSet = new RequestChangeSet(provided, this)
    try {
      this.throwIfAborted()
      const working = this.within(changeSet, () => work(this.writerFor(calls.within(changeSet))))
      const result = isPromiseLike(working) ? await waitOrAbort(working, request.signal) : working
      this.throwIfAborted()
      await changeSet.commit()
      return result
    } catch (error) {
      await changeSet.rollBack()
      throw error
    }
  }

  private writerFor(calls: ProviderCalls): EntityWriter {
    return new EntityWriter(
      calls,
      new DataReader(calls, this.readerOptions, this.columns),
      this.readerOptions.hooks,
    )
  }

  /** @param willQueue true for a change that is added to a queue. Nothing else is done until the queue has been sent. */
  providerCalls(willQueue = false): PromiseOrValue<ProviderCalls> {
    if (this.scope?.mustQueue === true && !willQueue) throw new ODataError('NotImplemented')
    if (this.calls !== undefined) return this.calls
    // Without the option there is nothing to call.
    const caller = this.settings.context === undefined ? undefined : this.caller()
    this.calls = isPromiseLike(caller)
      ? Promise.resolve(caller).then((resolved) => this.callsFor(resolved))
      : this.callsFor(caller)
    return this.calls
  }

  private callsFor(caller: unknown): ProviderCalls {
    const { binding, observation, request, service } = this
    const { scope } = this
    const changeSet = scope?.changeSet
    // `authorize` may be called before a request that cannot be bound is refused.
    const options = binding === unbound ? customOptionsOf(request.relativeUri) : binding.plan.options.custom
    const { readBack, readGroup } = scope ?? {}
    const call = new RequestCall(caller, options, changeSet?.provided, readGroup, readBack, this)
    const transact: Transact = (name, parameters) =>
      this.write(({ calls }) => calls.callFunction(name, parameters))
    const calls = new ProviderCalls(
      service.provider,
      call,
      changeSet,
      transact,
      scope?.counts,
      scope?.keyReads,
    )
    const observed = observation === undefined ? calls : observeCalls(calls, observation)
    const queueObserver = changeSet?.queueObserver
    return queueObserver === undefined ? observed : watchQueue(observed, queueObserver)
  }

  /** Begins a change set for several requests of a batch; undefined when the provider has no change sets. */
  async beginChangeSet(willQueue: boolean): Promise<RequestChangeSet | undefined> {
    const changeSet = await (await this.providerCalls()).beginChangeSet(willQueue)
    return changeSet && new RequestChangeSet(changeSet, this)
  }

  /** Runs work that may call application code, in the scope of the change set. */
  within<T>(changeSet: RequestChangeSet | undefined, work: () => T): T {
    const { hooks, authorization } = this.readerOptions
    const isApplicationCalled =
      hooks !== undefined ||
      authorization.authorize !== undefined ||
      this.service.provider.functions !== undefined
    const provided = isApplicationCalled ? changeSet?.provided : undefined
    if (provided?.run === undefined) return work()
    this.columns?.forgetResults()
    return provided.run(work)
  }

  /** Responds to a request within this batch. Errors become error documents. */
  dispatch(request: ODataRequest, scope: RequestScope): PromiseOrValue<ODataResponse> {
    return this.service.handle(request, scope, this.observation)
  }

  /** Converts a thrown value to an error of the protocol, and calls {@link onFailure} if the service has failed. */
  report(thrown: unknown): ODataError {
    const error = this.reasonFor(thrown) ?? toODataError(thrown)
    if (error.details.limit !== undefined) meters.current?.onLimit(error.details.limit)
    // A feature that the service lacks is not a failure, unless the error has a cause.
    const isFailure = error.status >= 500 && (error.status !== 501 || error.cause !== undefined)
    if (isFailure) this.onFailure(error)
    return error
  }

  /** Called with errors of this request, and of requests within this batch, that are not the client's. */
  onFailure(error: ODataError): void {
    // Requests run again if their changes could not be queued, or were not made.
    if (this.scope?.mustQueue === true) return
    if (this.postponedFailures === undefined) {
      this.observation?.onFailure(error.cause ?? error)
      this.request.onFailure(error)
    } else this.postponedFailures.push(error)
  }

  /** Returns the error that the service has stopped the request with: other errors are then its consequence. */
  private reasonFor(thrown: unknown): ODataError | undefined {
    if (!this.request.isAborted || thrown instanceof ODataError) return undefined
    const reason: unknown = this.request.signal.reason
    if (!(reason instanceof ODataError)) return undefined
    const { code, details, message } = reason
    return new ODataError(code, { message, details, cause: thrown })
  }

  /** True if `authorize` can be called for several reads of this batch before any of them reads data. */
  get canPrepareReads(): boolean {
    // Subscribers of diagnostics would run between the reads.
    return this.service.canPrepareReads && this.observation === undefined
  }

  /** Runs reads of several requests of this batch in one read snapshot of the provider. */
  readSnapshot<T>(work: () => T): T {
    const { readSnapshot } = this.service
    if (readSnapshot === undefined || !this.canPrepareReads) return work()
    const failures: ODataError[] = []
    this.postponedFailures = failures
    try {
      return readSnapshot(work)
    } finally {
      // Reads that are still pending fail later.
      this.postponedFailures = undefined
      for (const error of failures) this.onFailure(error)
    }
  }
}

/** Measures the time that `authorize` takes. */
function observedOptions(options: ReaderOptions, observation: RequestObservation): ReaderOptions {
  return { ...options, authorization: options.authorization.around((ask) => observation.authorizing(ask)) }
}

type CallerResult = { readonly caller: PromiseOrValue<unknown> } | { readonly error: unknown }

/** A request that is not bound yet, or that cannot be bound. */
const unbound: Binding = {
  plan: {
    target: { kind: 'ServiceDocument' },
    options: parseQueryOptions(''),
    prepared: { route: { methods: {}, read: undefined }, isCall: false },
  },
  method: 'GET',
  handler: () => {
    throw new TypeError('The request has no handler yet.')
  },
  read: undefined,
  negotiated: undefined,
  view: undefined,
}

/** Reports a handler that uses a member which its kind of resource lacks. */
function missing(what: string): never {
  throw new TypeError(`The resource has no ${what}.`)
}

/** Returns none for a URI that is malformed. */
function customOptionsOf(relativeUri: string): QueryOptions['custom'] {
  try {
    return parseQueryOptions(splitRelativeUri(relativeUri).query).custom
  } catch {
    return unbound.plan.options.custom
  }
}

/** A request that is bound to the model: its resource and query options, and how the service responds. */
export interface Binding {
  /** Target and query options of the URI. */
  readonly plan: RequestPlan<ResourceRoute>
  /** The method of the request, which `X-HTTP-Method` may override. */
  readonly method: string
  readonly handler: ResourceHandler<RequestTarget>
  /** How the resource is read; undefined for changes. */
  readonly read: ResourceRead | undefined
  /** The format and media type that the resource is read in; undefined for changes, which choose it themselves. */
  readonly negotiated: Negotiated | undefined
  /** The service as the caller sees it; undefined while no columns are hidden. */
  readonly view: ServiceView<ResourceRoute> | undefined
}

/** Responds to one method of one kind of resource. */
export type ResourceHandler<Target extends RequestTarget> = (
  target: Target,
  session: RequestSession,
) => PromiseOrValue<ODataResponse>

/** How requests of a resource are routed: the same for targets that differ only in the value of a key. */
export interface ResourceRoute {
  readonly methods: MethodTable<ResourceHandler<RequestTarget>>
  readonly read: ResourceRead | undefined
}

/** A read, described for the steps before its handler. */
export interface ResourceRead {
  /** The kind of document that the handler responds with; absent when there is no format to choose. */
  readonly offers?: OfferedKind | undefined
  /** The operation on the entities that the query options apply to; absent if the handler calls `authorize` itself. */
  readonly authorizes?: 'read' | 'count' | undefined
}

type TargetOf<Kind extends ResourceKind> = Extract<RequestTarget, { readonly kind: Kind }>

/** The methods of one kind of resource. */
export interface ResourceMethods<Kind extends ResourceKind> extends MethodTable<
  ResourceHandler<TargetOf<Kind>>
> {
  /** Describes GET for the steps before its handler; absent when they have nothing to do. */
  readonly reads?: (target: TargetOf<Kind>) => ResourceRead
}
