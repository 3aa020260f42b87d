import type { PartResponse } from '../batch/serialize-batch.js'
import { ODataError } from '../errors/odata-error.js'
import { isChunkSource } from '../http/odata-response.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'

/** The longest time of a timer of Node. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Measures the work on the parts of a batch, which run one after the other, and aborts it after `limits.batchTime`. */
export class BatchWork {
  /** Milliseconds. */
  private elapsed = 0
  private controller: AbortController | undefined
  /** The error of the part that was running when the time was over. */
  timeout: ODataError | undefined

  /** @param limit milliseconds; 0 for no limit */
  constructor(
    private readonly request: ODataRequest,
    private readonly limit: number,
  ) {}

  /** The signal of the parts. Created on first access. */
  get signal(): AbortSignal {
    const { limit, request } = this
    if (limit === 0) return request.signal
    if (this.controller === undefined) {
      const controller = new AbortController()
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

  /** True if no further part may start. */
  get isOver(): boolean {
    return this.limit > 0 && this.elapsed > this.limit
  }

  /** Measures the work on a part since `start`. Aborts {@link signal} when the time is over meanwhile. */
  measure<T>(start: number, responding: PromiseOrValue<T>): PromiseOrValue<T> {
    if (!isPromiseLike(responding)) {
      this.elapsed += performance.now() - start
      return responding
    }
    const { limit } = this
    const timer =
      limit === 0 ? undefined : setTimeout(this.abort, Math.min(limit - this.elapsed, MAX_TIMER_MS))
    return responding.finally(() => {
      clearTimeout(timer)
      this.elapsed += performance.now() - start
    })
  }

  /** Measures the work on a body that is streamed. It is not aborted: the client has received its start. */
  stream(response: PartResponse): PartResponse {
    const { body } = response
    if (body === undefined || !isChunkSource(body)) return response
    const next = async (): Promise<string | Uint8Array | undefined> => {
      const start = performance.now()
      try {
        return await body.next()
      } finally {
        this.elapsed += performance.now() - start
      }
    }
    return { ...response, body: { kind: 'ChunkSource', next, close: () => body.close() } }
  }

  createTimeout(): ODataError {
    return new ODataError('ServiceUnavailable', {
      message: `The requests of this batch took more than ${String(this.limit / 1000)} seconds. Send fewer requests in a batch.`,
      details: { limit: 'batchTime' },
    })
  }

  private readonly abort = (): void => {
    this.timeout = this.createTimeout()
    this.controller?.abort(this.timeout)
  }
}
