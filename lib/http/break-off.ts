import { ServerResponse } from 'node:http'

/** INTERNAL_ERROR. @spec RFC 9113 7 */
const internalError = 2

/**
 * Breaks an answer off so that its client sees that it is not complete: the connection is closed, or the stream of
 * HTTP/2, which would look complete when it was just destroyed.
 */
export function breakOff(res: ServerResponse): void {
  const { stream } = res as { readonly stream?: unknown }
  if (!(res instanceof ServerResponse) && isClosable(stream)) stream.close(internalError)
  else res.destroy()
}

function isClosable(stream: unknown): stream is { close(code: number): void } {
  return (
    typeof stream === 'object' && stream !== null && 'close' in stream && typeof stream.close === 'function'
  )
}
