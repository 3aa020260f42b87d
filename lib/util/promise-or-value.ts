/** A value that is available now or later. Code on hot paths distinguishes them, and waits only for promises. */
export type PromiseOrValue<T> = T | Promise<T>

/** Returns true for promises of any implementation. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Calls `use` with a value: synchronously, or when the promise of the value has been fulfilled. */
export function mapValue<T, R>(
  value: PromiseOrValue<T> | PromiseLike<T>,
  use: (value: T) => PromiseOrValue<R>,
): PromiseOrValue<R> {
  return isPromiseLike(value) ? Promise.resolve(value as PromiseLike<T>).then(use) : use(value)
}

/** Calls `use` with one item after the other, and waits only for the promises that it returns. */
export function forEachValue<T>(
  items: readonly T[],
  use: (item: T) => PromiseOrValue<unknown>,
  start = 0,
): PromiseOrValue<undefined> {
  for (let index = start; index < items.length; index++) {
    const result = use(items[index] as T)
    if (isPromiseLike(result)) return Promise.resolve(result).then(() => forEachValue(items, use, index + 1))
  }
  return undefined
}

/**
 * Handles the error of work that is synchronous or asynchronous.
 *
 * @param recover returns a replacement for the result, or throws
 */
export function catchValue<T>(
  work: () => PromiseOrValue<T>,
  recover: (thrown: unknown) => PromiseOrValue<T>,
): PromiseOrValue<T> {
  try {
    const result = work()
    return isPromiseLike(result) ? Promise.resolve(result).then(undefined, recover) : result
  } catch (thrown) {
    return recover(thrown)
  }
}

/** Work may still finish this long after an abort, as most work does. */
const GRACE_PERIOD_MS = 1_000

/**
 * Waits for work until its signal has been aborted for a grace period. A later result or error is ignored.
 *
 * @throws the reason of the signal if the work does not end within the grace period
 */
export function waitOrAbort<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      timer = setTimeout(() => {
        reject(signal.reason as Error)
      }, GRACE_PERIOD_MS)
      timer.unref()
    }
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    Promise.resolve(work).finally(done).then(resolve, reject)
  })
}
