import { ODataError } from './errors/odata-error.js'
import { asksToTryAgain } from './errors/try-again.js'
import { withCsrfToken } from './http/csrf-token.js'
import { negotiateVersion } from './http/data-service-version.js'
import { errorResponse } from './http/error-response.js'
import { withMessages } from './http/message-header.js'
import { checkMethod as checkKnown, routeMethod } from './http/method-router.js'
import { methodOf } from './http/method-tunnel.js'
import type { ODataResponse } from './http/odata-response.js'
import { querySource } from './query/request-target.js'
import { describeTarget } from './resources/describe-target.js'
import { cachePage, serveCachedPage } from './resources/cached-pages.js'
import type { RequestSession } from './resources/request-session.js'
import { methodRefusal } from './resources/sap-method-restrictions.js'
import { checkContentOfVersion1, checkVersion1 } from './resources/version-rules.js'
import type { PromiseOrValue } from './util/promise-or-value.js'
import { isPromiseLike, mapValue } from './util/promise-or-value.js'

/** One step of a request. The first step that returns a response ends the request. */
type Step = (session: RequestSession) => PromiseOrValue<ODataResponse | undefined> | undefined

/**
 * The steps of every request, in this order. The order decides which error a request with several errors gets.
 * Around the list, `Service.handle` observes the request, and {@link respondTo} turns errors into error documents.
 */
const lifecycle: readonly Step[] = [
  checkCsrfToken, // 403
  checkMethod, // 501
  checkUriLength, // 414
  serveDocument, // explorer page, OpenAPI document
  chooseVersion, // 400
  parseUri, // path and query options become a target: 400, 404
  chooseMethod, // X-HTTP-Method, OPTIONS, 405
  bindQuery, // query options get their meaning: 400
  checkVersion, // 400 for clients of version 1.0
  checkScope, // 501 for batches that cannot be atomic
  chooseFormat, // $format and Accept: 406
  authorizeRead, // 401, 403; changes authorize what they turn out to change
  serveCachedPage, // if the data have not changed since it was cached
  handleResource, // read or change, serialize: lib/resources/<kind>.ts
]

/**
 * Runs the steps of a request. Synchronous until a step returns a promise: parts of a batch rarely wait.
 *
 * @returns always a response: errors become error documents
 * @throws only errors that ask for a retry of the change set that the request belongs to
 */
export function respondTo(session: RequestSession, firstStep = 0): PromiseOrValue<ODataResponse> {
  try {
    for (let index = firstStep; index < lifecycle.length; index++) {
      const result = lifecycle[index]?.(session)
      if (result === undefined) continue
      if (isPromiseLike(result)) {
        return Promise.resolve(result)
          .then((response) =>
            response === undefined ? respondTo(session, index + 1) : completed(response, session),
          )
          .catch((thrown: unknown) => failed(thrown, session))
      }
      return completed(result, session)
    }
    throw new TypeError('No step of the lifecycle has returned a response.')
  } catch (thrown) {
    return failed(thrown, session)
  }
}

function checkCsrfToken(session: RequestSession): ODataResponse | undefined {
  const { csrf } = session.service
  // The token of a batch covers its parts.
  if (csrf === undefined || session.scope !== undefined) return undefined
  const refusal = csrf.refusal(session.request)
  if (refusal === undefined) session.csrfToken = csrf.fetchedToken(session.request)
  return refusal
}

function checkMethod({ request }: RequestSession): undefined {
  checkKnown(request)
}

function checkUriLength({ request, scope, settings }: RequestSession): undefined {
  const { url, batchUrl } = settings.limits
  const maxLength = scope === undefined ? url : Math.max(url, batchUrl)
  if (request.target.length > maxLength) {
    throw new ODataError('UriTooLong', { message: `The URI has more than ${maxLength} characters.` })
  }
}

function serveDocument({ request, scope, service }: RequestSession): ReturnType<Step> {
  if (scope !== undefined) return undefined
  for (const document of service.documents) {
    const response = document.respond(request)
    if (response !== undefined) return response
  }
  return undefined
}

