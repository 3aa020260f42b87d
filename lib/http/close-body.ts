import type { ODataResponse } from './odata-response.js'
import { isChunkSource } from './odata-response.js'

/**
 * Closes what an answer would have been made of. Nobody waits for it any more.
 *
 * @throws what closing it throws
 */
export async function closeBody({ body }: ODataResponse): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return
  if (isChunkSource(body)) {
    await body.close()
    return
  }
  // It may fail while it is closed, of which nobody need know.
  body.on('error', () => undefined)
  body.destroy()
}
