import createDebug from 'debug'
import { writeEdmx } from './csdl/write-edmx.js'
import type { EdmModel, EntitySet } from './edm/edm-model.js'
import { sapRestrictionsOf } from './edm/sap-annotations.js'
import { ODataError } from './errors/odata-error.js'
import { Explorer } from './explorer/explorer.js'
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
import type { Settings } from './options.js'
import { ServedOpenApi } from './openapi/served-openapi.js'
import { Authorization } from './provider/authorization.js'
import type { DataAccessOptions } from './provider/data-access.js'
import { canWrite } from './provider/provider-calls.js'
import type { Provider } from './provider/provider.js'
import { bindQueryOptions, checkQueryOptions, checkWriteOptions } from './query/bind-query-options.js'
import { bindResourcePath } from './query/bind-resource-path.js'
import type { EntityQuery } from './query/entity-query.js'
import type { RequestTarget } from './query/request-target.js'
import { checkSapQuery } from './query/sap-query-restrictions.js'
import type { BatchHost, RequestScope } from './resources/data-door.js'
import { DataDoor } from './resources/data-door.js'
import type { ServiceDocuments } from './resources/resource-context.js'
import { ResourceContext } from './resources/resource-context.js'
import { addressedBy } from './resources/addressed.js'
import { isFunctionCall, methodsOf } from './resources/resources.js'
import { methodRefusal } from './resources/sap-method-restrictions.js'
import type { QueryOptions } from './uri/parse-query-options.js'
import { parseQueryOptions } from './uri/parse-query-options.js'
import { splitTarget } from './uri/split-resource-path.js'
import { BoundedCache } from './util/bounded-cache.js'
import type { MaybePromise } from './util/maybe-promise.js'
import { recovered, whenThere } from './util/maybe-promise.js'

const debug = createDebug('odata-v2:query')

/** What the text of a request says, kept for when the same text comes again. */
interface RequestPlan {
  readonly target: RequestTarget
  readonly options: QueryOptions
  /** Bound when it is first needed: only then is it known that the method is allowed. */
  query?: EntityQuery | undefined
  checked?: boolean
}

const keptPlans = 500
/** Longer texts are rarely the same twice. */
const longestKeptTarget = 1000

/** One mounted service: finds out what a request addresses and has it answered. */
export class Service {
  private readonly plans = new BoundedCache<string, RequestPlan>(keptPlans)
  private readonly access: DataAccessOptions
  private readonly documents: ServiceDocuments
  private readonly csrf: CsrfTokens | undefined
  private readonly explorer: Explorer | undefined
  private readonly openapi: ServedOpenApi | undefined

  constructor(
    private readonly model: EdmModel,
    private readonly provider: Provider,
    private readonly settings: Settings,
  ) {
    const { authorize, csrf, hooks, limits, pageSize } = settings
    this.csrf = csrf === undefined ? undefined : new CsrfTokens(csrf)
    this.explorer = settings.explorer ? new Explorer(model, settings.openapi !== undefined) : undefined
    this.openapi = settings.openapi === undefined ? undefined : new ServedOpenApi(model, settings, provider)
    this.access = { authorization: new Authorization(model, authorize), limits, pageSize, hooks }
    let document: Uint8Array | undefined
    const metadata = (): Uint8Array => (document ??= Buffer.from(writeEdmx(model)))
    const sapRestrictions = settings.sapRestrictions ? sapRestrictionsOf(model) : undefined
    this.documents = { model, settings, sapRestrictions, metadata, loaded: new Date() }
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
    return recovered(
      () => this.answer(request, onFailure, scope, observation),
      (thrown) => {
        if (isForChangeSet(thrown, scope)) throw thrown
        const response = errorResponse(reported(thrown, onFailure), request)
        return scope === undefined ? closedWhenTooLarge(response) : response
      },
    )
  }

