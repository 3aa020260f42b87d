import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'

/** Whether nothing more can reach the client. */
export function isClosed(res: ServerResponse): boolean {
  const stream = http2StreamOf(res)
  return stream === undefined ? res.destroyed : stream.destroyed || stream.aborted
}

/** Returns whether the whole response was sent. In HTTP/2 an aborted response counts as finished too. */
export function isComplete(res: ServerResponse): boolean {
  return res.writableEnded && res.writableFinished
}

/**
 * Has a listener called when nothing more can reach the client, maybe more than once.
 *
 * @returns what takes the listener away
 */
export function whenClosed(res: ServerResponse, listener: () => void): () => void {
  const stream = http2StreamOf(res)
  res.on('close', listener)
  stream?.on('aborted', listener)
  return () => {
    res.off('close', listener)
    stream?.off('aborted', listener)
  }
}

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

/** The stream of an answer of HTTP/2. */
interface Http2Stream {
  readonly destroyed: boolean
  /** Whether the client has left before all was written. The stream, and the answer, may never be closed then. */
  readonly aborted: boolean
  close(code: number): void
  on(event: 'aborted', listener: () => void): unknown
  off(event: 'aborted', listener: () => void): unknown
}

/** @returns undefined for an answer of HTTP/1.1 */
function http2StreamOf(res: ServerResponse): Http2Stream | undefined {
  return res instanceof ServerResponse ? undefined : (res as { readonly stream?: Http2Stream }).stream
}

/** Connections of HTTP/2 hold many requests, and have no header `Connection`. @spec RFC 9113 8.2.2 */
export function isHttp2({ httpVersionMajor }: Pick<IncomingMessage, 'httpVersionMajor'>): boolean {
  return httpVersionMajor >= 2
}

/** Chunks written, for responses that share their connection, whose byte count does not tell. */
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

/** The bytes written, from the handle of the socket: a long chunk is sent in several writes. */
function queuedBytes(socket: object): unknown {
  const handle = '_handle' in socket ? socket._handle : undefined
  return typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle
    ? handle.writeQueueSize
    : 0
}
