import { checkNames, invalid } from '../errors/check-option.js'
import { fingerprintOf } from '../util/fingerprint.js'
import { isRecord } from '../util/is-record.js'

const DEFAULT_PAGE_CACHE_BYTES = 33_554_432
const DEFAULT_TTL_MS = 600_000
const DEFAULT_TIMEOUT_MS = 50

/**
 * A store of finished pages that several processes share, such as the result of `redisPageStore`.
 *
 * @example
 * const pages = new Map<string, Uint8Array>()
 * const store: PageStore = {
 *   get: async (key) => pages.get(key),
 *   set: async (key, page, ttl) => {
 *     pages.set(key, page)
 *     setTimeout(() => pages.delete(key), ttl).unref()
 *   },
 * }
 */
export interface PageStore {
  /** Returns the bytes of a key, 43 characters of base64url; undefined or null if the key is missing. */
  get(key: string): PromiseLike<Uint8Array | undefined | null>
  /** Stores bytes under a key. @param ttl milliseconds after which they may be removed */
  set(key: string, page: Uint8Array, ttl: number): PromiseLike<unknown>
}

/**
 * The cache of finished pages: feeds, counts, links, and entities with `$expand`.
 *
 * @example
 * const pageCache: PageCacheOptions = { maxBytes: 128 * 1024 * 1024 }
 * app.use('/shop', odataV2(model, provider, { pageCache }))
 */
export interface PageCacheOptions {
  /** Bytes of all cached pages. A page takes at most a quarter; 0 disables the cache. Default: 32 MiB (33,554,432). */
  readonly maxBytes?: number | undefined
  /**
   * A second cache that all processes share. Requires a provider with `shareDataVersion`, such as `sqlProvider` on
   * PostgreSQL with `snapshotVersion`. Default: each process has its own pages only.
   */
  readonly store?: PageStore | undefined
  /** Milliseconds after which the store may remove a page. Default: 600,000. */
  readonly ttl?: number | undefined
  /**
   * Milliseconds that a request waits for the store. After an error or a timeout, no request waits for some seconds.
   * Default: 50.
   */
  readonly timeout?: number | undefined
}

/** Validated options with all defaults. */
export interface PageCacheSettings {
  readonly maxBytes: number
  /** Undefined for a cache of this process only. */
  readonly shared: SharedCacheSettings | undefined
}

export interface SharedCacheSettings {
  readonly store: PageStore
  readonly ttl: number
  readonly timeout: number
  /** A hash of the options of the service that affect pages: processes may run different versions of the application. */
  readonly fingerprint: string
}

/**
 * Validates the option `pageCache`, and adds its defaults.
 *
 * @param options all options of the service
 * @throws ConfigurationError for an invalid option
 */
export function pageCacheOf(options: {
  readonly pageCache?: PageCacheOptions | undefined
}): PageCacheSettings {
  const { pageCache = {} } = options
  if (typeof pageCache !== 'object' || (pageCache as unknown) === null) {
    throw invalid('pageCache must be an object such as { maxBytes: 16_777_216 }')
  }
  checkNames(pageCache, ['maxBytes', 'store', 'ttl', 'timeout'], 'an option', 'pageCache.')
  const {
    maxBytes = DEFAULT_PAGE_CACHE_BYTES,
    store,
    ttl = DEFAULT_TTL_MS,
    timeout = DEFAULT_TIMEOUT_MS,
  } = pageCache
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw invalid('pageCache.maxBytes must be a whole number of bytes; 0 disables the cache')
  }
  for (const [name, value] of Object.entries({ ttl, timeout })) {
    if (!Number.isSafeInteger(value) || value <= 0)
      throw invalid(`pageCache.${name} must be a positive whole number of milliseconds`)
  }
  if (store === undefined) return { maxBytes, shared: undefined }
  if (!isRecord(store) || typeof store.get !== 'function' || typeof store.set !== 'function')
    throw invalid(
      'pageCache.store must be an object with the methods get and set, such as redisPageStore(client)',
    )
  if (maxBytes === 0) throw invalid('pageCache.store has no effect with maxBytes: 0. Remove one of them')
  return { maxBytes, shared: { store, ttl, timeout, fingerprint: fingerprintOf(options, otherOptions) } }
}

/** Options that do not affect the bytes of a page, or may differ between processes. */
const otherOptions: ReadonlySet<string> = new Set(['pageCache', 'csrf', 'context', 'onError', 'limits'])
