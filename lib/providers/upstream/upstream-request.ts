import type { ProviderCall } from '../../provider/provider-call.js'

/** A request to an upstream service. */
export interface UpstreamRequest {
  readonly method: string
  /** Relative to the service root, percent-encoded: `Books?$top=5`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  /** The call whose headers, language and signal the request has. Absent for `$metadata`. */
  readonly call?: ProviderCall | undefined
  readonly signal?: AbortSignal | undefined
}

/** A response of an upstream service. Read its body by one of `body` and `text`, or call `discard`. */
export interface UpstreamResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The bytes of a media resource as they arrive, without limit. @throws ODataError if the connection is lost */
  readonly body: AsyncIterable<Uint8Array>
  /** Returns the whole body. @throws ODataError if the connection is lost, or `maxBytes` are exceeded */
  text(): Promise<string>
  /** Ends the response without reading the rest. */
  discard(): void
}
