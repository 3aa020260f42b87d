/** How a service is stopped. */
export interface CloseOptions {
  /**
   * Milliseconds that requests in flight may still take. Then they are given up: `call.signal` is aborted, and their
   * clients get 503, or a broken connection where the answer has begun. Default: as long as they need.
   */
  readonly timeout?: number | undefined
}

/** What can be stopped without losing a request. */
export interface Closable {
  /**
   * Stops the service: requests in flight come to their end, all others are answered with 503, `Retry-After` and
   * `Connection: close`. What the service is mounted in goes on, and so does its provider: close them afterwards.
   *
   * @param options `timeout`: how many milliseconds requests in flight may take; without it, as long as they need
   * @returns a promise that resolves when the last answer has gone out; the same one for every call
   * @example
   * const shop = odataV2(model, provider)
   * process.once('SIGTERM', async () => {
   *   server.close()
   *   await shop.close({ timeout: 10_000 })
   * })
   */
  close(options?: CloseOptions): Promise<void>
}

/** A request in flight, as far as it has to be watched. */
export interface Watched {
  /** The tick in which it came, or in which its answer last made progress. */
  since: number
  /** Whether more of the answer has gone out since this was asked. */
  hasProgressed(): boolean
  /** The client is to take its next request elsewhere. */
  isLast(): void
  /** Its time is over, of so many milliseconds. */
  expire(requestTime: number): void
  /** The service stops, and has waited long enough. */
  stop(): void
}

/** Time is looked at so often while a request may take, but not more often than each hundredth of a second. */
const looks = 10
const shortestTick = 10
const longestTick = 1_000

/**
 * The requests of a service that are in flight. One timer for all of them counts ticks while there are any: a request
 * costs no timer and no look at the clock. A process that is busy counts late, so that nobody has to pay for that.
 */
export class RunningRequests implements Closable {
  private readonly running = new Set<Watched>()
  private readonly tickLength: number
  /** The ticks that a request may take. The first may be cut short. */
  private readonly longest: number
  private tick = 0
  private timer: NodeJS.Timeout | undefined
  private closed: Promise<void> | undefined
  private whenEmpty: (() => void) | undefined
  private closeTimer: NodeJS.Timeout | undefined

  /** @param requestTime milliseconds until an answer begins, and for which it may make no progress; 0 for no limit */
  constructor(private readonly requestTime: number) {
    this.tickLength = Math.min(longestTick, Math.max(shortestTick, requestTime / looks))
    this.longest = Math.ceil(requestTime / this.tickLength) + 1
  }

  /** Whether nothing new is taken on. */
  get isClosing(): boolean {
    return this.closed !== undefined
  }

  add(request: Watched): void {
    request.since = this.tick
    this.running.add(request)
    if (this.timer === undefined && this.requestTime > 0) this.schedule()
  }

  remove(request: Watched): void {
    if (!this.running.delete(request)) return
    if (this.running.size === 0) this.whenEmpty?.()
  }

  close({ timeout }: CloseOptions = {}): Promise<void> {
    if (timeout !== undefined && (typeof timeout !== 'number' || !(timeout >= 0))) {
      throw new TypeError('close: timeout must be a number of milliseconds that is not negative.')
    }
    this.closed ??= this.drained()
    if (timeout !== undefined && Number.isFinite(timeout) && this.running.size > 0) this.endIn(timeout)
    return this.closed
  }

  private drained(): Promise<void> {
    if (this.running.size === 0) return Promise.resolve()
    for (const request of this.running) request.isLast()
    return new Promise((resolve) => {
      this.whenEmpty = () => {
        clearTimeout(this.closeTimer)
        resolve()
      }
    })
  }

  private endIn(timeout: number): void {
    clearTimeout(this.closeTimer)
    this.closeTimer = setTimeout(() => {
      for (const request of [...this.running]) request.stop()
    }, timeout)
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.look()
      if (this.running.size > 0) this.schedule()
      else this.timer = undefined
    }, this.tickLength)
    this.timer.unref()
  }

  private look(): void {
    this.tick++
    for (const request of this.running) {
      if (request.hasProgressed()) request.since = this.tick
      else if (this.tick - request.since >= this.longest) request.expire(this.requestTime)
    }
  }
}
