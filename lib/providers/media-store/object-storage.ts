import { Readable } from 'node:stream'
import { ODataError } from '../../errors/odata-error.js'
import type { MediaStore } from '../../provider/media-store.js'
import type { ObjectStore } from '../../provider/object-store.js'
import { findObject, isTooLong, listObjects } from './bucket-list.js'
import { isRefused, replacedError, storageError } from './storage-error.js'
import { uploadObject } from './upload-object.js'
import type { ObjectAddress, ObjectStorageClient } from './object-storage-client.js'

/**
 * Options of {@link objectStorage}.
 *
 * @example
 * const options: ObjectStorageOptions = { client: s3, bucket: 'shop', prefix: 'photos/' }
 */
export interface ObjectStorageOptions {
  /** The class `S3` of the package `@aws-sdk/client-s3`, not `S3Client`; it stays open. */
  readonly client: ObjectStorageClient
  /** The bucket, which must exist. */
  readonly bucket: string
  /** The beginning of the keys of all objects, such as `photos/`. Default: none. */
  readonly prefix?: string | undefined
  /**
   * Bytes of a part. Larger media resources are uploaded in parts of this size. Each upload buffers one part; S3 accepts
   * 10,000 parts. Default: 8 MiB (8,388,608); at least 5 MiB (5,242,880).
   */
  readonly partSize?: number | undefined
}

/** S3 rejects smaller parts, except the last one. */
const MIN_PART_BYTES = 5_242_880
const DEFAULT_PART_BYTES = 8_388_608

/**
 * A bucket: for media resources with `withMediaStore`, or for files with `fileProvider`.
 *
 * @example const storage: ObjectStorage = objectStorage({ client: s3, bucket: 'shop' })
 */
export interface ObjectStorage extends MediaStore, ObjectStore {}

/**
 * Opens a bucket of Amazon S3, or of another server with its protocol.
 *
 * @param options client, bucket, and the beginning of keys
 * @returns a store for `withMediaStore`, or for `fileProvider`
 * @throws TypeError for invalid options
 * @example
 * const storage = objectStorage({ client: s3, bucket: 'shop', prefix: 'photos/' })
 * app.use('/shop', odataV2(model, withMediaStore(memoryProvider(model), storage)))
 * @spec RFC 9110 14 (range requests)
 */
export function objectStorage(options: ObjectStorageOptions): ObjectStorage {
  checkOptions(options)
  const { client, bucket, prefix = '', partSize = DEFAULT_PART_BYTES } = options
  const at = (name: string): ObjectAddress => ({ Bucket: bucket, Key: prefix + name })
  return {
    async put(name, content, signal) {
      const { size } = await uploadObject(client, at(name), content, partSize, signal)
      return size
    },
    read: (name, range) => readObject(client, at(name), range),
    listObjects: (query, signal) => listObjects(client, bucket, prefix, query, signal),
    findObject: (key, signal) => findObject(client, at(key), key, signal),
    readObject: ({ key, etag }, range) => readObject(client, at(key), range, etag),
    async writeObject(key, content, write, signal) {
      if (isTooLong(at(key).Key)) {
        const message = 'The path is too long for the object storage.'
        throw new ODataError('BadRequest', { message })
      }
      const { etag } = await uploadObject(client, at(key), content, partSize, signal, write)
      return etag
    },
    async remove(name) {
      await client.deleteObject(at(name)).catch((error: unknown) => {
        throw storageError(error)
      })
    },
    async check(signal) {
      await client.headBucket({ Bucket: bucket }, { abortSignal: signal })
    },
  }
}

/** Reads an object or a range of it: of one version with `IfMatch`. The request to the store starts with the first read. */
function readObject(
  client: ObjectStorageClient,
  address: ObjectAddress,
  range: { readonly start: number; readonly end: number } | undefined,
  IfMatch?: string,
): Readable {
  const closed = new AbortController()
  const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    try {
      const { Body } = await client.getObject({ ...address, Range, IfMatch }, { abortSignal: closed.signal })
      if (!isReadable(Body)) throw new TypeError('The client must return streams of Node.js.')
      yield* Body
    } catch (error) {
      throw isRefused(error) ? replacedError(error) : storageError(error)
    }
  }
  const stream = Readable.from(chunks(), { objectMode: false })
  return stream.on('close', () => closed.abort())
}

function isReadable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

const optionNames: readonly string[] = [
  'client',
  'bucket',
  'prefix',
  'partSize',
] satisfies (keyof ObjectStorageOptions)[]

/** @throws TypeError for invalid options */
function checkOptions(options: ObjectStorageOptions): void {
  const { client, bucket, prefix, partSize } = options as { [Name in keyof ObjectStorageOptions]: unknown }
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown !== undefined) throw new TypeError(`objectStorage: unknown option '${unknown}'.`)
  if (typeof (client as { getObject?: unknown } | undefined)?.getObject !== 'function') {
    throw new TypeError("objectStorage: client must be an object of the class S3 of '@aws-sdk/client-s3'.")
  }
  if (typeof bucket !== 'string' || bucket === '') {
    throw new TypeError('objectStorage: bucket must be the name of a bucket.')
  }
  if (prefix !== undefined && typeof prefix !== 'string') {
    throw new TypeError('objectStorage: prefix must be a string.')
  }
  if (partSize !== undefined && !(Number.isSafeInteger(partSize) && Number(partSize) >= MIN_PART_BYTES)) {
    throw new TypeError(`objectStorage: partSize must be a whole number of at least ${MIN_PART_BYTES} bytes.`)
  }
}
