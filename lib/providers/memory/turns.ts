import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'

/** Those who wait for a change set to end, each taken in the order in which it came. */
export class Turns {
  private readonly waiting = new Set<() => void>()

  /** @param isFree false as long as the next must wait */
  constructor(private readonly isFree: () => boolean) {}

  /**
   * Does something when its turn has come.
   *
   * @throws the reason of the caller's signal when that is aborted first
   */
  wait<T>({ signal }: Pick<ProviderCall, 'signal'>, work: () => PromiseOrValue<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const leave = (): void => {
        this.waiting.delete(turn)
        reject(asError(signal.reason))
      }
      const turn = (): void => {
        signal.removeEventListener('abort', leave)
        try {
          resolve(work())
        } catch (error) {
          reject(asError(error))
        }
      }
      this.waiting.add(turn)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Lets as many go on as can. */
  next(): void {
    for (const turn of this.waiting) {
      if (!this.isFree()) return
      // At once: between the end of its wait and its work nobody may come.
      this.waiting.delete(turn)
      turn()
    }
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
