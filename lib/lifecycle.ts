import { isRetryable } from './errors/odata-error.js'
import { TOKEN_REQUIRED, tokenRequired } from './http/csrf-token.js'
import { negotiateVersion } from './http/data-service-version.js'
import { errorResponse } from './http/error-response.js'
import { withLanguage } from './http/language.js'
import { withMessages } from './http/message-header.js'
import type { ODataResponse } from './http/odata-response.js'
import { querySource } from './query/request-target.js'
import { targetWithBody } from './resources/function-body.js'
import { bindRequest } from './resources/bind-request.js'
import { bindForCaller } from './resources/caller-binding.js'
import { cachePage, serveCachedPage } from './resources/cached-pages.js'
import type { RequestSession, ResourceRoute } from './resources/request-session.js'
import { visibleMessages } from './resources/visible-messages.js'
import type { ServiceState } from './resources/service-state.js'
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
  const steps: readonly (Step | false)[] = [
    csrf !== undefined && checkCsrfToken, // 403
    documents.length > 0 && serveDocument, // explorer page, OpenAPI document
    settings.languages !== undefined && chooseLanguage, // never an error
    chooseVersion, // 400
    settings.authorize === undefined ? bind : bindForCaller(authorizeRead), // URI, method, query options, format: 400, 404, 405, 406, 414, 501; reads: 401, 403
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
          .catch((thrown: unknown) => respondToError(thrown, session))
      }
      return completed(result, session)
    }
    throw new TypeError('No step of the lifecycle has returned a response.')
  } catch (thrown) {
    return respondToError(thrown, session)
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

function bind(session: RequestSession): ODataResponse | undefined {
  const bound = bindRequest(session)
  if ('status' in bound) return bound
  session.binding = bound
  return undefined
}

function authorizeRead(session: RequestSession): PromiseOrValue<undefined> {
  const { plan, read } = session.binding
  const source = querySource(plan.target)
  if (read?.authorizes === undefined || source === undefined) return undefined
  const isCount = read.authorizes === 'count'
  const reader = session.reader()
  const authorized = isPromiseLike(reader)
    ? reader.then((opened) => opened.authorize(source, session.query, isCount))
    : reader.authorize(source, session.query, isCount)
  return mapValue(authorized, (query): undefined => {
    session.restricted = query
  })
}

function handleResource(session: RequestSession): PromiseOrValue<ODataResponse> {
  const { handler, method, plan } = session.binding
  if (method === 'POST' && plan.prepared.route.isCall) {
    return targetWithBody(session).then((target) => handler(target, session))
  }
  const response = handler(plan.target, session)
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
function respondToError(thrown: unknown, session: RequestSession): ODataResponse {
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
