import { createHash } from 'node:crypto'
import createDebug from 'debug'
import type { SharedCacheSettings } from '../http/page-cache-options.js'
import type { CachedPage } from './page-cache.js'
import { decodePage, encodePage } from './page-encoding.js'

const debug = createDebug('odata-v2:pages')

/** Milliseconds without requests to a store that has failed; twice as long after each further failure. */
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 8_000
/** Bytes of pages that are being stored. Further pages are not stored meanwhile. */
const MAX_PENDING_BYTES = 33_554_432

/**
 * Finished pages in a store that several processes share. A store that fails or is slow costs only its hits: requests wait
 * for a limited time, and after a failure not at all until the store has responded to a request that nothing waits for.
 */
export class SharedPages {
  private pause = MIN_PAUSE_MS
  /** The time until which the store is not used; 0 while it works. */
  private pausedUntil = 0
  private isProbing = false
  private pendingBytes = 0

  /** @param identity of model, options and product version: the beginning of all keys */
  constructor(
    private readonly settings: SharedCacheSettings,
    private readonly identity: string,
  ) {}

  /** @returns undefined if the store has no such page, or is not to be waited for */
  get(key: string): Promise<CachedPage | undefined> | undefined {
    const hash = this.hashOf(key)
    if (this.pausedUntil === 0) return this.read(hash)
    if (performance.now() >= this.pausedUntil && !this.isProbing) {
      this.isProbing = true
      void this.read(hash).then(() => {
        this.isProbing = false
      })
    }
    return undefined
  }

  /** Stores a page, unless the store has failed or is busy. Does not wait. */
  set(key: string, page: CachedPage): void {
    const { byteLength } = page
    if (this.pausedUntil !== 0 || this.pendingBytes + byteLength > MAX_PENDING_BYTES) return
    this.pendingBytes += byteLength
    void this.within(() =>
      this.settings.store.set(this.hashOf(key), encodePage(page), this.settings.ttl),
    ).then(() => {
      this.pendingBytes -= byteLength
    })
  }

  private async read(hash: string): Promise<CachedPage | undefined> {
    const bytes = await this.within(() => this.settings.store.get(hash))
    return bytes instanceof Uint8Array ? decodePage(bytes) : undefined
  }

  /** Waits for the store for a limited time. @returns undefined after an error or the timeout */
  private within<T>(work: () => PromiseLike<T>): Promise<T | undefined> {
    return new Promise((resolve) => {
      const fail = (error: unknown): void => {
        clearTimeout(timer)
        this.onFailure(error)
        resolve(undefined)
      }
      const timer = setTimeout(() => {
        fail(new Error(`The store did not respond within ${String(this.settings.timeout)} ms.`))
      }, this.settings.timeout)
      timer.unref()
      const start = performance.now()
      const succeed = (result: T): void => {
        clearTimeout(timer)
        if (performance.now() - start <= this.settings.timeout) this.onSuccess()
        resolve(result)
      }
      try {
        work().then(succeed, fail)
      } catch (thrown) {
        fail(thrown)
      }
    })
  }

  private onSuccess(): void {
    this.pause = MIN_PAUSE_MS
    this.pausedUntil = 0
  }

  private onFailure(error: unknown): void {
    debug('the store failed: %O', error)
    const now = performance.now()
    // Requests that were waiting together fail together.
    if (now < this.pausedUntil) return
    this.pausedUntil = now + this.pause
    this.pause = Math.min(2 * this.pause, MAX_PAUSE_MS)
  }

  private hashOf(key: string): string {
    return createHash('sha256').update(this.identity).update(key).digest('base64url')
  }
}
