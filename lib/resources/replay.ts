import { setTimeout as delay } from 'node:timers/promises'
import { isRetryable } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** How often changes are made again that the provider asks to be made again. */
const replays = 3

/** Milliseconds to wait at most before the first replay; before each further one it is three times as long. */
const firstPause = 20

/**
 * Makes changes, and makes them again when the provider says that others were in the way.
 *
 * @param attempt makes all changes from the start; whatever it did has been taken back when it throws
 * @param signal aborted when nobody waits for the changes any more
 * @throws what the last attempt threw
 */
export async function withReplays<T>(attempt: () => PromiseOrValue<T>, signal: AbortSignal): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count === replays || !isRetryable(error) || signal.aborted) throw error
      // By chance, so that two that were in each other's way do not meet again.
      await delay(Math.random() * firstPause * 3 ** count)
    }
  }
}
