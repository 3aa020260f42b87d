import { ODataError, isRetryable } from './errors/odata-error.js'
import { TOKEN_REQUIRED, tokenRequired } from './http/csrf-token.js'
import { negotiateVersion } from './http/data-service-version.js'
import { errorResponse } from './http/error-response.js'
import { withLanguage } from './http/language.js'
import { withMessages } from './http/message-header.js'
import { methodOf, optionsResponse, routeMethod } from './http/methods.js'
import type { ODataResponse } from './http/odata-response.js'
import { querySource } from './query/request-target.js'
import { describeTarget } from './resources/describe-target.js'
import { targetWithBody } from './resources/function-body.js'
import { planForCaller } from './resources/caller-plan.js'
import { cachePage, serveCachedPage } from './resources/cached-pages.js'
import { exportHandler } from './resources/export.js'
import type { RequestSession, ResourceRoute } from './resources/request-session.js'
import { visibleMessages } from './resources/visible-messages.js'
import type { ServiceState } from './resources/service-state.js'
import { methodRefusal } from './resources/sap-restrictions.js'
import { checkContentOfVersion1, checkVersion1 } from './resources/version-rules.js'
import type { PromiseOrValue } from './util/promise-or-value.js'
import { isPromiseLike, mapValue } from './util/promise-or-value.js'

/** One step of a request. The first step that returns a response ends the request. */
type Step = (session: RequestSession) => PromiseOrValue<ODataResponse | undefined> | undefined

/** The steps of all requests of a service. */
export type Lifecycle = readonly Step[]

/**
 * Returns the steps of every request, in this order. The order decides which error a request with several errors gets.
 * Steps of disabled features are omitted. Around the list, `Service.handle` observes the request, and {@link respondTo}
 * turns errors into error documents.
 */
export function lifecycleOf({ csrf, documents, pages, settings }: ServiceState<ResourceRoute>): Lifecycle {
  const bind = [
    parseUri, // path and query options become a target: 400, 404, 414
    chooseMethod, // X-HTTP-Method, OPTIONS: 405, 501
    bindQuery, // query options are bound to the model: 400; 501 for batches that cannot be atomic
    ...(settings.exports === undefined ? [] : [chooseExport]), // CSV or Excel instead of a feed
    chooseFormat, // $format and Accept: 406
  ]
  const steps: readonly (Step | false)[] = [
    csrf !== undefined && checkCsrfToken, // 403
    documents.length > 0 && serveDocument, // explorer page, OpenAPI document
    settings.languages !== undefined && chooseLanguage, // never an error
    chooseVersion, // 400
    ...(settings.authorize === undefined ? bind : [planForCaller({ bind, authorize: authorizeRead })]), // 401, 403; changes authorize themselves
    pages.isEnabled && serveCachedPage, // if the data have not changed since the page was cached
    handleResource, // read or change, serialize: lib/resources/<kind>.ts
  ]
  return steps.filter((step) => step !== false)
}

/**
 * Runs the steps of a request. Synchronous until a step returns a promise: parts of a batch rarely wait.
 *
 * @returns always a response: errors become error documents
 * @throws only retryable errors of a change set that the request belongs to
 */
