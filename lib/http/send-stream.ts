import type { Readable } from 'node:stream'
import { poolOf } from '../util/chunk-pool.js'
import { trackProgress, isClosed, isUnwrappedResponse, onResponseClose } from './response-state.js'
import type { ODataResponse } from './odata-response.js'
import type { ServerResponse } from 'node:http'

/**
 * Sends a media resource while it is read. Destroys the source when the client disconnects. An error before the first
 * byte can still become an error response; after it, the caller has to abort the response.
 */
export async function sendStream(res: ServerResponse, head: ODataResponse, body: Readable): Promise<void> {
  // Without a listener, an early or a second error would end the process.
  body.on('error', ignore)
  try {
    if (!isClosed(res)) await pump(res, head, body)
  } finally {
    body.destroy()
  }
}

/**
 * Pipes the source to the response with backpressure, and checks its length: with too few bytes the client would wait,
 * and too many would become part of the next response.
 */
function pump(res: ServerResponse, { status, headers }: ODataResponse, body: Readable): Promise<void> {
  const length = headers['Content-Length'] === undefined ? undefined : Number(headers['Content-Length'])
  const pool = isUnwrappedResponse(res) ? poolOf(body) : undefined
  let sent = 0
  const write = (chunk: Uint8Array): void => {
    // Another middleware has sent a response.
    if (res.writableEnded) throw new Error('The response is already complete.')
    sent += Buffer.byteLength(chunk)
    if (length !== undefined && sent > length) throw wrongLength(length, 'more')
    if (!res.headersSent) res.writeHead(status, headers)
    const isReusable = pool !== undefined && body.listenerCount('data') === 1
    const accepted = isReusable ? res.write(chunk, () => pool.giveBack(chunk)) : res.write(chunk)
    trackProgress(res)
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
    // An error thrown in a listener would end the process. A destroyed stream may still emit events.
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
    // Not chained: compressing middleware returns its own stream.
    res.on('drain', resume)
    const removeListener = onResponseClose(res, leave)
    body.on('data', guarded(write)).on('end', guarded(end)).on('end', resolve).on('error', fail)
    body.on('close', () => {
      res.off('drain', resume)
      removeListener()
      fail(new Error('The stream of a media resource was closed before its end.'))
    })
    if (body.destroyed) fail(body.errored ?? new Error('The stream of a media resource is closed already.'))
  })
}

function ignore(): void {
  // The reader of the stream receives the error.
}

function wrongLength(length: number, what: 'more' | 'less'): Error {
  return new Error(`The media resource has ${what} than the ${length} bytes that its provider announced.`)
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error('The media resource could not be sent.', { cause: thrown })
}
