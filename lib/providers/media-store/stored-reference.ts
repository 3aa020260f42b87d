import type { MediaResource } from '../../provider/media.js'
import { collectBytes } from '../../util/collect-bytes.js'

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

/** Returns true if the size of a media resource is that of a reference. */
export function mayBeReference({ size }: MediaResource): boolean {
  return size !== undefined && size > BEGINNING.length && size <= MAX_LENGTH
}

/**
 * Reads a media resource whose size is that of a reference: undefined for other bytes, which were stored without a media
 * store. Clients cannot store references: names of objects are random, and not sent.
 */
export async function readReference(media: MediaResource): Promise<StoredReference | undefined> {
  const bytes = media.stream()
  const text = Buffer.from(bytes instanceof Uint8Array ? bytes : await collectBytes(bytes)).toString('latin1')
  const [, name, length] = pattern.exec(text) ?? []
  return name === undefined ? undefined : { name, size: Number(length) }
}
