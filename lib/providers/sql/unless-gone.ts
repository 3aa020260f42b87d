/** Milliseconds between checks whether a session still exists. */
const POLL_INTERVAL_MS = 1000

/** Waits for work on a session. @throws Error when the session has ended */
export function unlessGone<T>(work: PromiseLike<T>, isGone: () => Promise<boolean>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const look = (): void => {
      timer = setTimeout(() => {
        isGone().then(
          (gone) => {
            if (gone) reject(new Error('Connection terminated unexpectedly'))
            else if (timer !== undefined) look()
          },
          // Unknown: the next check may succeed.
          () => timer !== undefined && look(),
        )
      }, POLL_INTERVAL_MS)
      timer.unref()
    }
    look()
    const done = (): void => {
      clearTimeout(timer)
      timer = undefined
    }
    Promise.resolve(work).finally(done).then(resolve, reject)
  })
}
