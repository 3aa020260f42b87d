/** A value that is there already, or will be. Code on hot paths looks which, and only waits when it must. */
export type MaybePromise<T> = T | Promise<T>

/** True for promises of any making. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}

/**
 * Goes on with a value: at once and without a promise when it is there already.
 *
 * @param use what is done with it
 */
export function whenThere<T, R>(
  value: MaybePromise<T> | PromiseLike<T>,
  use: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromiseLike(value) ? Promise.resolve(value as PromiseLike<T>).then(use) : use(value)
}

/**
 * Does work that may fail at once or later.
 *
 * @param recover gives what takes the place of its result, or throws
 */
export function recovered<T>(
  work: () => MaybePromise<T>,
  recover: (thrown: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const made = work()
    return isPromiseLike(made) ? Promise.resolve(made).then(undefined, recover) : made
  } catch (thrown) {
    return recover(thrown)
  }
}
