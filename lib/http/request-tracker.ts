import type { IncomingMessage, ServerResponse } from 'node:http'
import createDebug from 'debug'
import { ODataError } from '../errors/odata-error.js'
import { errorResponse } from './error-response.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { closeBody } from './odata-response.js'
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

/** Options of {@link Closable.close}. */
export interface CloseOptions {
  /**
   * Milliseconds until requests in flight are aborted: `call.signal` is aborted, and clients receive 503, or a broken
   * connection if the response has begun. Default: no limit.
   */
  readonly timeout?: number | undefined
}

/** A service that can be shut down gracefully. */
export interface Closable {
  /**
   * Stops the service: requests in flight are completed, new ones receive 503 with `Retry-After` and
   * `Connection: close`. The HTTP server and the provider stay open: close them afterwards.
   *
   * @param options `timeout`: milliseconds until requests in flight are aborted. Default: no limit
   * @returns a promise that resolves when the last response was sent; the same promise for every call
   * @example
   * const shop = odataV2(model, provider)
   * process.once('SIGTERM', async () => {
   *   server.close()
   *   await shop.close({ timeout: 10_000 })
   * })
   */
  close(options?: CloseOptions): Promise<void>
}

/** A request that can be aborted by the service. */
export interface AbortableRequest extends ODataRequest {
  readonly native: IncomingMessage
  /** True if the body was read in part. */
  readonly isBodyPartlyRead: boolean
  /** Aborts the signal of the request, and fails the reading of its body. */
  abort(reason: ODataError): void
}

/** A request times out between ten and eleven ticks after its last progress. */
const TICKS_PER_TIMEOUT = 10
const MIN_TICK_MS = 10
const MAX_TICK_MS = 1_000
/** A pending change has this long after an abort to roll back, or to commit: the response reports which. */
const PENDING_CHANGE_MS = 1_000

/**
 * Tracks the requests of a service that are in flight, for timeouts and for shutdown. One timer counts ticks for all
 * requests: a request needs neither a timer nor the current time.
 */
export class RequestTracker implements Closable {
  /** True if the service is shutting down. */
  isClosing = false
  private readonly requests = new Set<TrackedRequest>()
  private readonly tickLength: number
  private readonly maxTicks: number
  private tick = 0
  private timer: NodeJS.Timeout | undefined
  private closed: Promise<void> | undefined
  private onEmpty: (() => void) | undefined
  private closeTimer: NodeJS.Timeout | undefined

  /** @param requestTime milliseconds until a response begins, and without progress of a response; 0 for no limit */
  constructor(private readonly requestTime: number) {
    this.tickLength = Math.min(MAX_TICK_MS, Math.max(MIN_TICK_MS, requestTime / TICKS_PER_TIMEOUT))
    // The first tick may be shorter than the others.
    this.maxTicks = Math.ceil(requestTime / this.tickLength) + 1
  }

  /** @param onFailure called with errors that are not the client's */
  track(
    request: AbortableRequest,
    res: ServerResponse,
    onFailure: (error: ODataError) => void,
  ): TrackedRequest {
    const tracked = new TrackedRequest(request, res, this, onFailure, this.tick)
    this.requests.add(tracked)
    if (this.timer === undefined && this.requestTime > 0) this.schedule()
    return tracked
  }

  remove(request: TrackedRequest): void {
    if (this.requests.delete(request) && this.requests.size === 0) this.onEmpty?.()
  }

  close({ timeout }: CloseOptions = {}): Promise<void> {
    if (timeout !== undefined && (typeof timeout !== 'number' || !(timeout >= 0))) {
      throw new TypeError('close: timeout must be a number of milliseconds that is not negative.')
    }
    this.isClosing = true
    this.closed ??= this.drain()
    if (timeout !== undefined && Number.isFinite(timeout) && this.requests.size > 0) this.stopAfter(timeout)
    return this.closed
  }

  private drain(): Promise<void> {
    if (this.requests.size === 0) return Promise.resolve()
    for (const request of this.requests) request.closeConnection()
    return new Promise((resolve) => {
      this.onEmpty = () => {
        clearTimeout(this.closeTimer)
        resolve()
      }
    })
  }

  private stopAfter(timeout: number): void {
    clearTimeout(this.closeTimer)
    this.closeTimer = setTimeout(() => {
      for (const request of [...this.requests]) request.abort(shutdownError())
    }, timeout)
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.tick++
      for (const request of this.requests) request.checkProgress(this.tick, this.maxTicks, this.requestTime)
      if (this.requests.size > 0) this.schedule()
      else this.timer = undefined
    }, this.tickLength)
    this.timer.unref()
  }
}

