import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Nobody has so many questions before the first answer. Each request that waits takes memory. */
const mostWaiting = 1000

const waiting = new WeakMap<Socket, number>()

/**
 * The turn of a request among those that its client sent at once. Node hands all of them over as they come, but an
 * answer has the connection only when those before it are complete, and only then is it told when the client leaves:
 * whatever is opened for it earlier may never be closed.
 *
 * @returns undefined when it may be answered now; a promise that never settles when the client leaves before, or when
 * the connection has been closed for sending
 * @spec RFC 9112 9.3.2 (pipelining), 9.6 (no more requests behind a close)
 */
export function turnOf({ socket }: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
  if (!(socket instanceof Socket)) return undefined
  // What comes behind the last answer of a connection must not be done: its client is not told of it.
  if (socket.writableEnded) return new Promise(() => undefined)
  if (res.socket !== null) return undefined
  if (!socket.destroyed) {
    // Without a connection, as some test tools and gateways make them, nobody is in front.
    if (socket.pending) return undefined
    if (countOf(socket) >= mostWaiting) socket.destroy()
  }
  waiting.set(socket, countOf(socket) + 1)
  return new Promise((resolve) => {
    // Of a connection that is closed nothing comes any more, and nothing refers to those who wait for it.
    res.once('socket', () => {
      waiting.set(socket, countOf(socket) - 1)
      // The answer before may come to its end by the closing itself, of which nobody would be told any more.
      if (!socket.destroyed) resolve()
    })
  })
}

function countOf(socket: Socket): number {
  return waiting.get(socket) ?? 0
}
