import { nextTurn } from './next-turn.js'

/** Milliseconds for which nothing else gets a turn. */
const length = 4
/** Steps that are taken at most before the clock is looked at: looking costs as much as a cheap step or two. */
const mostSteps = 64
/** Milliseconds between two looks that are close enough. */
const closeLooks = 1

/**
 * Divides long work by the clock, so that the event loop is never held for long, however much one step costs.
 *
 * @example
 * while (index < rows.length) {
 *   const end = Math.min(rows.length, index + slice.steps)
 *   for (; index < end; index++) work(rows[index])
 *   if (slice.isOver()) await slice.pause()
 * }
 */
export class TimeSlice {
  /** How many steps may be taken before {@link isOver} is asked: fewer where a step takes long. */
  steps = 1
  private looked = performance.now()
  private end = this.looked + length

  /** @param call whose signal ends the work at a pause; absent for work that several callers share */
  constructor(private readonly call?: { readonly signal: AbortSignal }) {}

  /** True when others should get a turn. */
  isOver(): boolean {
    const now = performance.now()
    if (now - this.looked > closeLooks) this.steps = Math.max(1, this.steps >> 2)
    else if (this.steps < mostSteps) this.steps <<= 1
    this.looked = now
    return now >= this.end
  }

  /**
   * Yields to the event loop.
   *
   * @throws the reason of the signal when it is aborted
   */
  async pause(): Promise<void> {
    await nextTurn()
    this.call?.signal.throwIfAborted()
    this.restart()
  }

  /** To be called when the work has waited for something else. */
  restart(): void {
    this.looked = performance.now()
    this.end = this.looked + length
  }
}
