import type { ODataError } from '../errors/odata-error.js'
import type { RequestIds } from '../util/request-ids.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** The body of a request, as a stream of chunks. */
export interface RequestBody extends AsyncIterable<Uint8Array> {
  /**
   * Returns the whole body, if it is available or small, which takes less time than an iterator.
   *
   * @param maxBytes maximum length
   * @returns undefined when the body must be read chunk by chunk
   */
  whole?(maxBytes: number): PromiseOrValue<Uint8Array> | undefined
}

/** A request, independent of the server. */
export interface ODataRequest {
  /** In upper case. */
  readonly method: string
  /** Path and query below the service root, as they were sent. */
  readonly relativeUri: string
  /** The complete path and query; undefined for requests in a batch. */
  readonly address?: string | undefined
  /** Absolute URL of the service with a trailing slash, without characters that XML or JSON would escape. */
  readonly serviceRoot: string
  /** Aborted when the client disconnects or the service aborts the request before the response is complete. */
  readonly signal: AbortSignal
  /** True if the request was aborted. Cheaper than `signal`, which is created on first use. */
  readonly isAborted: boolean
  /** The commit, or change without a change set, that is being made: a response before its end could contradict its outcome. */
  pendingChange?: PromiseLike<unknown> | undefined
  /** The batch that contains the request; undefined outside of batches. */
  readonly batch?: ODataRequest | undefined
  /** Undefined without the option `requestIds`. Those of the batch for a request in it that has none. */
  readonly requestIds?: RequestIds | undefined
  /** @param name in lower case */
  header(name: string): string | undefined
  /**
   * Returns the body, which can be read once. Stopping early does not close the connection. Reading fails with BadRequest
   * when the client disconnects.
   */
  body(): RequestBody
  /** Called with errors that are not the client's, for the option `onError`. */
  onFailure(error: ODataError): void
  /** Calls the option `context`. */
  context(): PromiseOrValue<unknown>
}

/**
 * Decodes a `Slug` header: percent-encoded UTF-8. An invalid header is ignored, because it is only a hint.
 *
 * @spec RFC 5023 9.7
 */
export function slugOf(header: string | undefined): string | undefined {
  const text = header?.trim() ?? ''
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
