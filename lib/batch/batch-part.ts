/** A request of a batch. Only its syntax was checked. */
export interface BatchRequest {
  /** In upper case. */
  readonly method: string
  /** The request target between method and version, still encoded. */
  readonly uri: string
  /** The headers of the request, without those of its part; names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Empty for a request without body. */
  readonly body: Uint8Array
  /** The Content-ID of the part, or else of the request; later requests refer to it. */
  readonly contentId: string | undefined
  /** The Content-ID of the part, which the part of the response repeats. */
  readonly partContentId: string | undefined
}

/**
 * One part of a batch: a read request, or a change set, whose requests succeed or fail together.
 *
 * A write request outside of change sets is a change set of its own, with `isLone`: its response is not nested in a
 * multipart.
 *
 * @spec MS-ODATA 2.2.7.6.1
 */
export type BatchPart =
  | { readonly kind: 'Request'; readonly request: BatchRequest }
  | { readonly kind: 'ChangeSet'; readonly requests: readonly BatchRequest[]; readonly isLone: boolean }

/** Size limits of batches. */
export interface BatchLimits {
  /** Parts of a batch; a change set counts as one. Default: 100. */
  readonly batchParts: number
  /** Requests in one change set. Default: 1000. */
  readonly changeSetRequests: number
  /** Requests of all parts of a batch. Default: 1000. */
  readonly batchRequests: number
  /** Bytes of a batch; larger batches receive 413. Default: 16 MiB (16,777,216). */
  readonly batchBytes: number
}
