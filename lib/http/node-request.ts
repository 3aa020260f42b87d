import type { IncomingMessage, ServerResponse } from 'node:http'
import createDebug from 'debug'
import { meters } from '../diagnostics/measurement.js'
import { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { RequestIds } from '../util/request-ids.js'
import { requestIdsOf } from '../util/request-ids.js'
import { callOnError, urlOf } from './call-on-error.js'
import type { ErrorPreferences } from './error-response.js'
import { errorResponse } from './error-response.js'
import type { ODataRequest, RequestBody } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { closeBody } from './odata-response.js'
import { refuseEncoding, bodyOf, IncomingBody, IncompleteBody } from './request-body.js'
import type { RequestTracker } from './request-tracker.js'
import {
  abortResponse,
  isClosed,
  isComplete,
  isHttp2,
  onResponseClose,
  progressOf,
} from './response-state.js'
import { sendResponse } from './send-response.js'

const debugError = createDebug('odata-v2:error')

/** The members of its service that a request uses. */
export interface RequestOrigin<Native> {
  readonly serviceRoot: (req: Native) => string
  readonly settings: ErrorPreferences & {
    readonly onError: ((error: ODataError, request: Native) => void) | undefined
    readonly context: ((req: Native) => PromiseOrValue<unknown>) | undefined
    readonly requestIds: boolean
  }
}

/** A pending change has this long after an abort to roll back, or to commit: the response reports which. */
const PENDING_CHANGE_MS = 1_000

/** A request of Express, or of an HTTP server of Node, in flight until its response was sent or its connection closed. */
export class NodeRequest<Native extends IncomingMessage = IncomingMessage> implements ODataRequest {
  readonly method: string
  readonly requestIds: RequestIds | undefined
  /** The response that is being sent. */
  response: ODataResponse | undefined
  /** True if the service has stopped the request: it sends or has sent the error by itself. */
  isStopped = false
  private root: string | undefined
  private controller: AbortController | undefined
  private received: IncomingBody | undefined
  pendingChange: PromiseLike<unknown> | undefined
  private reason: ODataError | undefined
  /** Read once: Express changes the prototype of requests, which makes their properties slow on some versions of Node. */
  private readonly headers: IncomingMessage['headers']
  private progress: string | undefined
  /** The tick of the last progress. */
  private lastTick: number
  /** Set while a stopped request waits for its pending change. */
  private graceTimer: NodeJS.Timeout | undefined

  constructor(
    readonly native: Native,
    private readonly res: ServerResponse,
    readonly relativeUri: string,
    private readonly origin: RequestOrigin<Native>,
    private readonly tracker: RequestTracker,
  ) {
    this.method = (native.method ?? '').toUpperCase()
    this.headers = native.headers
    this.lastTick = tracker.tick
    this.requestIds = origin.settings.requestIds ? requestIdsOf((name) => this.header(name)) : undefined
  }

  /** The complete URL path: Express removes the mount path from `url`. */
  get address(): string | undefined {
    const { native } = this
    return (native as { originalUrl?: string }).originalUrl ?? native.url
  }

  get serviceRoot(): string {
    this.root ??= this.origin.serviceRoot(this.native)
    return this.root
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /**
   * Returns the body. Earlier middleware, such as `express.json`, may have parsed it already: then its result is
   * used.
   */
  body(): RequestBody {
    const { native } = this
    if (!native.readableEnded) {
      refuseEncoding(this)
      this.received = new IncomingBody(native, this.header('content-length'))
      if (this.reason !== undefined) this.received.abort(this.reason)
      return this.received
    }
    const parsed = (native as { body?: unknown }).body
    if (parsed === undefined || parsed === null) return bodyOf(Buffer.alloc(0))
    if (parsed instanceof Uint8Array) return bodyOf(parsed)
    if (typeof parsed === 'string') return bodyOf(Buffer.from(parsed))
    const isForm = this.header('content-type')?.startsWith('application/x-www-form-urlencoded') === true
    const form = isForm ? new URLSearchParams(parsed as Record<string, string>) : undefined
    return bodyOf(Buffer.from(form?.toString() ?? JSON.stringify(parsed)))
  }

  /** True if the body was read in part. Node discards bodies that were not read at all. */
  get isBodyPartlyRead(): boolean {
    return this.received !== undefined && !this.native.readableEnded && !this.native.destroyed
  }

  context(): PromiseOrValue<unknown> {
    return this.origin.settings.context?.(this.native)
  }

  /** Created on first access: most requests are finished before. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController()
      this.controller = controller
      const abort = (): void => {
        if (!isComplete(this.res)) controller.abort()
      }
      if (this.reason !== undefined) controller.abort(this.reason)
      else if (isClosed(this.res)) abort()
      else onResponseClose(this.res, abort)
    }
    return this.controller.signal
  }

  get isAborted(): boolean {
    const { controller, res } = this
    if (controller !== undefined) return controller.signal.aborted
    return this.reason !== undefined || (isClosed(res) && !isComplete(res))
  }

  checkProgress(tick: number, maxTicks: number, requestTime: number): void {
    const progress = this.res.headersSent ? progressOf(this.res) : undefined
    if (progress !== this.progress) {
      this.progress = progress
      this.lastTick = tick
    } else if (tick - this.lastTick >= maxTicks) this.stop(this.timeoutError(requestTime))
  }

  onFailure(error: ODataError): void {
    const { native, res } = this
    if (isCausedByAbort(error, res)) return
    if (this.isStopped) debugError('%s %s failed after its abort: %O', native.method, urlOf(native), error)
    else callOnError(error, native, this.origin.settings.onError, this.requestIds)
  }

  closeConnection(): void {
    const { native, res } = this
    if (!res.headersSent && !isHttp2(native)) res.setHeader('Connection', 'close')
  }

  /**
   * Ends the request, with an error response if the response has not begun. A pending change is cancelled, and the
   * request responds with its outcome: an error response now would be wrong if the database commits first.
   */
  stop(error: ODataError): void {
    if (this.graceTimer !== undefined) return
    if (this.pendingChange !== undefined && !this.res.headersSent) {
      this.abort(error)
      this.graceTimer = setTimeout(() => {
        this.stopNow(error)
      }, PENDING_CHANGE_MS)
    } else this.stopNow(error)
  }

  /** Aborts the signal of the request, and fails the reading of its body. */
  private abort(reason: ODataError): void {
    this.reason ??= reason
    this.received?.abort(reason)
    this.controller?.abort(reason)
  }

  private stopNow(error: ODataError): void {
    const { res } = this
    const isFirst = !this.isStopped
    this.isStopped = true
    const hasStarted = res.headersSent || isClosed(res)
    // A client that does not read its response is not a failure of the service.
    if (isFirst && !isClosed(res) && !(hasStarted && isWaitingForClient(res))) this.onStop(error)
    this.abort(error)
    this.closeBody()
    if (hasStarted || !isFirst) {
      abortResponse(res)
      this.tracker.remove(this)
      return
    }
    Promise.resolve(sendResponse(res, this.errorResponse(error), this.method === 'HEAD'))
      .catch(() => res.destroy())
      .finally(() => {
        this.end()
      })
  }

  /** Ends the work on the request. It remains in flight until the client has received the response. */
  end(): void {
    const { res } = this
    clearTimeout(this.graceTimer)
    if (isComplete(res) || isClosed(res)) this.tracker.remove(this)
    else {
      onResponseClose(res, () => {
        this.tracker.remove(this)
      })
    }
  }

  /** Closes the source of the response, which may be closed again by the function that sends it. */
  closeBody(): void {
    if (this.response === undefined) return
    closeBody(this.response).catch((failure: unknown) => {
      debugError('the body of an aborted response could not be closed: %O', failure)
    })
  }

  /** Returns the error response of a stopped request, or of one that is received during shutdown. */
  errorResponse(error: ODataError): ODataResponse {
    const { native, tracker } = this
    const response = errorResponse(error, this, this.origin.settings)
    // The rest of the body is not read.
    if ((native.complete && !tracker.isClosing) || isHttp2(native)) return response
    return { ...response, headers: { ...response.headers, Connection: 'close' } }
  }

  private timeoutError(requestTime: number): ODataError {
    const details = { limit: 'requestTime' }
    const time = `${String(requestTime / 1000)} seconds`
    // With bytes in the buffer the provider is slow, not the client.
    if (this.isBodyPartlyRead && this.native.readableLength === 0) {
      return new ODataError('RequestTimeout', {
        message: `The body was not received within ${time}.`,
        details,
      })
    }
    const message = `The service could not respond within ${time}.`
    return new ODataError('ServiceUnavailable', { message, details })
  }

  private onStop(error: ODataError): void {
    if (error.details.limit !== undefined) meters.current?.onLimit(error.details.limit)
    if (error.status >= 500 && error.details.limit !== undefined) {
      callOnError(error, this.native, this.origin.settings.onError, this.requestIds)
    } else debugError('%s %s was aborted: %s', this.method, this.relativeUri, error.message)
  }
}

function isWaitingForClient(res: ServerResponse): boolean {
  return res.writableNeedDrain || res.writableEnded || (res.socket?.writableLength ?? 0) > 0
}

/** The length of a chain of causes that is searched. */
const MAX_CAUSE_DEPTH = 10

/** Returns true if an error is the consequence of a client that has disconnected. */
function isCausedByAbort(error: ODataError, res: ServerResponse): boolean {
  if (!isClosed(res) || isComplete(res)) return false
  let { cause } = error
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && typeof cause === 'object' && cause !== null; depth++) {
    // Providers may wrap the error of the signal or of the body.
    if (cause instanceof IncompleteBody || ('name' in cause && cause.name === 'AbortError')) return true
    cause = 'cause' in cause ? cause.cause : undefined
  }
  return false
}