  private answer(
    request: ODataRequest,
    onFailure: (error: ODataError) => void,
    scope: RequestScope | undefined,
    observation: RequestObservation | undefined,
  ): MaybePromise<ODataResponse> {
    checkMethod(request)
    if (request.target.length > this.settings.limits.url) {
      throw new ODataError('UriTooLong', {
        message: `The URI has more than ${this.settings.limits.url} characters.`,
      })
    }
    const page = scope === undefined ? this.explorer?.answer(request) : undefined
    if (page !== undefined) return page
    const description = scope === undefined ? this.openapi?.answer(request) : undefined
    if (description !== undefined) return description
    const version = negotiateVersion(request)
    const plan = this.planOf(request.target)
    if (scope !== undefined && plan.target.kind === 'Batch') {
      throw new ODataError('ResourceNotFound', { message: 'A batch cannot hold another one.' })
    }
    const method = methodOf(request)
    observation?.understood(addressedBy(plan.target, method))
    const methods = methodsOf(
      plan.target,
      (set, name) => !this.settings.readOnly && canWrite(this.provider, set, name),
    )
    const routed = routeMethod(method, methods, version, this.refusalOn(plan.target))
    if ('response' in routed) return routed.response
    this.checkPlan(plan, method)
    if (version === '1.0') checkVersion1(plan.target, plan.options)
    if (scope?.refusal !== undefined) throw scope.refusal
    const host: BatchHost = {
      dispatch: (inner, innerScope) => this.handle(inner, onFailure, innerScope, observation),
      report: (thrown) => reported(thrown, onFailure),
    }
    const { provider, access } = this
    const door = new DataDoor(
      provider,
      observed(access, observation),
      request,
      plan.options,
      host,
      scope,
      observation,
    )
    const context = new ResourceContext(this.documents, request, version, plan.options, plan.query, door)
    const { messageBytes } = this.settings.limits
    return recovered(
      () =>
        whenThere(routed.handler(plan.target, context), (response) =>
          withMessages(response, door.messages, messageBytes),
        ),
      (thrown) => {
        if (door.messages === undefined || isForChangeSet(thrown, scope)) throw thrown
        const response = errorResponse(reported(thrown, onFailure), request, door.messages)
        return scope === undefined ? closedWhenTooLarge(response) : response
      },
    )
  }

  /** Calling a function is no change of the entities that it returns. */
  private refusalOn(target: RequestTarget): ((method: string) => string | undefined) | undefined {
    const { sapRestrictions } = this.documents
    if (sapRestrictions === undefined || isFunctionCall(target)) return undefined
    return (method) => methodRefusal(method, target, sapRestrictions)
  }

  private planOf(text: string): RequestPlan {
    const kept = this.plans.get(text)
    if (kept !== undefined) return kept
    const { segments, query } = splitTarget(text)
    const { pathSegments } = this.settings.limits
    if (segments.length > pathSegments) {
      throw new ODataError('LimitExceeded', {
        message: `A resource path can have at most ${pathSegments} segments on this service.`,
        details: { limit: 'pathSegments' },
      })
    }
    const options = parseQueryOptions(query)
    const plan: RequestPlan = { target: bindResourcePath(segments, this.model, options), options }
    debug('%s is %s', text, plan.target.kind)
    if (text.length <= longestKeptTarget) this.plans.set(text, plan)
    return plan
  }

  private checkPlan(plan: RequestPlan, method: string): void {
    const { target, options } = plan
    if (method !== 'GET' && method !== 'HEAD' && !isFunctionCall(target)) {
      checkWriteOptions(options)
      return
    }
    if (plan.checked === true) return
    const { limits, disabledQueryOptions } = this.settings
    checkQueryOptions(options, target, disabledQueryOptions)
    const set = entitySetOf(target)
    if (set !== undefined) {
      const query = bindQueryOptions(options, target, set, this.model, limits)
      const { sapRestrictions } = this.documents
      if (sapRestrictions !== undefined) checkSapQuery(options, query, target, sapRestrictions)
      plan.query = query
    }
    plan.checked = true
  }
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

/** The set whose entities the query options of a request speak of. */
function entitySetOf(target: RequestTarget): EntitySet | undefined {
  switch (target.kind) {
    case 'EntitySet':
      return target.collection.set
    case 'Entity':
      return target.entity.set
    case 'EntityCount':
      return target.of.set
    case 'Links':
      return target.linked.set
    default:
      return undefined
  }
}
