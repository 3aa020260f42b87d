import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, mapValue } from '../util/promise-or-value.js'
import type { Mutable, ProviderEvent, RequestEvent } from './channels.js'
import { channels, runEnclosed } from './channels.js'

/** What a call needs of what follows its request. */
export interface CallingRequest {
  readonly event: RequestEvent
  addRows(count: number): void
  waitingFor<T>(work: () => PromiseOrValue<T>): PromiseOrValue<T>
}

/** What gives something piece by piece. */
export interface Source<Piece> {
  next(): PromiseOrValue<Piece | undefined>
  close(): PromiseOrValue<void>
}

/** Follows one call of a provider. */
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
   * Makes the call.
   *
   * @param rowsOf how many entities it has given; undefined where it gives none
   */
  call<T>(work: () => PromiseOrValue<T>, rowsOf?: (result: T) => number): PromiseOrValue<T> {
    return mapValue(this.begin(work), (result) => {
      this.end(rowsOf?.(result))
      return result
    })
  }

  /**
   * Makes a call that gives rows over time; it is at its end when they are.
   *
   * @param rowsOf how many entities are in a piece
   */
  source<Piece, S extends Source<Piece> | undefined>(
    work: () => PromiseOrValue<S>,
    rowsOf: (piece: Piece) => number,
  ): PromiseOrValue<S | ObservedSource<Piece>> {
    return mapValue(this.begin(work), (source) => {
      if (source !== undefined) return new ObservedSource(source, this, rowsOf)
      this.end(undefined)
      return source
    })
  }

  /** Does a part of the call. */
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

/** Counts what comes, piece by piece. */
export class ObservedSource<Piece> implements Source<Piece> {
  private rows = 0

  constructor(
    private readonly source: Source<Piece>,
    private readonly observation: ProviderObservation,
    private readonly rowsOf: (piece: Piece) => number,
  ) {}

  next(): PromiseOrValue<Piece | undefined> {
    return mapValue(
      this.observation.step(() => this.source.next()),
      (piece) => {
        if (piece === undefined) this.observation.end(this.rows)
        else this.rows += this.rowsOf(piece)
        return piece
      },
    )
  }

  close(): PromiseOrValue<void> {
    this.observation.end(this.rows)
    return this.source.close()
  }
}
