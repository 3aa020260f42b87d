import { ServerResponse } from 'node:http'

/** Pieces written, for answers of which the connection cannot be asked: it is shared with others. */
const pieces = new WeakMap<object, number>()

/** To be called for every piece of an answer that the connection has been given. */
export function noteWritten(res: ServerResponse): void {
  // Those of HTTP/2 are not made of it.
  if (!(res instanceof ServerResponse)) pieces.set(res, (pieces.get(res) ?? 0) + 1)
}

/**
 * A text that becomes another one when more of an answer has gone out. Bytes that wait for the client, here or in the
 * system, have not.
 */
export function progressOf(res: ServerResponse): string {
  if (!(res instanceof ServerResponse)) {
    const { writableLength } = res as ServerResponse
    return `${String(pieces.get(res) ?? 0)} ${String(writableLength)}`
  }
  const { socket } = res
  if (socket === null) return ''
  return `${String(socket.bytesWritten)} ${String(socket.writableLength)} ${String(queuedBytes(socket))}`
}

/** One long piece may go out in many, of which only the handle of the socket knows. */
function queuedBytes(socket: object): unknown {
  const handle = '_handle' in socket ? socket._handle : undefined
  return typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle
    ? handle.writeQueueSize
    : 0
}
