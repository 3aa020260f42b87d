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
