import type { ServerResponse } from 'node:http'
import { http2StreamOf } from './http2-stream.js'

/** Whether nothing more can reach the client. */
export function isClosed(res: ServerResponse): boolean {
  const stream = http2StreamOf(res)
  return stream === undefined ? res.destroyed : stream.destroyed || stream.aborted
}

/** Whether all of an answer has been handed over to the client. In HTTP/2 one that was broken off is finished too. */
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
