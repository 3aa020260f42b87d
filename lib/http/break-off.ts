import type { ServerResponse } from 'node:http'
import { http2StreamOf } from './http2-stream.js'

/** INTERNAL_ERROR. @spec RFC 9113 7 */
const internalError = 2

/**
 * Breaks an answer off so that its client sees that it is not complete: the connection is closed, or the stream of
 * HTTP/2, which would look complete when it was just destroyed.
 */
export function breakOff(res: ServerResponse): void {
  const stream = http2StreamOf(res)
  if (stream === undefined) res.destroy()
  else stream.close(internalError)
}
