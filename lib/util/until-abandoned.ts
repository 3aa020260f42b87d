/** Milliseconds for which work may go on when nobody waits for it any more: most of it ends by itself. */
const grace = 1_000

/**
 * Waits for work as long as anybody waits for its result. What it comes to later, if ever, is nobody's concern.
 *
 * @param signal aborted when nobody waits any more
 * @throws the reason of the signal, when the work goes on regardless
 */
export function untilAbandoned<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      timer = setTimeout(() => {
        reject(signal.reason as Error)
      }, grace)
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
