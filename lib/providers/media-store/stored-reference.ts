import type { MediaResource } from '../../provider/media.js'

/** Stored in the place of the bytes of a media resource: the object that has them. */
export interface StoredReference {
  readonly name: string
  readonly size: number
}

const BEGINNING = 'odata-v2-object:'
const pattern = /^odata-v2-object:([\da-f-]{36}) (\d{1,16})$/
const MAX_LENGTH = 80

/** Serializes a reference: `odata-v2-object:`, the name of the object, a space and its size. */
export function formatReference({ name, size }: StoredReference): Uint8Array {
  return Buffer.from(`${BEGINNING}${name} ${size}`)
}

/** Returns true if the size of a media resource is that of a reference, or unknown. */
export function mayBeReference({ size }: MediaResource): boolean {
  return size === undefined || (size > BEGINNING.length && size <= MAX_LENGTH)
}

/**
 * Reads the beginning of a media resource that may be a reference: undefined for other bytes, which were stored without a
 * media store. Clients cannot store references: names of objects are random, and not sent.
 */
export async function readReference(media: MediaResource): Promise<StoredReference | undefined> {
  const bytes = media.stream()
  const text = Buffer.from(bytes instanceof Uint8Array ? bytes : await readBeginning(bytes)).toString(
    'latin1',
    0,
    MAX_LENGTH + 1,
  )
  const [, name, length] = pattern.exec(text) ?? []
  return name === undefined ? undefined : { name, size: Number(length) }
}

/** Reads up to the first chunk that ends after the longest reference, and closes the stream. */
async function readBeginning(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_LENGTH) break
  }
  return Buffer.concat(chunks, length)
}
