import type { StoredContent } from '../../provider/media-store.js'
import type { ObjectWriteOptions } from '../../provider/object-store.js'
import type {
  ObjectAddress,
  ObjectStorageClient,
  StorageRequestOptions,
  StoredBytes,
  UploadedPart,
  StoreCondition,
} from './object-storage-client.js'
import { storageError } from './storage-error.js'

/** An uploaded object. */
interface UploadedObject {
  readonly size: number
  readonly etag: string | undefined
}

/**
 * Uploads an object, in parts if it is larger than one part. Reads one part ahead of the store at most, so that a slow
 * store slows down the client. After an error neither the object nor its parts exist.
 *
 * @returns the number of bytes
 * @throws ODataError ServiceUnavailable, or the error of reading the bytes
 */
export async function uploadObject(
  client: ObjectStorageClient,
  address: ObjectAddress,
  { contentType, bytes }: StoredContent,
  partSize: number,
  signal: AbortSignal,
  write?: ObjectWriteOptions,
): Promise<UploadedObject> {
  const parts = partsOf(bytes, partSize)
  const options = { abortSignal: signal }
  const ContentType = contentType
  try {
    const first = (await parts.next()).value ?? new Uint8Array(0)
    if (first.length < partSize) {
      await write?.beforeStored?.(first.length)
      const etag = await putObject(client, { ...address, Body: first, ContentType }, write, options)
      return { size: first.length, etag }
    }
    const { UploadId } = await sending(client.createMultipartUpload({ ...address, ContentType }, options))
    return await uploadParts(client, { ...address, UploadId }, first, parts, write, options)
  } finally {
    await parts.return(undefined)
  }
}

async function putObject(
  client: ObjectStorageClient,
  object: ObjectAddress & StoredBytes,
  write: ObjectWriteOptions | undefined,
  options: StorageRequestOptions,
): Promise<string | undefined> {
  try {
    const { ETag } = await client.putObject({ ...object, ...conditionOf(write) }, options)
    return ETag
  } catch (error) {
    // Without a response the object may have been stored. Under the key of a file, it may be the one before.
    if (statusOf(error) === undefined && write === undefined) await removing(client, object, error)
    throw storageError(error)
  }
}

function conditionOf({ ifMatch, isNew }: ObjectWriteOptions = {}): StoreCondition {
  if (ifMatch !== undefined) return { IfMatch: ifMatch }
  return isNew === true ? { IfNoneMatch: '*' } : {}
}

type UploadAddress = ObjectAddress & { UploadId: string | undefined }

async function uploadParts(
  client: ObjectStorageClient,
  upload: UploadAddress,
  first: Uint8Array,
  parts: AsyncIterator<Uint8Array, undefined>,
  write: ObjectWriteOptions | undefined,
  options: StorageRequestOptions,
): Promise<UploadedObject> {
  const Parts: UploadedPart[] = []
  let size = 0
  try {
    for (let part: Uint8Array | undefined = first; part !== undefined; part = (await parts.next()).value) {
      const PartNumber = Parts.length + 1
      const sent = await sending(client.uploadPart({ ...upload, PartNumber, Body: part }, options))
      // With a checksum, the store compares it again.
      const { ETag, ChecksumCRC32 } = sent
      Parts.push({ PartNumber, ETag, ...(ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 }) })
      size += part.length
    }
    await write?.beforeStored?.(size)
    const completed = { ...upload, MultipartUpload: { Parts }, ...conditionOf(write) }
    const { ETag } = await sending(client.completeMultipartUpload(completed, options))
    return { size, etag: ETag }
  } catch (error) {
    await abortUpload(client, upload, error, write === undefined)
    throw error
  }
}

/**
 * Deletes the parts of an upload.
 *
 * @param isOwn whether no other upload uses the key, so that the object can be deleted
 * @throws ODataError ServiceUnavailable, with both causes, when they remain
 */
async function abortUpload(
  client: ObjectStorageClient,
  upload: UploadAddress,
  reason: unknown,
  isOwn: boolean,
): Promise<void> {
  try {
    await client.abortMultipartUpload(upload)
  } catch (error) {
    // The upload may have been completed although the response was lost.
    if (statusOf(error) === 404) return isOwn ? removing(client, upload, reason) : undefined
    throw remains(upload, reason, error)
  }
}

/** Deletes an object that may have been stored. @throws ODataError ServiceUnavailable when it may remain */
async function removing(
  client: ObjectStorageClient,
  { Bucket, Key }: ObjectAddress,
  reason: unknown,
): Promise<void> {
  try {
    await client.deleteObject({ Bucket, Key })
  } catch (error) {
    throw remains({ Bucket, Key }, reason, error)
  }
}

function remains({ Key }: ObjectAddress, reason: unknown, error: unknown): unknown {
  return storageError(new AggregateError([reason, error], `The upload '${Key}' could not be deleted.`))
}

function statusOf(error: unknown): unknown {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: unknown } }
  return $metadata?.httpStatusCode
}

async function sending<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw storageError(error)
  }
}

/** Divides bytes into parts of the same size; the last part may be shorter. Some stores require equal sizes. */
async function* partsOf(
  bytes: AsyncIterable<Uint8Array>,
  partSize: number,
): AsyncGenerator<Uint8Array, undefined> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length < partSize) continue
    let rest: Uint8Array = Buffer.concat(chunks, length)
    while (rest.length >= partSize) {
      yield rest.subarray(0, partSize)
      rest = rest.subarray(partSize)
    }
    // A copy: the rest would retain the memory of the part.
    chunks = rest.length === 0 ? [] : [Uint8Array.prototype.slice.call(rest)]
    length = rest.length
  }
  if (length > 0) yield Buffer.concat(chunks, length)
  return undefined
}
