import { ODataError } from '../errors/odata-error.js'

/**
 * Options of {@link Closable.close}.
 *
 * @example
 * const options: CloseOptions = { timeout: 10_000 }
 * await odataV2(model, provider).close(options)
 */
export interface CloseOptions {
  /**
   * Milliseconds until requests in flight are aborted: `call.signal` is aborted, and clients receive 503, or a broken
   * connection if the response has begun. Default: no limit.
   */
  readonly timeout?: number | undefined
}

/**
 * A service that can be shut down gracefully.
 *
 * @example
 * const service: Closable = odataV2(model, provider)
 * process.once('SIGTERM', () => void service.close({ timeout: 10_000 }))
 */
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

/** A request in flight, as the tracker sees it. */
interface InFlight {
  /** Stops the request after too many ticks without progress of its response. */
  checkProgress(tick: number, maxTicks: number, requestTime: number): void
  /** Makes the client use another connection for its next request. */
  closeConnection(): void
  /** Ends the request, with an error response if its response has not begun. */
  stop(error: ODataError): void
}

/** A request times out between ten and eleven ticks after its last progress. */
const TICKS_PER_TIMEOUT = 10
const MIN_TICK_MS = 10
const MAX_TICK_MS = 1_000

/**
 * Tracks the requests of a service that are in flight, for timeouts and for shutdown. One timer counts ticks for all
 * requests: a request needs neither a timer nor the current time.
 */
export class RequestTracker implements Closable {
  /** True if the service is shutting down. */
  isClosing = false
  tick = 0
  private readonly requests = new Set<InFlight>()
  private readonly tickLength: number
  private readonly maxTicks: number
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

  add(request: InFlight): void {
    this.requests.add(request)
    if (this.timer === undefined && this.requestTime > 0) this.schedule()
  }

  remove(request: InFlight): void {
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
      for (const request of [...this.requests]) request.stop(shutdownError())
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

/** Another process is expected to serve by then. */
const RETRY_AFTER_SECONDS = 5

export function shutdownError(): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The service is shutting down. Try again later.',
    details: { retryAfter: RETRY_AFTER_SECONDS },
  })
}
