import { ODataError } from '../errors/odata-error.js'
import { catchValue, mapValue } from '../util/promise-or-value.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { RequestIds } from '../util/request-ids.js'
import type { Mutable, RequestEvent, ProviderEvent } from './channels.js'
import { channels, runEnclosed } from './channels.js'

/** The data of a request before it is parsed. */
interface ObservedRequest {
  readonly serviceRoot: string
  readonly method: string
  readonly relativeUri: string
  readonly requestIds?: RequestIds | undefined
}

/** The target of a request, without values. */
export type TargetDescription = Pick<RequestEvent, 'kind' | 'entitySet' | 'functionImport' | 'operation'>

/**
 * Measures one request and publishes its events. Requests without subscribers have no observation.
 */
export class RequestObservation {
  private readonly begun = performance.now()
  private readonly own: Mutable<RequestEvent>
  private hasEnded = false
  private onEnd: (() => void) | undefined
  /** Calls in progress, so that concurrent calls count once. */
  private waiting = 0
  private waitingSince = 0

  /** True if the response has a `Server-Timing` header. */
  readonly hasServerTiming: boolean

  /**
   * @param batch observes the batch that the request is a part of
   * @param hasServerTiming whether the service sends `Server-Timing` headers
   */
  constructor(
    { serviceRoot, method, relativeUri: target, requestIds }: ObservedRequest,
    batch: RequestObservation | undefined,
    hasServerTiming: boolean,
  ) {
    this.hasServerTiming = hasServerTiming && batch === undefined
    this.own = {
      serviceRoot,
      method,
      target,
      requestIds,
      batch: batch?.event,
      kind: undefined,
      entitySet: undefined,
      functionImport: undefined,
      operation: undefined,
      status: undefined,
      duration: undefined,
      parseDuration: 0,
      authorizeDuration: 0,
      providerDuration: 0,
      rows: 0,
      bytes: undefined,
      error: undefined,
      reason: undefined,
    }
  }

  get event(): RequestEvent {
    return this.own
  }

  /**
   * Publishes the start of the request, and runs it. Publishes the end if it fails or is aborted: its provider may never
   * finish then.
   */
  run<T>(signal: AbortSignal, work: () => PromiseOrValue<T>): PromiseOrValue<T> {
    this.endOnAbort(signal)
    return catchValue(
      () => runEnclosed(this.channels, this.own, work),
      (thrown) => {
        this.ended(500, undefined)
        throw thrown
      },
    )
  }

  /** Records the target of the request after parsing. */
  understood(addressed: TargetDescription): void {
    Object.assign(this.own, addressed)
    this.own.parseDuration = performance.now() - this.begun
  }

  /** Called with errors that are not the client's. */
  onFailure(error: unknown): void {
    this.own.error = error
    this.channels.error.publish(this.own)
  }

  /** Called for errors of the client. */
  refused(reason: string): void {
    this.own.reason = reason
  }

  /** Called when the response is complete. */
  ended(status: number, bytes: number | undefined): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.own.status = status
    this.own.bytes = bytes
    this.own.duration = performance.now() - this.begun
    this.onEnd?.()
    this.channels.end.publish(this.own)
  }

  private endOnAbort(signal: AbortSignal): void {
    const end = (): void => {
      const reason: unknown = signal.reason
      if (reason instanceof ODataError) this.ended(reason.status, undefined)
    }
    if (signal.aborted) {
      end()
      return
    }
    signal.addEventListener('abort', end, { once: true })
    // The parts of a batch share one signal.
    this.onEnd = () => {
      signal.removeEventListener('abort', end)
    }
  }

  /** Measures a call of `authorize`. */
  authorizing<T>(ask: () => PromiseOrValue<T>): PromiseOrValue<T> {
    const start = performance.now()
    const called = (): void => {
      this.own.authorizeDuration += performance.now() - start
    }
    return timed(ask, called)
  }

  /** @param entitySet the set, or the function, that the provider is called for */
  calling(call: string, entitySet: string | undefined): ProviderObservation {
    return new ProviderObservation(this, call, entitySet)
  }

  addRows(count: number): void {
    this.own.rows += count
  }

  /** Measures work that waits for the provider. */
  waitingFor<T>(work: () => PromiseOrValue<T>): PromiseOrValue<T> {
    if (this.waiting++ === 0) this.waitingSince = performance.now()
    return timed(work, () => {
      if (--this.waiting === 0) this.own.providerDuration += performance.now() - this.waitingSince
    })
  }

  /**
   * The header `Server-Timing`: the durations until the response begins, in milliseconds.
   *
   * @spec Server-Timing (W3C)
   */
  get serverTiming(): string {
    const { parseDuration: parse, authorizeDuration: authorize, providerDuration: provider } = this.own
    const total = performance.now() - this.begun
    const write = Math.max(0, total - parse - authorize - provider)
    return Object.entries({ parse, authorize, provider, write, total })
      .map(([name, duration]) => `${name};dur=${duration.toFixed(2)}`)
      .join(', ')
  }

  private get channels(): (typeof channels)['request'] {
    return this.own.batch === undefined ? channels.request : channels.part
  }
}

