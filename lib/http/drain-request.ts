import type { IncomingMessage } from 'node:http'

/** Milliseconds for which a client may continue to send after its response. */
const MAX_DRAIN_MS = 3_000

/** Milliseconds without data after which the client is assumed to have stopped. */
const MAX_SILENCE_MS = 1_000

/** Discards the rest of a body, so that the connection can be reused for the next request. */
export function drainRequest(req: IncomingMessage): void {
  const discard = (): void => {
    while (req.read() !== null);
  }
  req.on('readable', discard)
  discard()
}

/**
 * Discards the rest of a body before its connection is closed. Closing while the client is sending resets the connection,
 * and the client loses the response.
 *
 * @returns a promise that resolves when the client has stopped sending, or after a timeout
 * @spec RFC 9112 9.6 (tear-down of connections)
 */
export function drainBeforeClose(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timeout)
      clearTimeout(silence)
      resolve()
    }
    const timeout = setTimeout(end, MAX_DRAIN_MS)
    const silence = setTimeout(end, MAX_SILENCE_MS)
    req.on('readable', () => silence.refresh())
    req.once('end', end).once('close', end)
    drainRequest(req)
  })
}
