import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, mapValue } from '../util/promise-or-value.js'
import type { Mutable, ProviderEvent, RequestEvent } from './channels.js'
import { channels, runEnclosed } from './channels.js'

/** The observation of the request that a call belongs to. */
export interface CallingRequest {
  readonly event: RequestEvent
  addRows(count: number): void
  waitingFor<T>(work: () => PromiseOrValue<T>): PromiseOrValue<T>
}

/** A source of chunks. */
export interface Source<Chunk> {
  next(): PromiseOrValue<Chunk | undefined>
  close(): PromiseOrValue<void>
}

/** Measures one call of a provider and publishes its events. */
export class ProviderObservation {
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
export class ObservedSource<Chunk> implements Source<Chunk> {
  private rows = 0

  constructor(
    private readonly source: Source<Chunk>,
    private readonly observation: ProviderObservation,
    private readonly rowsOf: (chunk: Chunk) => number,
  ) {}

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
