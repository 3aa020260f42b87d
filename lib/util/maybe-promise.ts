/** A value that is there already, or will be. Code on hot paths looks which, and only waits when it must. */
export type MaybePromise<T> = T | Promise<T>

/** True for promises of any making. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}