function timed<T>(work: () => PromiseOrValue<T>, done: () => void): PromiseOrValue<T> {
  return mapValue(
    catchValue(work, (thrown) => {
      done()
      throw thrown
    }),
    (result) => {
      done()
      return result
    },
  )
}

/** The observation of the request that a call belongs to. */
interface CallingRequest {
  readonly event: RequestEvent
  addRows(count: number): void
  waitingFor<T>(work: () => PromiseOrValue<T>): PromiseOrValue<T>
}

/** A source of chunks. */
interface Source<Chunk> {
  readonly length?: number | undefined
  readonly total?: number | undefined
  readonly hasMore?: boolean | undefined
  next(): PromiseOrValue<Chunk | undefined>
  close(): PromiseOrValue<void>
}

/** Measures one call of a provider and publishes its events. */
class ProviderObservation {
  private readonly event: Mutable<ProviderEvent>
  private spent = 0
  private hasEnded = false

  constructor(
    private readonly request: CallingRequest,
    call: string,
    entitySet: string | undefined,
  ) {
    this.event = {
      request: request.event,
      call,
      entitySet,
      duration: undefined,
      rows: undefined,
      error: undefined,
    }
  }

  /**
   * Runs the call.
   *
   * @param rowsOf returns the number of entities of the result; absent for calls that return none
   */
  call<T>(work: () => PromiseOrValue<T>, rowsOf?: (result: T) => number): PromiseOrValue<T> {
    return mapValue(this.begin(work), (result) => {
      this.end(rowsOf?.(result))
      return result
    })
  }

  /**
   * Runs a call that returns rows in chunks. The call ends with the last chunk.
   *
   * @param rowsOf returns the number of entities of a chunk
   */
  source<Chunk, S extends Source<Chunk> | undefined>(
    work: () => PromiseOrValue<S>,
    rowsOf: (chunk: Chunk) => number,
  ): PromiseOrValue<S | ObservedSource<Chunk>> {
    return mapValue(this.begin(work), (source) => {
      if (source !== undefined) return new ObservedSource(source, this, rowsOf)
      this.end(undefined)
      return source
    })
  }

  /** Measures a part of the call. */
  step<T>(work: () => PromiseOrValue<T>): PromiseOrValue<T> {
    const start = performance.now()
    const done = (): void => {
      this.spent += performance.now() - start
    }
    return this.request.waitingFor(() =>
      mapValue(
        catchValue(work, (thrown) => {
          done()
          this.fail(thrown)
          throw thrown
        }),
        (result) => {
          done()
          return result
        },
      ),
    )
  }

  end(rows: number | undefined): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.event.rows = rows
    this.event.duration = this.spent
    if (rows !== undefined) this.request.addRows(rows)
    channels.provider.end.publish(this.event)
  }

  private begin<T>(work: () => PromiseOrValue<T>): PromiseOrValue<T> {
    return runEnclosed(channels.provider, this.event, () => this.step(work))
  }

  private fail(error: unknown): void {
    this.event.error = error
    channels.provider.error.publish(this.event)
    this.end(undefined)
  }
}

/** Counts the rows of chunks. */
class ObservedSource<Chunk> implements Source<Chunk> {
  readonly length: number | undefined
  readonly total: number | undefined
  readonly hasMore: boolean | undefined
  private rows = 0

  constructor(
    private readonly source: Source<Chunk>,
    private readonly observation: ProviderObservation,
    private readonly rowsOf: (chunk: Chunk) => number,
  ) {
    this.length = source.length
    this.total = source.total
    this.hasMore = source.hasMore
  }

  next(): PromiseOrValue<Chunk | undefined> {
    return mapValue(
      this.observation.step(() => this.source.next()),
      (chunk) => {
        if (chunk === undefined) this.observation.end(this.rows)
        else this.rows += this.rowsOf(chunk)
        return chunk
      },
    )
  }

  close(): PromiseOrValue<void> {
    this.observation.end(this.rows)
    return this.source.close()
  }
}
