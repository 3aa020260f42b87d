/** A request as a transport sends it. */
export interface SentRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  readonly signal?: AbortSignal | undefined
}

/** A response whose headers have arrived. */
export interface ReceivedResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array>
  /** Passes on all chunks, without backpressure. Use it instead of `body`. @throws Error of the function, and as `body` */
  readonly read: (onChunk: (chunk: Uint8Array) => void) => Promise<void>
  /** Ends the response without reading the rest. Can be called more than once. */
  readonly discard: () => void
}

/** Sends single requests: no retries, no redirects. */
export interface UpstreamTransport {
  /**
   * Sends a request, and returns when the headers of the response have arrived.
   *
   * @throws ODataError if there is no response, the reason of the signal after an abort
   */
  send(url: URL, request: SentRequest): Promise<ReceivedResponse>
  /** Closes idle connections. */
  close(): void
}
