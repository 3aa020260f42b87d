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
  /**
   * Milliseconds in which new requests are still served, while `health` already responds with 503: the time that proxies
   * need to notice. `timeout` starts afterwards. Default: 0.
   */
  readonly delay?: number | undefined
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
   * @param options `timeout`: milliseconds until requests in flight are aborted; `delay`: milliseconds before new requests
   * are refused. Default: no limit, and no delay
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
  /** True after `close` was called. */
  isDraining = false
  /** True if new requests are refused. */
  isClosing = false
  tick = 0
  private readonly requests = new Set<InFlight>()
  private readonly tickLength: number
  private readonly maxTicks: number
  private timer: NodeJS.Timeout | undefined
  private closed: Promise<void> | undefined
  private onClosed: (() => void) | undefined
  private delayTimer: NodeJS.Timeout | undefined
  private closeTimer: NodeJS.Timeout | undefined

  /** @param requestTime milliseconds until a response begins, and without progress of a response; 0 for no limit */
  constructor(private readonly requestTime: number) {
    this.tickLength = Math.min(MAX_TICK_MS, Math.max(MIN_TICK_MS, requestTime / TICKS_PER_TIMEOUT))
    // The first tick may be shorter than the others.
    this.maxTicks = Math.ceil(requestTime / this.tickLength) + 1
  }

  add(request: InFlight): void {
    this.requests.add(request)
    if (this.isDraining) request.closeConnection()
    if (this.timer === undefined && this.requestTime > 0) this.schedule()
  }

  remove(request: InFlight): void {
    if (this.requests.delete(request) && this.requests.size === 0 && this.isClosing) this.end()
  }

  close({ delay = 0, timeout = Infinity }: CloseOptions = {}): Promise<void> {
    checkTime('timeout', timeout)
    checkTime('delay', delay)
    this.isDraining = true
    this.closed ??= new Promise((resolve) => {
      this.onClosed = resolve
    })
    clearTimeout(this.delayTimer)
    if (this.isClosing || delay === 0) this.refuse(timeout)
    else {
      for (const request of this.requests) request.closeConnection()
      this.delayTimer = setTimeout(() => {
        this.refuse(timeout)
      }, delay)
    }
    return this.closed
  }

  private refuse(timeout: number): void {
    this.isClosing = true
    if (this.requests.size === 0) this.end()
    else {
      for (const request of this.requests) request.closeConnection()
      if (Number.isFinite(timeout)) this.stopAfter(timeout)
    }
  }

  private end(): void {
    clearTimeout(this.closeTimer)
    this.onClosed?.()
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

function checkTime(name: string, value: unknown): void {
  if (typeof value === 'number' && value >= 0) return
  throw new TypeError(`close: ${name} must be a number of milliseconds that is not negative.`)
}

/** Another process is expected to serve by then. */
const RETRY_AFTER_SECONDS = 5

export function shutdownError(): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The service is shutting down. Try again later.',
    details: { retryAfter: RETRY_AFTER_SECONDS },
  })
}
