import type { Readable } from 'node:stream'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** A response before it is sent. */
export interface ODataResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: ResponseBody | undefined
}

/** A document, a document that is serialized while it is sent, or a media resource. */
export type ResponseBody = string | Uint8Array | ChunkSource | Readable

/** A document in chunks: strings of some ten thousand characters, or UTF-8 bytes. */
export interface ChunkSource {
  readonly kind: 'ChunkSource'
  /** Returns the next chunk, undefined at the end. Synchronous if the chunk is available. */
  next(): PromiseOrValue<string | Uint8Array | undefined>
  /** Called with a chunk that was sent, if its memory can be reused: no other code references it. */
  release?(chunk: Uint8Array): void
  /** Called when no more chunks are needed, but not after the end. */
  close(): PromiseOrValue<void>
}

export function isChunkSource(body: ResponseBody): body is ChunkSource {
  return typeof body === 'object' && 'kind' in body && body.kind === 'ChunkSource'
}

/**
 * Closes the body of a response that is not sent.
 *
 * @throws errors of closing the body
 */
export async function closeBody({ body }: ODataResponse): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return
  if (isChunkSource(body)) {
    await body.close()
    return
  }
  // Without a listener, an error would end the process.
  body.on('error', () => undefined)
  body.destroy()
}
