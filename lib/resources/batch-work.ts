import { setMaxListeners } from 'node:events'
import type { PartResponse } from '../batch/serialize-batch.js'
import { ODataError } from '../errors/odata-error.js'
import { isChunkSource } from '../http/odata-response.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'

/** The longest time of a timer of Node. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Measures the work on the parts of a batch, and aborts it after `limits.batchTime`. Concurrent work counts once. */
export class BatchWork {
  /** Milliseconds. */
  private elapsed = 0
  /** The number of parts that are being worked on. */
  private running = 0
  private start = 0
  private timer: NodeJS.Timeout | undefined
  private isStreaming = false
  private controller: AbortController | undefined
  /** The error of the parts that were running when the time was over. */
  timeout: ODataError | undefined

  /** @param limit milliseconds; 0 for no limit */
  constructor(
    private readonly request: ODataRequest,
    private readonly limit: number,
  ) {}

  /** The signal of the parts. Created on first access. */
  get signal(): AbortSignal {
    const { limit, request } = this
    if (limit === 0) return withManyListeners(request.signal)
    if (this.controller === undefined) {
      const controller = new AbortController()
      withManyListeners(controller.signal)
      const { signal } = request
      const abort = (): void => controller.abort(signal.reason)
      if (this.timeout !== undefined) controller.abort(this.timeout)
      else if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
      this.controller = controller
    }
    return this.controller.signal
  }

  get isAborted(): boolean {
    return this.timeout !== undefined || this.request.isAborted
  }

  /** Throws the reason of {@link signal} if it is aborted. Does not create it. */
  throwIfAborted(): void {
    if (this.isAborted) this.signal.throwIfAborted()
  }

  /** True if no further part may start. */
  get isOver(): boolean {
    // Timers can fire a fraction of a millisecond early.
    return this.timeout !== undefined || (this.limit > 0 && this.elapsed > this.limit)
  }

  /** Measures the work on a part since `start`. Aborts {@link signal} when the time is over meanwhile. */
  measure<T>(start: number, responding: PromiseOrValue<T>): PromiseOrValue<T> {
    if (!isPromiseLike(responding)) {
      if (this.running === 0) this.elapsed += performance.now() - start
      return responding
    }
    this.begin(true, start)
    return responding.finally(() => {
      this.end()
    })
  }

  /** Measures the work on a body that is streamed. It is not aborted: the client has received its start. */
  stream(response: PartResponse): PartResponse {
    const { body } = response
    if (body === undefined || !isChunkSource(body)) return response
    this.isStreaming = true
    const close = (): PromiseOrValue<void> => {
      this.isStreaming = false
      return body.close()
    }
    const next = async (): Promise<string | Uint8Array | undefined> => {
      this.begin(false)
      try {
        return await body.next()
      } finally {
        this.end()
      }
    }
    return { ...response, body: { kind: 'ChunkSource', next, close } }
  }

  /** Waits within the work on a part, for a time that does not count. */
  async pause(waiting: Promise<void>): Promise<void> {
    this.end()
    await waiting
    this.begin(true)
  }

  private begin(canAbort: boolean, start = performance.now()): void {
    const { elapsed, limit } = this
    if (this.running++ === 0) this.start = start
    if (canAbort && limit > 0) this.timer ??= setTimeout(this.abort, Math.min(limit - elapsed, MAX_TIMER_MS))
  }

  private end(): void {
    if (--this.running > 0) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.elapsed += performance.now() - this.start
  }

  createTimeout(): ODataError {
    return new ODataError('ServiceUnavailable', {
      message: `The requests of this batch took more than ${String(this.limit / 1000)} seconds. Send fewer requests in a batch.`,
      details: { limit: 'batchTime' },
    })
  }

  private readonly abort = (): void => {
    // The parts that are running complete, and those that have not started are refused.
    if (this.isStreaming) return
    this.timeout = this.createTimeout()
    this.controller?.abort(this.timeout)
  }
}

/** Allows that many parts wait for a signal at the same time. */
function withManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
