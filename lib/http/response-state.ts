import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { IncomingMessage } from 'node:http'

/** Returns true if the connection to the client is closed. */
export function isClosed(res: ServerResponse): boolean {
  const stream = http2StreamOf(res)
  return stream === undefined ? res.destroyed : stream.destroyed || stream.aborted
}

/** Returns true if the whole response was sent. In HTTP/2 an aborted response counts as finished too. */
export function isComplete(res: ServerResponse): boolean {
  return res.writableEnded && res.writableFinished
}

/**
 * Calls a listener when the connection to the client is closed, possibly more than once.
 *
 * @returns a function that removes the listener
 */
export function onResponseClose(res: ServerResponse, listener: () => void): () => void {
  const stream = http2StreamOf(res)
  res.on('close', listener)
  stream?.on('aborted', listener)
  return () => {
    res.off('close', listener)
    stream?.off('aborted', listener)
  }
}

/** @spec RFC 9113 7 */
const INTERNAL_ERROR = 2

/**
 * Aborts a response so that the client notices that it is incomplete: closes the connection or, in HTTP/2, the stream
 * with an error, because a destroyed stream looks complete.
 */
export function abortResponse(res: ServerResponse): void {
  const stream = http2StreamOf(res)
  if (stream === undefined) res.destroy()
  else stream.close(INTERNAL_ERROR)
}

/** The stream of an HTTP/2 response. */
interface Http2Stream {
  readonly destroyed: boolean
  /** True if the client disconnected early. The stream and the response may then never emit `close`. */
  readonly aborted: boolean
  close(code: number): void
  on(event: 'aborted', listener: () => void): unknown
  off(event: 'aborted', listener: () => void): unknown
}

/** @returns undefined for HTTP/1.1 */
function http2StreamOf(res: ServerResponse): Http2Stream | undefined {
  return res instanceof ServerResponse ? undefined : (res as { readonly stream?: Http2Stream }).stream
}

/**
 * Returns true for HTTP/2, whose connections carry concurrent requests, and have no header `Connection`.
 *
 * @spec RFC 9113 8.2.2
 */
export function isHttp2({ httpVersionMajor }: Pick<IncomingMessage, 'httpVersionMajor'>): boolean {
  return httpVersionMajor >= 2
}

/** Chunks written to HTTP/2 responses: they share a connection, so that its byte count does not show their progress. */
const chunkCounts = new WeakMap<object, number>()

/** Counts a chunk that was written to a response, for {@link progressOf}. */
export function trackProgress(res: ServerResponse): void {
  // HTTP/2 responses do not extend ServerResponse.
  if (!(res instanceof ServerResponse)) chunkCounts.set(res, (chunkCounts.get(res) ?? 0) + 1)
}

/**
 * Returns a token that changes when more of a response was sent. Bytes in the buffers of the process or the system do not
 * count as sent.
 */
export function progressOf(res: ServerResponse): string {
  if (!(res instanceof ServerResponse)) {
    const { writableLength } = res as ServerResponse
    return `${String(chunkCounts.get(res) ?? 0)} ${String(writableLength)}`
  }
  const { socket } = res
  if (socket === null) return ''
  return `${String(socket.bytesWritten)} ${String(socket.writableLength)} ${String(queuedBytes(socket))}`
}

/** Returns the bytes written, from the handle of the socket: a long chunk is sent in several writes. */
function queuedBytes(socket: object): unknown {
  const handle = '_handle' in socket ? socket._handle : undefined
  return typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle
    ? handle.writeQueueSize
    : 0
}

/**
 * Returns true if no middleware wraps the response or its socket, and could reference chunks after they were sent. Only
 * then may the memory of the chunks be reused.
 */
export function isUnwrappedResponse(res: ServerResponse): boolean {
  const { socket } = res
  return (
    res.write === ServerResponse.prototype.write &&
    socket instanceof Socket &&
    socket.write === Socket.prototype.write
  )
}
