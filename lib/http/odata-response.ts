import type { Readable } from 'node:stream'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** An answer before it is sent. */
export interface ODataResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: ResponseBody | undefined
}

/** A document, the bytes of a media resource, or a document that is made while it is sent. */
export type ResponseBody = string | Uint8Array | ChunkSource | Readable

/** A document that comes in pieces of some ten thousand characters, or of bytes that are UTF-8. */
export interface ChunkSource {
  readonly kind: 'ChunkSource'
  /** The next piece, undefined at the end. No promise is made for what is there already. */
  next(): PromiseOrValue<string | Uint8Array | undefined>
  /** Called when no more is wanted. */
  close(): PromiseOrValue<void>
}

export function isChunkSource(body: ResponseBody): body is ChunkSource {
  return typeof body === 'object' && 'kind' in body && body.kind === 'ChunkSource'
}

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
