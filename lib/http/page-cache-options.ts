import { checkNames, invalid } from '../errors/check-option.js'

const DEFAULT_PAGE_CACHE_BYTES = 33_554_432

/** Validates the option `pageCache`, and adds its default. @throws ConfigurationError for an invalid option */
export function pageCacheOf(pageCache: { readonly maxBytes?: number | undefined } = {}): {
  readonly maxBytes: number
} {
  if (typeof pageCache !== 'object' || (pageCache as unknown) === null) {
    throw invalid('pageCache must be an object such as { maxBytes: 16_777_216 }')
  }
  checkNames(pageCache, ['maxBytes'], 'an option', 'pageCache.')
  const { maxBytes = DEFAULT_PAGE_CACHE_BYTES } = pageCache
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw invalid('pageCache.maxBytes must be a whole number of bytes; 0 disables the cache')
  }
  return { maxBytes }
}
