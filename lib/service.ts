import createDebug from 'debug'
import { writeEdmx } from './csdl/write-edmx.js'
import type { EdmModel, EntitySet } from './edm/edm-model.js'
import { ODataError } from './errors/odata-error.js'
import { checkVersion1 } from './resources/version-rules.js'
import { negotiateVersion } from './http/data-service-version.js'
import { errorResponse, toODataError } from './http/error-response.js'
import { checkMethod, routeMethod } from './http/method-router.js'
import type { ODataRequest } from './http/odata-request.js'
import type { ODataResponse } from './http/odata-response.js'
import type { Settings } from './options.js'
import { Authorization } from './provider/authorization.js'
import { DataAccess } from './provider/data-access.js'
import { ProviderCalls } from './provider/provider-calls.js'
import type { Provider } from './provider/provider.js'
import { bindQueryOptions, checkQueryOptions } from './query/bind-query-options.js'
import { bindResourcePath } from './query/bind-resource-path.js'
import type { EntityQuery } from './query/entity-query.js'
import type { RequestTarget } from './query/request-target.js'
import { ResourceContext } from './resources/resource-context.js'
import { methodsOf } from './resources/resources.js'
import type { QueryOptions } from './uri/parse-query-options.js'
import { parseQueryOptions } from './uri/parse-query-options.js'
import { splitTarget } from './uri/split-resource-path.js'
import { BoundedCache } from './util/bounded-cache.js'

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
  private readonly authorization: Authorization<unknown>
  private readonly loaded = new Date()
  private document: Uint8Array | undefined

  constructor(
    private readonly model: EdmModel,
    private readonly provider: Provider,
    private readonly settings: Settings,
  ) {
    this.authorization = new Authorization(model, settings.authorize)
  }

  /**
   * Answers a request.
   *
   * @param onFailure told of errors that are not the client's
   * @returns always an answer: errors become error documents
   */
  async handle(request: ODataRequest, onFailure: (error: ODataError) => void): Promise<ODataResponse> {
    try {
      return await this.answer(request)
    } catch (thrown) {
      const error = toODataError(thrown)
      // What the service never had is nobody's failure, unless somebody says why.
      const isFailure = error.status >= 500 && (error.status !== 501 || error.cause !== undefined)
      if (isFailure) onFailure(error)
      return errorResponse(error, request)
    }
  }

  private async answer(request: ODataRequest): Promise<ODataResponse> {
    checkMethod(request)
    if (request.target.length > this.settings.limits.url) {
      throw new ODataError('UriTooLong', {
        message: `The URI has more than ${this.settings.limits.url} characters.`,
      })
    }
    const version = negotiateVersion(request)
    const plan = this.planOf(request.target)
    const routed = routeMethod(request, methodsOf(plan.target))
    if ('response' in routed) return routed.response
    this.checkPlan(plan)
    if (version === '1.0') checkVersion1(plan.target, plan.options)
    const context = new ResourceContext(
      {
        model: this.model,
        settings: this.settings,
        loaded: this.loaded,
        metadata: () => (this.document ??= Buffer.from(writeEdmx(this.model))),
      },
      request,
      version,
      plan.options,
      plan.query,
      () => this.openData(request, plan.options),
    )
    return routed.handler(plan.target, context)
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

  private checkPlan(plan: RequestPlan): void {
    if (plan.checked === true) return
    const { target, options } = plan
    const { limits, disabledQueryOptions } = this.settings
    checkQueryOptions(options, target, disabledQueryOptions)
    const set = entitySetOf(target)
    if (set !== undefined) plan.query = bindQueryOptions(options, target, set, this.model, limits)
    plan.checked = true
  }

  private async openData(request: ODataRequest, { custom }: QueryOptions): Promise<DataAccess> {
    const context = await request.context()
    const call = {
      context,
      customOptions: custom,
      // Asked for only when a provider wants to know.
      get signal() {
        return request.signal
      },
    }
    return new DataAccess(new ProviderCalls(this.provider, call), {
      authorization: this.authorization,
      limits: this.settings.limits,
      pageSize: this.settings.pageSize,
    })
  }
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
