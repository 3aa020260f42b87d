import { ServerResponse } from 'node:http'

/** The stream of an answer of HTTP/2. Its client may leave without that the stream, or the answer, is ever closed. */
interface Http2Stream {
  readonly destroyed: boolean
  readonly aborted: boolean
  on(event: 'aborted', listener: () => void): unknown
  off(event: 'aborted', listener: () => void): unknown
}

/** Whether nothing more can reach the client. */
export function isClosed(res: ServerResponse): boolean {
  const stream = streamOf(res)
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
  const stream = streamOf(res)
  res.on('close', listener)
  stream?.on('aborted', listener)
  return () => {
    res.off('close', listener)
    stream?.off('aborted', listener)
  }
}

function streamOf(res: ServerResponse): Http2Stream | undefined {
  return res instanceof ServerResponse ? undefined : (res as { readonly stream?: Http2Stream }).stream
}
