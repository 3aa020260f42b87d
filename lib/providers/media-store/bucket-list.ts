import type { ObjectList, ObjectListQuery, StoredObject } from '../../provider/object-store.js'
import type { ObjectAddress, ObjectStorageClient } from './object-storage-client.js'
import { isMissing, storageError } from './storage-error.js'

/** The maximum length of a key. Stores reject longer ones. */
const MAX_KEY_BYTES = 1_024

/**
 * Lists objects of a bucket.
 *
 * @param start the beginning of all keys of the store, which is removed from keys
 * @throws ODataError ServiceUnavailable
 */
export async function listObjects(
  client: ObjectStorageClient,
  bucket: string,
  start: string,
  { prefix, isShallow = false, after, next, limit }: ObjectListQuery,
  signal: AbortSignal,
): Promise<ObjectList> {
  if (isTooLong(start + prefix)) return { objects: [], prefixes: [], next: undefined }
  const input = {
    Bucket: bucket,
    Prefix: start + prefix,
    ...(isShallow ? { Delimiter: '/' } : {}),
    ...(next === undefined && after !== undefined ? { StartAfter: beginningOf(start + after) } : {}),
    ...(next === undefined ? {} : { ContinuationToken: next }),
    MaxKeys: limit,
    EncodingType: 'url' as const,
  }
  try {
    const list = await client.listObjectsV2(input, { abortSignal: signal })
    const { Contents = [], CommonPrefixes = [], EncodingType, NextContinuationToken } = list
    const keyOf = (key = ''): string => (EncodingType === 'url' ? decodeKey(key) : key).slice(start.length)
    return {
      objects: Contents.map(({ Key, Size = 0, LastModified, ETag }) => ({
        key: keyOf(Key),
        size: Size,
        lastModified: wholeSeconds(LastModified),
        etag: ETag,
      })),
      prefixes: CommonPrefixes.map(({ Prefix }) => keyOf(Prefix)),
      next: NextContinuationToken,
    }
  } catch (error) {
    throw storageError(error)
  }
}

/** Reads the metadata of an object. @throws ODataError ServiceUnavailable */
export async function findObject(
  client: ObjectStorageClient,
  address: ObjectAddress,
  key: string,
  signal: AbortSignal,
): Promise<StoredObject | undefined> {
  try {
    const {
      ContentLength = 0,
      LastModified,
      ETag,
    } = await client.headObject(address, {
      abortSignal: signal,
    })
    return { key, size: ContentLength, lastModified: wholeSeconds(LastModified), etag: ETag }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw storageError(error)
  }
}

/** Lists of some stores have milliseconds, which the `Last-Modified` header of an object has not. */
function wholeSeconds(time: Date | undefined): Date | undefined {
  return time && new Date(Math.floor(time.getTime() / 1000) * 1000)
}

/** Returns true if no object can have this key. */
export function isTooLong(key: string): boolean {
  return Buffer.byteLength(key) > MAX_KEY_BYTES
}

/** Returns a key that is not longer than allowed, and not greater. */
function beginningOf(key: string): string {
  return isTooLong(key)
    ? Buffer.from(key)
        .subarray(0, MAX_KEY_BYTES)
        .toString()
        .replace(/\ufffd+$/, '')
    : key
}

function decodeKey(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '))
}