/** One request in flight, until its response was sent or its connection was closed. */
export class TrackedRequest {
  /** The response that is being sent. */
  response: ODataResponse | undefined
  /** True if the service itself aborted the request and sends the error response. */
  isAborted = false
  private progress: string | undefined
  /** Set while an aborted request waits for its pending change. */
  private graceTimer: NodeJS.Timeout | undefined

  /** @param lastTick the tick of the last progress */
  constructor(
    private readonly request: AbortableRequest,
    private readonly res: ServerResponse,
    private readonly tracker: RequestTracker,
    private readonly onFailure: (error: ODataError) => void,
    private lastTick: number,
  ) {}

  /** Aborts the request after too many ticks without progress of its response. */
  checkProgress(tick: number, maxTicks: number, requestTime: number): void {
    const progress = this.res.headersSent ? progressOf(this.res) : undefined
    if (progress !== this.progress) {
      this.progress = progress
      this.lastTick = tick
    } else if (tick - this.lastTick >= maxTicks) this.abort(this.timeoutError(requestTime))
  }

  /** Makes the client use another connection for its next request. */
  closeConnection(): void {
    const { res } = this
    if (!res.headersSent && !isHttp2(this.request.native)) res.setHeader('Connection', 'close')
  }

  /**
   * Aborts the request, with an error response if the response has not begun. A pending change is cancelled, and the
   * request responds with its outcome: an error response now would be wrong if the database commits first.
   */
  abort(error: ODataError): void {
    const { request, res } = this
    if (this.graceTimer !== undefined) return
    if (request.pendingChange !== undefined && !res.headersSent) {
      request.abort(error)
      this.graceTimer = setTimeout(() => {
        this.abortNow(error)
      }, PENDING_CHANGE_MS)
      return
    }
    this.abortNow(error)
  }

  private abortNow(error: ODataError): void {
    const { request, res } = this
    const isFirst = !this.isAborted
    this.isAborted = true
    const hasStarted = res.headersSent || isClosed(res)
    // A client that does not read its response is not a failure of the service.
    if (isFirst && !isClosed(res) && !(hasStarted && isWaitingForClient(res))) this.report(error)
    request.abort(error)
    this.closeBody()
    if (hasStarted || !isFirst) {
      abortResponse(res)
      this.tracker.remove(this)
      return
    }
    Promise.resolve(sendResponse(res, this.errorResponse(error), request.method === 'HEAD'))
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

  private timeoutError(requestTime: number): ODataError {
    const { isBodyPartlyRead, native } = this.request
    const details = { limit: 'requestTime' }
    const time = `${String(requestTime / 1000)} seconds`
    // With bytes in the buffer the provider is slow, not the client.
    if (isBodyPartlyRead && native.readableLength === 0) {
      return new ODataError('RequestTimeout', {
        message: `The body was not received within ${time}.`,
        details,
      })
    }
    const message = `The service could not respond within ${time}.`
    return new ODataError('ServiceUnavailable', { message, details })
  }

  private report(error: ODataError): void {
    if (error.status >= 500 && error.details.limit !== undefined) this.onFailure(error)
    else debugError('%s %s was aborted: %s', this.request.method, this.request.target, error.message)
  }

  private errorResponse(error: ODataError): ODataResponse {
    const { native } = this.request
    const response = errorResponse(error, this.request)
    // The rest of the body is not read.
    return native.complete && !this.tracker.isClosing ? response : withConnectionClose(response, native)
  }
}

/** Responds to a request that is received during shutdown. */
export function shutdownResponse(request: AbortableRequest): ODataResponse {
  return withConnectionClose(errorResponse(shutdownError(), request), request.native)
}

/** Another process is expected to serve by then. */
const RETRY_AFTER_SECONDS = 5

function shutdownError(): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The service is shutting down. Try again later.',
    details: { retryAfter: RETRY_AFTER_SECONDS },
  })
}

function withConnectionClose(response: ODataResponse, native: IncomingMessage): ODataResponse {
  if (isHttp2(native)) return response
  return { ...response, headers: { ...response.headers, Connection: 'close' } }
}

function isWaitingForClient(res: ServerResponse): boolean {
  return res.writableNeedDrain || res.writableEnded || (res.socket?.writableLength ?? 0) > 0
}
