import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ODataResponse } from './odata-response.js'

/**
 * Sends the bytes of a media resource as they are read. When the client goes away the source is destroyed, and when
 * the source fails the connection is closed: an answer that is too short must not look complete.
 */
export async function sendStream(
  res: ServerResponse,
  { status, headers }: ODataResponse,
  body: Readable,
): Promise<void> {
  try {
    res.writeHead(status, headers)
    await pipeline(body, res)
  } catch (error) {
    // The client's leaving is no fault of anybody.
    if (!isPrematureClose(error)) throw error
  } finally {
    body.destroy()
  }
}

function isPrematureClose(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE'
}