export function respondTo(
  session: RequestSession,
  lifecycle: Lifecycle,
  firstStep = 0,
): PromiseOrValue<ODataResponse> {
  try {
    for (let index = firstStep; index < lifecycle.length; index++) {
      const result = lifecycle[index]?.(session)
      if (result === undefined) continue
      if (isPromiseLike(result)) {
        return Promise.resolve(result)
          .then((response) =>
            response === undefined ? respondTo(session, lifecycle, index + 1) : completed(response, session),
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

function checkCsrfToken(session: RequestSession): undefined {
  const { csrf } = session.service
  // The token of a batch covers its parts.
  if (csrf === undefined || session.scope !== undefined) return undefined
  if (csrf.refuses(session.request)) {
    session.csrfToken = TOKEN_REQUIRED
    throw tokenRequired()
  }
  session.csrfToken = csrf.fetchedToken(session.request)
  return undefined
}

function serveDocument({ request, scope, service }: RequestSession): ReturnType<Step> {
  if (scope !== undefined) return undefined
  for (const document of service.documents) {
    const response = document.respond(request)
    if (response !== undefined) return response
  }
  return undefined
}

function chooseLanguage(session: RequestSession): undefined {
  session.language = session.settings.languages?.of(session.request)
}

function chooseVersion(session: RequestSession): undefined {
  session.version = negotiateVersion(session.request)
}

function parseUri(session: RequestSession): undefined {
  const { request, scope, service, settings } = session
  const { url, batchUrl } = settings.limits
  const maxLength = scope === undefined ? url : Math.max(url, batchUrl)
  if (request.target.length > maxLength) {
    throw new ODataError('UriTooLong', { message: `The URI has more than ${maxLength} characters.` })
  }
  session.plan = (session.view ?? service).plans.of(request.target)
  if (scope !== undefined && session.plan.target.kind === 'Batch') {
    throw new ODataError('ResourceNotFound', { message: 'A batch cannot contain another batch.' })
  }
}

function chooseMethod(session: RequestSession): ODataResponse | undefined {
  const { observation, plan, request, version } = session
  const { target } = plan
  const { isCall, methods, read } = plan.meaning.route
  const { settings } = session
  const { sapRestrictions } = session.view ?? session.service
  const method = methodOf(request)
  session.method = method
  observation?.understood(describeTarget(target, method))
  // Function calls do not change the entities that they return.
  const hasRestrictions = sapRestrictions !== undefined || settings.analytics !== undefined
  const refusal =
    !hasRestrictions || isCall
      ? undefined
      : (one: string): string | undefined =>
          settings.analytics?.methodRefusal(one, target) ??
          (sapRestrictions && methodRefusal(one, target, sapRestrictions))
  if (method === 'OPTIONS') return optionsResponse(methods, version, refusal)
  session.handler = routeMethod(method, methods, refusal)
  if (isCall || method === 'GET' || method === 'HEAD') session.read = read
  return undefined
}

function bindQuery(session: RequestSession): undefined {
  const { method, plan, scope, service, settings, version, view } = session
  const { plans } = view ?? service
  plans.check(plan, method)
  if (version === '1.0') checkVersion1(plan.target, plan.options)
  if (scope?.refusal !== undefined) throw scope.refusal
  // With `authorize`, the query is restricted by a later step.
  if (settings.authorize === undefined) session.authorized = plan.meaning.unrestricted
}

/**
 * Replaces the handler of a collection by that of exports if the client wants a file. An export authorizes itself,
 * and is not cached. Parts of a batch cannot be exports.
 */
function chooseExport(session: RequestSession): undefined {
  if (session.read?.offers !== 'feed' || session.scope !== undefined) return
  const handler = exportHandler(session)
  if (handler === undefined) return
  session.handler = handler
  session.read = undefined
}

/** Changes choose the format of their response themselves: many of them have none. */
function chooseFormat(session: RequestSession): undefined {
  const kind = session.read?.offers
  if (kind === undefined) return
  const negotiated = session.negotiate(kind)
  session.negotiated = negotiated
  if (session.version === '1.0' && (kind === 'feed' || kind === 'entry')) {
    checkContentOfVersion1(session.query.projection, negotiated.format)
  }
}

function authorizeRead(session: RequestSession): PromiseOrValue<undefined> {
  const { plan, read } = session
  const source = querySource(plan.target)
  if (read?.authorizes === undefined || source === undefined) return undefined
  const isCount = read.authorizes === 'count'
  const reader = session.reader()
  const authorized = isPromiseLike(reader)
    ? reader.then((opened) => opened.authorize(source, session.query, isCount))
    : reader.authorize(source, session.query, isCount)
  return mapValue(authorized, (query): undefined => {
    session.authorized = query
  })
}

function handleResource(session: RequestSession): PromiseOrValue<ODataResponse> {
  const { method, plan } = session
  if (method === 'POST' && plan.meaning.route.isCall) {
    return targetWithBody(session).then((target) => session.handler(target, session))
  }
  const response = session.handler(plan.target, session)
  if (session.pendingPage === undefined) return response
  return mapValue(response, (fresh) => cachePage(fresh, session))
}

function completed(response: ODataResponse, session: RequestSession): ODataResponse {
  const { csrfToken, language, messages, settings } = session
  let complete = response
  if (language !== undefined) complete = withLanguage(complete, language.language.tag, language)
  if (messages !== undefined)
    complete = withMessages(complete, visibleMessages(messages.all, session), settings.limits.messageBytes)
  return csrfToken === undefined ? complete : withHeaders(complete, csrfToken)
}

/** @throws errors that ask for a retry of the change set that the request belongs to */
function failed(thrown: unknown, session: RequestSession): ODataResponse {
  const { csrfToken, messages, request, scope, settings } = session
  if (scope?.changeSet !== undefined && isRetryable(thrown)) throw thrown
  const visible = messages && visibleMessages(messages.all, session)
  const error = session.report(thrown)
  if (error.status < 500) session.observation?.refused(error.message)
  const response = errorResponse(error, request, settings, visible)
  const complete = scope === undefined ? closedWhenTooLarge(response) : response
  return csrfToken === undefined ? complete : withHeaders(complete, csrfToken)
}

function withHeaders(response: ODataResponse, headers: ODataResponse['headers']): ODataResponse {
  return { ...response, headers: { ...response.headers, ...headers } }
}

/**
 * Adds `Connection: close` to a 413 response: the rest of the body is not read, so that the connection cannot be used
 * again.
 */
function closedWhenTooLarge(response: ODataResponse): ODataResponse {
  if (response.status !== 413) return response
  return withHeaders(response, { Connection: 'close' })
}
