import { ODataError } from '../errors/odata-error.js'
import { negotiate } from '../formats/negotiate.js'
import type { Method } from '../http/methods.js'
import { methodOf, optionsResponse, routeMethod } from '../http/methods.js'
import type { ODataResponse } from '../http/odata-response.js'
import { required } from '../util/required.js'
import { hasChangeOption } from './change-token.js'
import { describeTarget } from './describe-target.js'
import { exportHandler } from './export.js'
import type { RequestPlan } from './request-plan.js'
import type { Binding, RequestSession, ResourceRoute } from './request-session.js'
import { methodRefusal } from './sap-restrictions.js'
import type { ServiceView } from './service-views.js'
import { checkContentOfVersion1, checkVersion1 } from './version-rules.js'

type View = ServiceView<ResourceRoute> | undefined
type Route = Pick<Binding, 'handler' | 'read'>

/**
 * Binds a request to the model. The order of the steps decides which error a request with several errors gets.
 *
 * @param view the service as the caller sees it. Default: the whole service
 * @returns the response to OPTIONS, which needs no data; else the binding
 * @throws ODataError 400, 404, 405, 406, 414, 501
 */
export function bindRequest(session: RequestSession, view?: View): Binding | ODataResponse {
  const { request, scope, service, settings, version } = session
  const { plans } = view ?? service
  const { url, batchUrl } = settings.limits
  const maxLength = scope === undefined ? url : Math.max(url, batchUrl)
  if (request.relativeUri.length > maxLength) throw tooLong(maxLength)
  // Path and query options become a target: 400, 404.
  const plan = plans.of(request.relativeUri)
  if (scope !== undefined && plan.target.kind === 'Batch') throw nestedBatch()
  // X-HTTP-Method: 400, 501; OPTIONS; methods that the resource does not have: 405, 501.
  const method = methodOf(request)
  const route = routeOf(session, plan, method, view)
  if ('status' in route) return route
  // Query options are bound to the model: 400.
  plans.check(plan, method)
  if (version === '1.0') checkVersion1(plan.target, plan.options)
  // Batches that cannot be atomic: 501.
  if (scope?.refusal !== undefined) throw scope.refusal
  // CSV or Excel instead of a feed.
  const { handler, read } = (settings.exports && exportRoute(session, plan, route)) ?? route
  // $format and Accept: 406. Changes choose the format of their response themselves: many of them have none.
  const format = plan.options.system.get('$format')
  const accept = request.header('accept')
  const negotiated = read?.offers && negotiate(read.offers, format, accept, settings.defaultFormat)
  if (version === '1.0' && negotiated !== undefined && (read?.offers === 'feed' || read?.offers === 'entry'))
    checkContentOfVersion1(required(plan.prepared.query).projection, negotiated.format)
  return { plan, method, handler, read, negotiated, view }
}

/** Returns true for a request that changes data. Calls of functions are reads. */
export function isChange({ method, plan }: Binding): boolean {
  return method !== 'GET' && method !== 'HEAD' && !plan.prepared.isCall
}

function tooLong(maxLength: number): ODataError {
  return new ODataError('UriTooLong', { message: `The URI has more than ${maxLength} characters.` })
}

function nestedBatch(): ODataError {
  return new ODataError('ResourceNotFound', { message: 'A batch cannot contain another batch.' })
}

function routeOf(
  { measurement, observation, service, settings, version }: RequestSession,
  { prepared, target }: RequestPlan<ResourceRoute>,
  method: Method,
  view: View,
): Route | ODataResponse {
  const { isCall, route } = prepared
  const { methods, read } = route
  const { sapRestrictions } = view ?? service
  observation?.understood(describeTarget(target, method))
  if (measurement !== undefined) measurement.target = describeTarget(target, method)
  // Function calls do not change the entities that they return.
  const hasRestrictions = sapRestrictions !== undefined || settings.analytics !== undefined
  const refusal =
    !hasRestrictions || isCall
      ? undefined
      : (one: string): string | undefined =>
          settings.analytics?.methodRefusal(one, target) ??
          (sapRestrictions && methodRefusal(one, target, sapRestrictions))
  if (method === 'OPTIONS') return optionsResponse(methods, version, refusal)
  const handler = routeMethod(method, methods, refusal)
  return { handler, read: isCall || method === 'GET' || method === 'HEAD' ? read : undefined }
}

/**
 * Returns the route of an export if the client wants a file instead of a feed. An export authorizes itself, and is not
 * cached. Parts of a batch cannot be exports.
 */
function exportRoute(
  { request, scope, service, settings: { exports } }: RequestSession,
  { options }: RequestPlan<ResourceRoute>,
  { read }: Route,
): Route | undefined {
  if (exports === undefined || read?.offers !== 'feed' || scope !== undefined) return undefined
  // A delta is a feed.
  if (service.tracked.size > 0 && hasChangeOption(options)) return undefined
  const handler = exportHandler(exports, options.system.get('$format'), request.header('accept'))
  return handler && { handler, read: undefined }
}