function chooseVersion(session: RequestSession): undefined {
  session.version = negotiateVersion(session.request)
}

function parseUri(session: RequestSession): undefined {
  session.plan = session.service.plans.of(session.request.target)
  if (session.scope !== undefined && session.plan.target.kind === 'Batch') {
    throw new ODataError('ResourceNotFound', { message: 'A batch cannot hold another one.' })
  }
}

function chooseMethod(session: RequestSession): ODataResponse | undefined {
  const { observation, plan, request, service, version } = session
  const { target } = plan
  const { isCall, methods, read } = plan.meaning.route
  const { sapRestrictions } = service
  const method = methodOf(request)
  session.method = method
  observation?.understood(describeTarget(target, method))
  // Calls of functions do not change the entities that they return.
  const refusal =
    sapRestrictions === undefined || isCall
      ? undefined
      : (one: string): string | undefined => methodRefusal(one, target, sapRestrictions)
  const routed = routeMethod(method, methods, version, refusal)
  if ('response' in routed) return routed.response
  session.handler = routed.handler
  if (isCall || method === 'GET' || method === 'HEAD') session.read = read
  return undefined
}

function bindQuery({ method, plan, service }: RequestSession): undefined {
  service.plans.check(plan, method)
}

function checkVersion({ plan, version }: RequestSession): undefined {
  if (version === '1.0') checkVersion1(plan.target, plan.options)
}

function checkScope({ scope }: RequestSession): undefined {
  if (scope?.refusal !== undefined) throw scope.refusal
}

/** Changes choose the format of their response themselves: many of them have none. */
function chooseFormat(session: RequestSession): undefined {
  const kind = session.read?.offers
  if (kind === undefined) return
  session.chosenFormat = session.negotiate(kind)
  const isEntities = kind === 'feed' || kind === 'entry'
  if (isEntities && session.version === '1.0') {
    checkContentOfVersion1(session.query.projection, session.chosenFormat.format)
  }
}

function authorizeRead(session: RequestSession): PromiseOrValue<undefined> {
  const { plan, read, settings } = session
  if (settings.authorize === undefined || read?.authorizes === undefined) return undefined
  const source = querySource(plan.target)
  if (source === undefined) return undefined
  const isCount = read.authorizes === 'count'
  const reader = session.reader()
  const authorized = isPromiseLike(reader)
    ? reader.then((opened) => opened.authorize(source, session.query, isCount))
    : reader.authorize(source, session.query, isCount)
  return mapValue(authorized, (query): undefined => {
    session.restrictedQuery = query
  })
}

function handleResource(session: RequestSession): PromiseOrValue<ODataResponse> {
  const response = session.handler(session.plan.target, session)
  if (session.pendingPage === undefined) return response
  return mapValue(response, (fresh) => cachePage(fresh, session))
}

function completed(response: ODataResponse, session: RequestSession): ODataResponse {
  const { csrfToken, messages, settings } = session
  const complete = withMessages(response, messages, settings.limits.messageBytes)
  return csrfToken === undefined ? complete : withCsrfToken(complete, csrfToken)
}

/** @throws errors that ask for a retry of the change set that the request belongs to */
function failed(thrown: unknown, session: RequestSession): ODataResponse {
  const { csrfToken, messages, request, scope } = session
  if (scope?.changeSet !== undefined && asksToTryAgain(thrown)) throw thrown
  const response = errorResponse(session.report(thrown), request, messages)
  const complete = scope === undefined ? closedWhenTooLarge(response) : response
  return csrfToken === undefined ? complete : withCsrfToken(complete, csrfToken)
}

/** The rest of a body that is too large is not read: the connection cannot be used for another request. */
function closedWhenTooLarge(response: ODataResponse): ODataResponse {
  if (response.status !== 413) return response
  return { ...response, headers: { ...response.headers, Connection: 'close' } }
}
