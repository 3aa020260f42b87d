/** Reads all chunks into one buffer: a copy, since the source may reuse its chunks. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected: Uint8Array[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return Buffer.concat(collected)
}

/** Buffers the bytes of media content, so that they can be read more than once. */
export async function withCollectedBytes<T extends { readonly bytes: AsyncIterable<Uint8Array> }>(
  content: T,
): Promise<T> {
  const bytes = await collectBytes(content.bytes)
  return { ...content, bytes: repeatable(bytes) }
}

function repeatable(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve(bytes)
    },
  }
}
