import type { BatchLimits } from './batch/batch-part.js'
import type { AccessLimits } from './data/access-limits.js'
import { checkNames, invalid } from './errors/check-option.js'
import type { QueryLimits } from './query/bind-query-options.js'
import type { SearchLimits } from './query/search-settings.js'

/**
 * Limits of the cost of a request. Each can be set on its own.
 *
 * @example
 * const limits: Partial<Limits> = { bodyBytes: 65_536, requestTime: 30_000 }
 * app.use('/shop', odataV2(model, provider, { limits }))
 */
export interface Limits extends QueryLimits, SearchLimits, AccessLimits, BatchLimits {
  /** Characters of the path and query of a request; longer ones receive 414. Default: 8192. */
  readonly url: number
  /** Characters of the path and query of a request within a batch, unless `url` allows more. Default: 65536. */
  readonly batchUrl: number
  /** Segments of a resource path: each may require a read. Default: 100. */
  readonly pathSegments: number
  /** Bytes of a body other than a media resource; larger ones receive 413. Default: 1 MiB (1,048,576). */
  readonly bodyBytes: number
  /** Bytes of an uploaded media resource; larger ones receive 413. Default: 100 MiB (104,857,600). */
  readonly mediaBytes: number
  /** Levels of nested entities in a deep insert. Default: 5. */
  readonly insertDepth: number
  /**
   * Characters of the header `sap-message`; messages beyond it are omitted. Servers and proxies allow about 16,000.
   * Default: 8192.
   */
  readonly messageBytes: number
  /**
   * Milliseconds until the response must begin, including the upload of the body and all requests of a batch, and
   * for which a response that has begun may make no progress. Then the request is aborted, with `call.signal`. 0 is no
   * limit. Default: 120,000.
   */
  readonly requestTime: number
  /**
   * Milliseconds of work on the parts of a batch, without the time in which the client reads. Then the part in progress
   * is aborted, with `call.signal`, and it and the remaining parts receive 503. 0 means no limit. Default: 60,000.
   */
  readonly batchTime: number
}

export const DEFAULT_LIMITS: Limits = {
  url: 8192,
  batchUrl: 65_536,
  pathSegments: 100,
  bodyBytes: 1_048_576,
  mediaBytes: 104_857_600,
  insertDepth: 5,
  messageBytes: 8192,
  requestTime: 120_000,
  batchTime: 60_000,
  batchParts: 100,
  changeSetRequests: 1000,
  batchRequests: 1000,
  batchBytes: 16_777_216,
  expressionDepth: 100,
  expressionNodes: 5000,
  orderByTerms: 20,
  searchLength: 1000,
  searchTerms: 20,
  expandDepth: 5,
  expandPaths: 20,
  top: 2_147_483_647,
  scannedRows: 1_000_000,
  sortedRows: 100_000,
  expandedRows: 100_000,
  exportRows: 1_000_000,
  groups: 100_000,
}

/**
 * Validates the option `limits`, and adds defaults.
 *
 * @throws ConfigurationError for an unknown limit, and for a value that is not a number
 */
export function limitsOf(limits: Partial<Limits> | undefined): Limits {
  if (limits === undefined) return DEFAULT_LIMITS
  if (typeof limits !== 'object' || limits === null)
    throw invalid('limits must be an object such as { url: 4000 }')
  checkNames(limits, Object.keys(DEFAULT_LIMITS), 'a limit', 'limits.')
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value !== undefined && (typeof value !== 'number' || !(value >= 0))) {
      throw invalid(`limits.${name} must be a number that is not negative`)
    }
  }
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  return { ...DEFAULT_LIMITS, ...given }
}
