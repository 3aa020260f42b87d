import { writeEdmx } from './csdl/write-edmx.js'
import type { EdmModel } from './edm/edm-model.js'
import { sapRestrictionsOf } from './edm/sap-annotations.js'
import { ODataError } from './errors/odata-error.js'
import { Explorer } from './tools/explorer/explorer.js'
import { asksToTryAgain } from './errors/try-again.js'
import { RequestObservation } from './diagnostics/request-observation.js'
import { endWhenGivenUp, observedAnswer } from './http/observed-answer.js'
import { checkVersion1 } from './resources/version-rules.js'
import { CsrfTokens } from './http/csrf-token.js'
import { negotiateVersion } from './http/data-service-version.js'
import { errorResponse, toODataError } from './http/error-response.js'
import { withMessages } from './http/message-header.js'
import { checkMethod, routeMethod } from './http/method-router.js'
import { methodOf } from './http/method-tunnel.js'
import type { ODataRequest } from './http/odata-request.js'
import type { ODataResponse } from './http/odata-response.js'
import { tagOf } from './http/tag-of.js'
import type { Settings } from './options.js'
import { ServedOpenApi } from './tools/openapi/served-openapi.js'
import { Authorization } from './data/authorization.js'
import type { DataAccessOptions } from './data/data-access.js'
import { canWrite } from './data/provider-calls.js'
import type { Provider } from './provider/provider.js'
import type { ReadTogether } from './provider/reading-together.js'
import { togetherReaderOf } from './provider/reading-together.js'
import { canSearch } from './provider/search.js'
import type { RequestTarget } from './query/request-target.js'
import type { BatchHost, RequestScope } from './resources/data-door.js'
import { DataDoor } from './resources/data-door.js'
import type { MetadataDocument, ServiceDocuments } from './resources/resource-context.js'
import { ResourceContext } from './resources/resource-context.js'
import { addressedBy } from './resources/addressed.js'
import { RequestPlans } from './resources/request-plan.js'
import type { CanWrite } from './resources/resources.js'
import { isFunctionCall, methodsOf } from './resources/resources.js'
import { methodRefusal } from './resources/sap-method-restrictions.js'
import type { MaybePromise } from './util/maybe-promise.js'
import { isPromiseLike } from './util/maybe-promise.js'

/** One mounted service: finds out what a request addresses and has it answered. */
export class Service {
  private readonly plans: RequestPlans
  private readonly access: DataAccessOptions
  private readonly canWrite: CanWrite
  /** Only where no code of the application comes between the reads. */
  private readonly reader: ReadTogether | undefined
  private readonly documents: ServiceDocuments
  private readonly csrf: CsrfTokens | undefined
  private readonly explorer: Explorer | undefined
  private readonly openapi: ServedOpenApi | undefined

  constructor(
    model: EdmModel,
    private readonly provider: Provider,
    private readonly settings: Settings,
  ) {
    const { authorize, csrf, hooks, limits, pageSize } = settings
    this.csrf = csrf === undefined ? undefined : new CsrfTokens(csrf)
    this.explorer = settings.explorer ? new Explorer(model, settings.openapi !== undefined) : undefined
    this.openapi = settings.openapi === undefined ? undefined : new ServedOpenApi(model, settings, provider)
    this.access = { authorization: new Authorization(model, authorize), limits, pageSize, hooks }
    this.canWrite = (set, operation) => canWrite(provider, set, operation)
    let document: MetadataDocument | undefined
    const metadata = (): MetadataDocument => (document ??= metadataDocument(model))
    this.reader =
      authorize === undefined && provider.functions === undefined ? togetherReaderOf(provider) : undefined
    const sapRestrictions = settings.sapRestrictions ? sapRestrictionsOf(model) : undefined
    this.documents = { model, settings, sapRestrictions, metadata, loaded: new Date() }
    this.plans = new RequestPlans(model, settings, sapRestrictions, ({ path }) =>
      canSearch(provider.entitySets[path]),
    )
  }

  /**
   * Answers a request.
   *
   * @param onFailure told of errors that are not the client's
   * @param scope what it shares with other requests of a batch
   * @param batch what follows that batch, if anybody wants to know of it
   * @returns always an answer: errors become error documents
   * @throws only what asks for the change set of the scope to be made again
   */
  handle(
    request: ODataRequest,
    onFailure: (error: ODataError) => void,
    scope?: RequestScope,
    batch?: RequestObservation,
  ): MaybePromise<ODataResponse> {
    const observation = RequestObservation.of(request, batch, this.settings.serverTiming)
    if (observation === undefined) return this.protect(request, onFailure, scope)
    const onObserved = (error: ODataError): void => {
      observation.failed(error.cause ?? error)
      onFailure(error)
    }
    endWhenGivenUp(observation, request.signal)
    return observedAnswer(observation, request.method === 'HEAD', () =>
      this.protect(request, onObserved, scope, observation),
    )
  }

  private protect(
    request: ODataRequest,
    onFailure: (error: ODataError) => void,
    scope: RequestScope | undefined,
    observation?: RequestObservation,
  ): MaybePromise<ODataResponse> {
    const { csrf } = this
    if (csrf === undefined || scope !== undefined) return this.attempt(request, onFailure, scope, observation)
    return csrf
      .protect(request, async () => this.attempt(request, onFailure, scope, observation))
      .catch((thrown: unknown) => errorResponse(reported(thrown, onFailure), request))
  }

  private attempt(
    request: ODataRequest,
    onFailure: (error: ODataError) => void,
    scope: RequestScope | undefined,
    observation: RequestObservation | undefined,
  ): MaybePromise<ODataResponse> {
    try {
      const response = this.answer(request, onFailure, scope, observation)
      if (!isPromiseLike(response)) return response
      return response.catch((thrown: unknown) => failure(thrown, request, onFailure, scope))
    } catch (thrown) {
      return failure(thrown, request, onFailure, scope)
    }
  }

