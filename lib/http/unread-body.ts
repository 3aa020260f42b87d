import type { IncomingMessage } from 'node:http'

/** Milliseconds for which a client may go on sending after its answer. */
const longestRest = 3_000

/** Milliseconds for which it may be silent meanwhile. */
const longestSilence = 1_000

/** Takes what still comes of a body that nobody wants, so that the connection is free for the next request. */
export function discardRest(req: IncomingMessage): void {
  const discard = (): void => {
    while (req.read() !== null);
  }
  req.on('readable', discard)
  discard()
}

/**
 * Takes what still comes before a connection is closed: under a client that is sending it would be reset, and the
 * answer on its way be lost.
 *
 * @returns a promise that resolves when the client has stopped, or has been given time enough to
 * @spec RFC 9112 9.6 (tear-down of connections)
 */
export function restOf(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(rest)
      clearTimeout(silence)
      resolve()
    }
    const rest = setTimeout(end, longestRest)
    const silence = setTimeout(end, longestSilence)
    req.on('readable', () => silence.refresh())
    req.once('end', end).once('close', end)
    discardRest(req)
  })
}
