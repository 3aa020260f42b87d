import { AsyncResource } from 'node:async_hooks'
import type { KeyRead } from './data/key-reads.js'
import { shareRead } from './data/key-sources.js'
import { isRetryable, ODataError } from './errors/odata-error.js'
import { TOKEN_REQUIRED, tokenRequired } from './http/csrf-token.js'
import { negotiateVersion } from './http/data-service-version.js'
import { errorDocument } from './http/error-response.js'
import { withLanguage } from './http/language.js'
import { withRequestIds } from './http/request-id-headers.js'
import { messageHeader } from './http/message-header.js'
import type { ODataResponse } from './http/odata-response.js'
import { traceResponse } from './http/trace-response.js'
import { querySource } from './query/request-target.js'
import { targetWithBody } from './resources/function-body.js'
import { bindRequest } from './resources/bind-request.js'
import { bindForCaller } from './resources/caller-binding.js'
import { explainRequest } from './resources/explain-request.js'
import { cachePage, serveCachedPage } from './resources/cached-pages.js'
import { repeatRequest } from './resources/repeat-request.js'
import { checkLink } from './resources/link-signer.js'
import type { RequestSession, ResourceRoute } from './resources/request-session.js'
import { visibleMessages } from './resources/visible-messages.js'
import type { PreparedResponse, ServiceState } from './resources/service-state.js'
import type { PromiseOrValue } from './util/promise-or-value.js'
import { isPromiseLike, mapValue } from './util/promise-or-value.js'

/** One step of a request. The first step that returns a response ends the request. */
type Step = (session: RequestSession) => PromiseOrValue<ODataResponse | undefined> | undefined

/** The steps of all requests of a service, up to {@link completeResponse}, the last one. */
export type Lifecycle = readonly Step[]

/**
 * Returns the steps of every request, in this order. The order decides which error a request with several errors gets.
 * Steps of disabled features are omitted. {@link respondTo} turns errors of the steps into error documents. The last step,
 * {@link completeResponse}, decorates both.
 */
export function lifecycleOf({
  csrf,
  documents,
  pages,
  repeatable,
  settings,
}: ServiceState<ResourceRoute>): Lifecycle {
  const steps: readonly (Step | false)[] = [
    csrf !== undefined && checkCsrfToken, // 403
    documents.length > 0 && serveDocument, // explorer page, OpenAPI document
    settings.languages !== undefined && chooseLanguage, // never an error
    chooseVersion, // 400
    settings.authorize === undefined ? bind : bindForCaller(authorizeRead), // URI, method, query options, format: 400, 404, 405, 406, 414, 501; reads: 401, 403
    settings.signedLinks !== undefined && checkLink, // 400
    settings.explain && ((session: RequestSession) => explainRequest(session, handleResource)), // 400
    repeatable !== undefined && ((session: RequestSession) => repeatRequest(session, handleResource)), // 400, 412
    pages.isEnabled && settings.signedLinks?.caller === undefined && serveCachedPage, // if the data have not changed since the page was cached
    handleResource, // read or change, serialize: lib/resources/<kind>.ts
  ]
  return steps.filter((step) => step !== false)
}

/**
 * Runs the steps of a request. Synchronous until a step returns a promise: parts of a batch rarely wait.
 *
 * @param start the index of the first step
 * @returns always a response, because the last step returns one, and errors become error documents
 * @throws only retryable errors of a change set that the request belongs to
 */
export function respondTo(
  session: RequestSession,
  lifecycle: Lifecycle,
  start?: number,
): PromiseOrValue<ODataResponse>
/** @returns undefined if no step before `end` returns a response */
export function respondTo(
  session: RequestSession,
  lifecycle: Lifecycle,
  start: number,
  end: number,
): PromiseOrValue<ODataResponse | undefined>
export function respondTo(
  session: RequestSession,
  lifecycle: Lifecycle,
  start = 0,
  end = lifecycle.length,
): PromiseOrValue<ODataResponse | undefined> {
  try {
    for (let index = start; index < end; index++) {
      const result = lifecycle[index]?.(session)
      if (result === undefined) continue
      if (isPromiseLike(result)) {
        return Promise.resolve(result)
          .then((response) =>
            response === undefined
              ? respondTo(session, lifecycle, index + 1, end)
              : completeResponse(response, session),
          )
          .catch((thrown: unknown) =>
            repeatsRead(thrown, session)
              ? respondTo(session, lifecycle, index, end)
              : completeResponse(documentOfError(thrown, session), session),
          )
      }
      return completeResponse(result, session)
    }
    return undefined
  } catch (thrown) {
    return completeResponse(documentOfError(thrown, session), session)
  }
}

/**
 * A request of a batch whose steps before its access to data run first. No later step of an authorized read calls code of
 * the application.
 */
export class PreparedRequest implements PreparedResponse {
  private readonly firstOfData: number
  private prepared: PromiseOrValue<ODataResponse | undefined>
  private settling: Promise<void> | undefined
  /** The context in which subscribers of diagnostics see the request. */
  private context: AsyncResource | undefined
  private keyRead: KeyRead | undefined

  constructor(
    private readonly session: RequestSession,
    private readonly lifecycle: Lifecycle,
  ) {
    const { observation, request } = session
    this.firstOfData = lifecycle.findIndex((step) => step === serveCachedPage || step === handleResource)
    this.prepared =
      observation === undefined
        ? this.prepare()
        : observation.run(request.signal, () => this.prepareObserved())
    if (!isPromiseLike(this.prepared)) return
    // Responding throws the error of a promise that was rejected.
    this.settling = this.prepared.then(
      (response) => {
        this.prepared = response
      },
      () => undefined,
    )
  }