  private answer(
    request: ODataRequest,
    onFailure: (error: ODataError) => void,
    scope: RequestScope | undefined,
    observation: RequestObservation | undefined,
  ): MaybePromise<ODataResponse> {
    checkMethod(request)
    const { limits } = this.settings
    const maxLength = scope === undefined ? limits.url : Math.max(limits.url, limits.batchUrl)
    if (request.target.length > maxLength) {
      throw new ODataError('UriTooLong', { message: `The URI has more than ${maxLength} characters.` })
    }
    const page = scope === undefined ? this.explorer?.answer(request) : undefined
    if (page !== undefined) return page
    const description = scope === undefined ? this.openapi?.answer(request) : undefined
    if (description !== undefined) return description
    const version = negotiateVersion(request)
    const plan = this.plans.of(request.target)
    const { target, options } = plan
    if (scope !== undefined && target.kind === 'Batch') {
      throw new ODataError('ResourceNotFound', { message: 'A batch cannot hold another one.' })
    }
    const method = methodOf(request)
    observation?.understood(addressedBy(target, method))
    const methods = methodsOf(target, this.canWrite, this.settings.readOnly)
    const routed = routeMethod(method, methods, version, this.refusalOn(target))
    if ('response' in routed) return routed.response
    this.plans.check(plan, method)
    if (version === '1.0') checkVersion1(target, options)
    if (scope?.refusal !== undefined) throw scope.refusal
    const host = new RequestHost(this, onFailure, observation, this.reader)
    const access = observed(this.access, observation)
    const door = new DataDoor(this.provider, access, request, options, host, scope, observation)
    const context = new ResourceContext(this.documents, request, version, options, plan.meaning.query, door)
    const failed = (thrown: unknown): ODataResponse => failure(thrown, request, onFailure, scope, door)
    try {
      const response = routed.handler(target, context)
      if (!isPromiseLike(response)) return withMessages(response, door.messages, limits.messageBytes)
      return response.then((one) => withMessages(one, door.messages, limits.messageBytes)).catch(failed)
    } catch (thrown) {
      return failed(thrown)
    }
  }

  /** Calling a function is no change of the entities that it returns. */
  private refusalOn(target: RequestTarget): ((method: string) => string | undefined) | undefined {
    const { sapRestrictions } = this.documents
    if (sapRestrictions === undefined || isFunctionCall(target)) return undefined
    return (method) => methodRefusal(method, target, sapRestrictions)
  }
}

function metadataDocument(model: EdmModel): MetadataDocument {
  const bytes = Buffer.from(writeEdmx(model))
  return { bytes, etag: tagOf(bytes) }
}

/** Access of which the time is taken that the application needs to decide. */
function observed(access: DataAccessOptions, observation: RequestObservation | undefined): DataAccessOptions {
  if (observation === undefined) return access
  return { ...access, authorization: access.authorization.around((ask) => observation.authorizing(ask)) }
}

/** Whether it is the whole change set that is to be made again. */
function isForChangeSet(thrown: unknown, scope: RequestScope | undefined): boolean {
  return scope?.changeSet !== undefined && asksToTryAgain(thrown)
}

/**
 * The answer to a request that has failed.
 *
 * @param door what has been said meanwhile is told with it
 * @throws what asks for the change set to be made again
 */
function failure(
  thrown: unknown,
  request: ODataRequest,
  onFailure: (error: ODataError) => void,
  scope: RequestScope | undefined,
  door?: DataDoor,
): ODataResponse {
  if (isForChangeSet(thrown, scope)) throw thrown
  const response = errorResponse(reported(thrown, onFailure), request, door?.messages)
  return scope === undefined ? closedWhenTooLarge(response) : response
}

/** What the parts of a batch ask of the service. */
class RequestHost implements BatchHost {
  constructor(
    private readonly service: Service,
    private onFailure: (error: ODataError) => void,
    private readonly observation: RequestObservation | undefined,
    private readonly reader: ReadTogether | undefined,
  ) {}

  dispatch(request: ODataRequest, scope: RequestScope): MaybePromise<ODataResponse> {
    return this.service.handle(request, this.onFailure, scope, this.observation)
  }

  report(thrown: unknown): ODataError {
    return reported(thrown, this.onFailure)
  }

  readTogether<T>(work: () => T): T {
    const { onFailure, reader } = this
    // Whoever observes does so in between.
    if (reader === undefined || this.observation !== undefined) return work()
    const failures: ODataError[] = []
    let tell = (error: ODataError): void => {
      failures.push(error)
    }
    this.onFailure = (error) => {
      tell(error)
    }
    try {
      return reader(work)
    } finally {
      // What goes on longer tells of its failures later.
      tell = onFailure
      this.onFailure = onFailure
      failures.forEach(onFailure)
    }
  }
}

/** What was thrown as an error of the protocol, of which the application has been told when it is a failure. */
function reported(thrown: unknown, onFailure: (error: ODataError) => void): ODataError {
  const error = toODataError(thrown)
  // What the service never had is nobody's failure, unless somebody says why.
  const isFailure = error.status >= 500 && (error.status !== 501 || error.cause !== undefined)
  if (isFailure) onFailure(error)
  return error
}

/** What was too much was not read to its end: nothing else can come over this connection. */
function closedWhenTooLarge(response: ODataResponse): ODataResponse {
  if (response.status !== 413) return response
  return { ...response, headers: { ...response.headers, Connection: 'close' } }
}
