import type { Readable } from 'node:stream'
import { poolOf } from '../util/chunk-pool.js'
import { noteWritten, isClosed, whenClosed } from './response-state.js'
import type { ODataResponse } from './odata-response.js'
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/**
 * Sends the bytes of a media resource as they are read. When the client goes away the source is destroyed. When the
 * source fails before its first byte, that can still be answered as an error; later, the caller has to close the
 * connection: an answer that is too short must not look complete.
 */
export async function sendStream(res: ServerResponse, head: ODataResponse, body: Readable): Promise<void> {
  // It may fail while nobody listens, or once more when it is destroyed: that must not end the process.
  body.on('error', ignore)
  try {
    // The client's leaving is no fault of anybody.
    if (!isClosed(res)) await pump(res, head, body)
  } finally {
    body.destroy()
  }
}

/**
 * Writes what the source gives as fast as the client takes it, and not a byte more or less than was announced:
 * clients wait for what is missing and take what is too much for the next answer.
 */
function pump(res: ServerResponse, { status, headers }: ODataResponse, body: Readable): Promise<void> {
  const length = headers['Content-Length'] === undefined ? undefined : Number(headers['Content-Length'])
  const pool = isSentUnseen(res) ? poolOf(body) : undefined
  let sent = 0
  const write = (chunk: Uint8Array): void => {
    // Somebody else has answered: this came too late.
    if (res.writableEnded) throw new Error('The answer is complete already.')
    sent += Buffer.byteLength(chunk)
    if (length !== undefined && sent > length) throw wrongLength(length, 'more')
    if (!res.headersSent) res.writeHead(status, headers)
    const isOurs = pool !== undefined && body.listenerCount('data') === 1
    const accepted = isOurs ? res.write(chunk, () => pool.giveBack(chunk)) : res.write(chunk)
    noteWritten(res)
    if (!accepted) body.pause()
  }
  const end = (): void => {
    if (res.writableEnded) return
    if (length !== undefined && sent < length) throw wrongLength(length, 'less')
    if (!res.headersSent) res.writeHead(status, headers)
    res.end()
  }
  return new Promise((resolve, reject) => {
    let failed = false
    const fail = (error: unknown): void => {
      failed = true
      reject(asError(error))
      body.destroy()
    }
    // What is thrown in a listener would end the process. A stream may still say that it ends when it was destroyed.
    const guarded = (listener: (chunk: Uint8Array) => void) => (chunk: Uint8Array) => {
      if (failed) return
      try {
        listener(chunk)
      } catch (error) {
        fail(error)
      }
    }
    const resume = (): void => {
      body.resume()
    }
    const leave = (): void => {
      resolve()
      body.destroy()
    }
    // Not in one chain: middleware that compresses returns its own stream.
    res.on('drain', resume)
    const unwatch = whenClosed(res, leave)
    body.on('data', guarded(write)).on('end', guarded(end)).on('end', resolve).on('error', fail)
    body.on('close', () => {
      res.off('drain', resume)
      unwatch()
      fail(new Error('The stream of a media resource was closed before its end.'))
    })
    if (body.destroyed) fail(body.errored ?? new Error('The stream of a media resource is closed already.'))
  })
}

function ignore(): void {
  // Whoever reads the stream is told.
}

function wrongLength(length: number, what: 'more' | 'less'): Error {
  return new Error(`The media resource has ${what} than the ${length} bytes that its provider announced.`)
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error('The media resource could not be sent.', { cause: thrown })
}

/**
 * Whether nobody can keep what is written after it was sent: there is no middleware around the response, and no stand-in
 * for its connection. Only then may the memory of what was sent be used again.
 */
function isSentUnseen(res: ServerResponse): boolean {
  const { socket } = res
  return (
    res.write === ServerResponse.prototype.write &&
    socket instanceof Socket &&
    socket.write === Socket.prototype.write
  )
}
