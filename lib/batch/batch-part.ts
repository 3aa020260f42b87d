/** One request within a batch, as it was written. Nothing of it has been looked at but its form. */
export interface BatchRequest {
  /** In capitals. */
  readonly method: string
  /** Exactly what stands between the method and the version, still encoded. */
  readonly uri: string
  /** The headers of the request itself, not those of its part; names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Empty when there is none. */
  readonly body: Uint8Array
  /** By which later requests refer to it: of the part, else of the request. */
  readonly contentId: string | undefined
  /** The Content-ID of the part, which its response repeats in the same place. */
  readonly partContentId: string | undefined
}

/**
 * One part of a batch: a request that changes nothing, or a change set, whose requests succeed or fail together.
 *
 * A request that changes something and stands alone is a change set too. `isLone` says so: it is answered with a part
 * of its own rather than with a part that holds parts.
 *
 * @spec MS-ODATA 2.2.7.6.1
 */
export type BatchPart =
  | { readonly kind: 'Request'; readonly request: BatchRequest }
  | { readonly kind: 'ChangeSet'; readonly requests: readonly BatchRequest[]; readonly isLone: boolean }

/** How large a batch may be. */
export interface BatchLimits {
  /** Parts of a batch; a change set is one. Default: 100. */
  readonly batchParts: number
  /** Requests in one change set. Default: 1000. */
  readonly changeSetRequests: number
  /** Requests in all parts of a batch together. Default: 1000. */
  readonly batchRequests: number
  /** Bytes of a whole batch; more of them are answered with 413. Default: 16 MiB (16,777,216). */
  readonly batchBytes: number
}
