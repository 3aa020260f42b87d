import type { MediaContent } from './media.js'

/** All bytes of a media resource as a client sends it: a copy, as whoever has sent them may use theirs again. */
export async function allBytes({ bytes }: MediaContent): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The same media resource when all its bytes have come; they can be read again when a change is made again. */
export async function received(content: MediaContent): Promise<MediaContent> {
  const bytes = await allBytes(content)
  return { ...content, bytes: repeatable(bytes) }
}

function repeatable(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve(bytes)
    },
  }
}
