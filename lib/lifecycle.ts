import type { AuthorizedQuery } from './data/permissions.js'
import { ODataError } from './errors/odata-error.js'
import { asksToTryAgain } from './errors/try-again.js'
import { withCsrfToken } from './http/csrf-token.js'
import { negotiateVersion } from './http/data-service-version.js'
import { errorResponse } from './http/error-response.js'
import { withMessages } from './http/message-header.js'
import { checkMethod as checkKnown, routeMethod } from './http/method-router.js'
import { methodOf } from './http/method-tunnel.js'
import type { ODataResponse } from './http/odata-response.js'
import { isFunctionCall } from './query/request-target.js'
import { describeTarget } from './resources/describe-target.js'
import { cachePage, serveCachedPage } from './resources/cached-pages.js'
import type { RequestSession } from './resources/request-session.js'
import { countedBy, methodsOf, offeredBy, readBy } from './resources/resources.js'
import { methodRefusal } from './resources/sap-method-restrictions.js'
import { checkContentOfVersion1, checkVersion1 } from './resources/version-rules.js'
import type { MaybePromise } from './util/maybe-promise.js'
import { isPromiseLike, whenThere } from './util/maybe-promise.js'

/** One step of a request. The first step that returns a response ends the request. */
type Step = (session: RequestSession) => MaybePromise<ODataResponse | undefined> | undefined

/**
 * What happens to every request, in this order. The order decides which error a request with several errors gets.
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
export function respondTo(session: RequestSession): MaybePromise<ODataResponse> {
  return runFrom(0, session)
}

function runFrom(start: number, session: RequestSession): MaybePromise<ODataResponse> {
  try {
    for (let index = start; index < lifecycle.length; index++) {
      const result = lifecycle[index]?.(session)
      if (isPromiseLike(result)) {
        return Promise.resolve(result)
          .then((response) =>
            response === undefined ? runFrom(index + 1, session) : completed(response, session),
          )
          .catch((thrown: unknown) => failed(thrown, session))
      }
      if (result !== undefined) return completed(result, session)
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
  const { observation, plan, request, service, settings, version } = session
  const { target } = plan
  session.method = methodOf(request)
  observation?.understood(describeTarget(target, session.method))
  const methods = methodsOf(target, service.canWrite, settings.readOnly)
  const routed = routeMethod(session.method, methods, version, sapRefusal(session))
  if ('response' in routed) return routed.response
  session.handler = routed.handler
  return undefined
}

/** Function calls do not change the entities that they return. */
function sapRefusal({ plan, service }: RequestSession): ((method: string) => string | undefined) | undefined {
  const { sapRestrictions } = service
  if (sapRestrictions === undefined || isFunctionCall(plan.target)) return undefined
  return (method) => methodRefusal(method, plan.target, sapRestrictions)
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
  const kind = isRead(session) ? offeredBy(session.plan.target) : undefined
  if (kind === undefined) return
  session.negotiated = session.negotiate(kind)
  const isEntities = kind === 'feed' || kind === 'entry'
  if (isEntities && session.version === '1.0') {
    checkContentOfVersion1(session.query.projection, session.negotiated.format)
  }
}

function authorizeRead(session: RequestSession): MaybePromise<undefined> {
  if (!isRead(session)) return undefined
  const { target } = session.plan
  const counted = countedBy(target)
  const source = counted ?? readBy(target)
  if (source === undefined) return undefined
  const kind = counted === undefined ? 'read' : 'count'
  const { query } = session
  const authorized = whenThere(session.reader(), (reader) => reader.authorize(source, query, kind))
  const use = (one: AuthorizedQuery): undefined => {
    session.authorized = one
    session.source = source
  }
  return isPromiseLike(authorized) ? authorized.then(use) : use(authorized)
}

function handleResource(session: RequestSession): MaybePromise<ODataResponse> {
  const response = session.handler(session.plan.target, session)
  if (session.pendingPage === undefined) return response
  return whenThere(response, (fresh) => cachePage(fresh, session))
}

/** Functions are called by GET or POST, and respond like a read. */
function isRead({ method, plan }: RequestSession): boolean {
  return method === 'GET' || method === 'HEAD' || isFunctionCall(plan.target)
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
