import type { PromiseOrValue } from './promise-or-value.js'

/** Maximum time for which work blocks the event loop. */
const SLICE_MS = 4
/** Maximum number of steps between two reads of the clock: a read costs as much as one or two cheap steps. */
const MAX_STEPS = 64
/** The desired time between two reads of the clock. */
const CLOCK_INTERVAL_MS = 1

/**
 * Divides long work by time, so that it never blocks the event loop for long, however expensive one step is.
 *
 * @example
 * const slice = new TimeSlice()
 * for (let index = 0; index < rows.length; ) {
 *   const end = Math.min(rows.length, index + slice.steps)
 *   for (; index < end; index++) work(rows[index])
 *   if (slice.shouldYield()) await slice.yield()
 * }
 */
export class TimeSlice {
  /** The number of steps until the next call of {@link shouldYield}: fewer for expensive steps. */
  steps = 1
  private checked = performance.now()
  private end = this.checked + SLICE_MS

  /** @param call has the signal that aborts the work; absent for work that several callers share */
  constructor(private readonly call?: { readonly signal: AbortSignal }) {}

  /** Returns true when the slice has been used up. */
  shouldYield(): boolean {
    const now = performance.now()
    if (now - this.checked > CLOCK_INTERVAL_MS) this.steps = Math.max(1, this.steps >> 2)
    else if (this.steps < MAX_STEPS) this.steps <<= 1
    this.checked = now
    return now >= this.end
  }

  /**
   * Yields to the event loop and starts the next slice.
   *
   * @throws the reason of the signal when it is aborted
   */
  async yield(): Promise<void> {
    await yieldToEventLoop()
    this.call?.signal.throwIfAborted()
    this.restart()
  }

  /** Starts a new slice, after the work has waited for something else. */
  restart(): void {
    this.checked = performance.now()
    this.end = this.checked + SLICE_MS
  }
}

/** Concatenates strings in UTF-8, and yields to the event loop in between if they take long to create. */
export function encodeInSlices(parts: Iterator<string, undefined>): PromiseOrValue<Buffer> {
  const slice = new TimeSlice()
  const chunks: Buffer[] = []
  const proceed = (): PromiseOrValue<Buffer> => {
    for (let part = parts.next(); part.done !== true; part = parts.next()) {
      chunks.push(Buffer.from(part.value))
      if (slice.shouldYield()) return slice.yield().then(proceed)
    }
    return Buffer.concat(chunks)
  }
  return proceed()
}

/**
 * Yields to the event loop. If the caller runs in a network callback, timers run after it continues: timers wait up to
 * twice as long as the work between two calls.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
