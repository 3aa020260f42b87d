import type { MaybePromise } from '../util/maybe-promise.js'

/** A request as the service sees it, whatever server it came through. */
export interface ODataRequest {
  /** In capitals. */
  readonly method: string
  /** Path and query below the service root, exactly as they were sent. */
  readonly target: string
  /** Absolute address of the service with a slash at the end, safe to stand in XML and JSON. */
  readonly serviceRoot: string
  /** Aborted when the client has gone away before the answer was complete. */
  readonly signal: AbortSignal
  /** @param name in lower case */
  header(name: string): string | undefined
  /**
   * The bytes of the body, which can be read once. To leave them before their end closes nothing; they end with
   * BadRequest when the client goes away.
   */
  body(): AsyncIterable<Uint8Array>
  /** What the application knows of the caller. */
  context(): MaybePromise<unknown>
}
