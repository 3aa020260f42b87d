/**
 * The methods of the class `S3` of the package `@aws-sdk/client-s3` that {@link objectStorage} calls.
 *
 * @example
 * const client: ObjectStorageClient = s3
 */
export interface ObjectStorageClient {
  /** Reads an object, or a range of it. */
  getObject(
    input: ObjectAddress & { Range?: string | undefined },
    options?: StorageRequestOptions,
  ): Promise<{ readonly Body?: unknown }>
  /** Stores a small object. */
  putObject(input: ObjectAddress & StoredBytes, options?: StorageRequestOptions): Promise<unknown>
  /** Deletes an object, if it exists. */
  deleteObject(input: ObjectAddress, options?: StorageRequestOptions): Promise<unknown>
  /** Checks that a bucket exists. */
  headBucket(input: { Bucket: string }, options?: StorageRequestOptions): Promise<unknown>
  /** Begins an upload in parts. */
  createMultipartUpload(
    input: ObjectAddress & { ContentType: string },
    options?: StorageRequestOptions,
  ): Promise<{ readonly UploadId?: string | undefined }>
  /** Uploads a part. */
  uploadPart(
    input: ObjectAddress & { UploadId: string | undefined; PartNumber: number; Body: Uint8Array },
    options?: StorageRequestOptions,
  ): Promise<UploadedPart>
  /** Stores the object that consists of the parts. */
  completeMultipartUpload(
    input: ObjectAddress & { UploadId: string | undefined; MultipartUpload: { Parts: UploadedPart[] } },
    options?: StorageRequestOptions,
  ): Promise<unknown>
  /** Deletes the parts. */
  abortMultipartUpload(
    input: ObjectAddress & { UploadId: string | undefined },
    options?: StorageRequestOptions,
  ): Promise<unknown>
}

/**
 * The bucket and key of an object.
 *
 * @example const address: ObjectAddress = { Bucket: 'shop', Key: 'photos/1' }
 */
export interface ObjectAddress {
  /** Name of the bucket. */
  Bucket: string
  /** Key of the object in the bucket. */
  Key: string
}

/**
 * The bytes of a small object.
 *
 * @example const bytes: StoredBytes = { Body: Buffer.from('Gouda'), ContentType: 'text/plain' }
 */
export interface StoredBytes {
  /** All bytes. */
  Body: Uint8Array
  /** The media type. */
  ContentType: string
}

/**
 * A part of an upload, with the checksums that the store has returned.
 *
 * @example const part: UploadedPart = { PartNumber: 1, ETag: '"5eb63bbb"' }
 */
export interface UploadedPart {
  /** Its number, from 1. */
  PartNumber?: number | undefined
  /** Identifies its bytes. */
  ETag?: string | undefined
  /** Checksum, in Base64. */
  ChecksumCRC32?: string | undefined
}

/**
 * Options of a request to the store.
 *
 * @example const options: StorageRequestOptions = { abortSignal: AbortSignal.timeout(5_000) }
 */
export interface StorageRequestOptions {
  /** Aborts the request. Default: the request is not aborted. */
  abortSignal?: AbortSignal
}