  private prepare(): PromiseOrValue<ODataResponse | undefined> {
    return respondTo(this.session, this.lifecycle, 0, this.firstOfData)
  }

  private prepareObserved(): PromiseOrValue<ODataResponse | undefined> {
    this.context = new AsyncResource('ODataRequest')
    return this.prepare()
  }

  respond(): PromiseOrValue<ODataResponse> {
    const { context } = this
    return context === undefined ? this.respondNow() : context.runInAsyncScope(() => this.respondNow())
  }

  private respondNow(): PromiseOrValue<ODataResponse> {
    const { firstOfData, lifecycle, prepared, session } = this
    if (prepared === undefined) return respondTo(session, lifecycle, firstOfData)
    return mapValue(prepared, (response) => response ?? respondTo(session, lifecycle, firstOfData))
  }

  get mayShareRead(): boolean {
    const { plan, read } = this.session.binding
    const source = plan.target.kind === 'Links' ? undefined : querySource(plan.target)
    return read?.authorizes !== undefined && source !== undefined && source.kind !== 'EntitySet'
  }

  get sharedRead(): Promise<unknown> | undefined {
    // Observed calls of the provider wait themselves, so that their duration contains the wait.
    return this.session.observation === undefined ? this.keyRead?.loading : undefined
  }

  shareRead(): Promise<void> | undefined {
    const { settling } = this
    if (settling === undefined) this.shareNow()
    else return settling.then(() => this.shareNow())
    return undefined
  }

  private shareNow(): void {
    const { session } = this
    const { plan, read } = session.binding
    const source = querySource(plan.target)
    // The request has a response if it is refused.
    if (this.prepared !== undefined || source === undefined) return
    try {
      const calls = session.providerCalls()
      if (isPromiseLike(calls) || session.service.readerOptions.analytics?.setOf(source) !== undefined) return
      this.keyRead = shareRead(calls, source, session.authorized, read?.authorizes === 'count')
    } catch {
      // Responding throws the same error.
    }
  }

  get isWaiting(): boolean {
    return isPromiseLike(this.prepared)
  }

  get isAuthorized(): boolean {
    if (this.prepared !== undefined && !this.isWaiting) return true
    const { plan, read } = this.session.binding
    return read?.authorizes !== undefined && !plan.prepared.isCall
  }
}

/** The maximum number of times that a provider can accept less of the query of one request. */
const MAX_REPEATS = 10

/** Returns true if a read failed because the provider offered more than it can do, which it does not any more. */
function repeatsRead(thrown: unknown, session: RequestSession): boolean {
  if (!(thrown instanceof ODataError) || thrown.details.pushdownChanged !== true) return false
  const { binding, scope } = session
  const { method, plan } = binding
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || scope?.changeSet !== undefined || plan.prepared.isCall) return false
  session.repeats = (session.repeats ?? 0) + 1
  return session.repeats <= MAX_REPEATS
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

function serveDocument(session: RequestSession): ReturnType<Step> {
  if (session.scope !== undefined) return undefined
  for (const document of session.service.documents) {
    const response = document.respond(session.request, () => session.chooseLanguage())
    if (response !== undefined) return response
  }
  return undefined
}

function chooseLanguage(session: RequestSession): undefined {
  session.chooseLanguage()
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
  if (method === 'POST' && plan.prepared.isCall) {
    return targetWithBody(session).then((target) => handler(target, session))
  }
  const response = handler(plan.target, session)
  if (session.pendingPage === undefined) return response
  return mapValue(response, (fresh) => cachePage(fresh, session))
}

/** @throws errors that ask for a retry of the change set that the request belongs to */
function documentOfError(thrown: unknown, session: RequestSession): ODataResponse {
  const { messages, request, scope, settings } = session
  if (scope?.changeSet !== undefined && isRetryable(thrown)) throw thrown
  const visible = messages && visibleMessages(messages.all, session)
  const error = session.report(thrown)
  if (error.status < 500) session.observation?.refused(error.message)
  // The error may precede the steps that choose the language and the version.
  return errorDocument(error, request, settings.defaultFormat, session.chooseLanguage(), visible)
}

/**
 * Completes the response of a step, or an error document, by what does not depend on the resource: headers of the
 * language, `sap-message`, `Connection`, the CSRF token, ids, and the measurements of subscribers.
 */
function completeResponse(response: ODataResponse, session: RequestSession): ODataResponse {
  const { csrfToken, language, measurement, messages, observation, request, scope, settings } = session
  let complete = language === undefined ? response : withLanguage(response, language)
  // The document of an error contains the messages.
  if (messages !== undefined && response.status < 400) {
    const header = messageHeader(visibleMessages(messages.all, session), settings.limits.messageBytes)
    if (header !== undefined) complete = withHeaders(complete, { 'sap-message': header })
  }
  // The rest of a body that is too large is not read, so that the connection cannot be used again.
  if (response.status === 413 && scope === undefined)
    complete = withHeaders(complete, { Connection: 'close' })
  if (csrfToken !== undefined) complete = withHeaders(complete, csrfToken)
  if (request.requestIds !== undefined) complete = withRequestIds(complete, request)
  const isHead = request.method === 'HEAD'
  if (measurement !== undefined) complete = traceResponse(complete, measurement, isHead)
  return observation === undefined ? complete : traceResponse(complete, observation, isHead)
}

function withHeaders(response: ODataResponse, headers: ODataResponse['headers']): ODataResponse {
  return { ...response, headers: { ...response.headers, ...headers } }
}
