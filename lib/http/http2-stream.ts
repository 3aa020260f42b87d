import { ServerResponse } from 'node:http'

/** The stream of an answer of HTTP/2. */
export interface Http2Stream {
  readonly destroyed: boolean
  /** Whether the client has left before all was written. The stream, and the answer, may never be closed then. */
  readonly aborted: boolean
  close(code: number): void
  on(event: 'aborted', listener: () => void): unknown
  off(event: 'aborted', listener: () => void): unknown
}

/** @returns undefined for an answer of HTTP/1.1 */
export function http2StreamOf(res: ServerResponse): Http2Stream | undefined {
  return res instanceof ServerResponse ? undefined : (res as { readonly stream?: Http2Stream }).stream
}
