/**
 * The methods of the class `S3` of the package `@aws-sdk/client-s3` that {@link objectStorage} calls.
 *
 * @example
 * const client: ObjectStorageClient = s3
 */
export interface ObjectStorageClient {
  /** Reads an object, or a range of it. */
  getObject(
    input: ObjectAddress & { Range?: string | undefined; IfMatch?: string | undefined },
    options?: StorageRequestOptions,
  ): Promise<{ readonly Body?: unknown }>
  /** Reads the metadata of an object. */
  headObject(input: ObjectAddress, options?: StorageRequestOptions): Promise<ObjectMetadata>
  /** Lists objects. */
  listObjectsV2(input: ObjectListInput, options?: StorageRequestOptions): Promise<ObjectListOutput>
  /** Stores a small object. */
  putObject(
    input: ObjectAddress & StoredBytes & StoreCondition,
    options?: StorageRequestOptions,
  ): Promise<{ readonly ETag?: string | undefined }>
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
    input: ObjectAddress &
      StoreCondition & { UploadId: string | undefined; MultipartUpload: { Parts: UploadedPart[] } },
    options?: StorageRequestOptions,
  ): Promise<{ readonly ETag?: string | undefined }>
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
 * The metadata of an object.
 *
 * @example const sizeOf = ({ ContentLength = 0 }: ObjectMetadata) => ContentLength
 */
export interface ObjectMetadata {
  /** Bytes. */
  readonly ContentLength?: number | undefined
  /** The time of the last change. */
  readonly LastModified?: Date | undefined
  /** Identifies the bytes, with quotes. */
  readonly ETag?: string | undefined
}

/**
 * The objects to list.
 *
 * @example const input: ObjectListInput = { Bucket: 'shop', Prefix: 'docs/', MaxKeys: 100 }
 */
export interface ObjectListInput {
  /** Name of the bucket. */
  Bucket: string
  /** The beginning of the keys. */
  Prefix: string
  /** `/` to list keys up to the next `/`. Default: all keys. */
  Delimiter?: string | undefined
  /** The key before the first one. Default: none. */
  StartAfter?: string | undefined
  /** Continues a list. Default: from the beginning. */
  ContinuationToken?: string | undefined
  /** The maximum number of keys. Default: 1000. */
  MaxKeys?: number | undefined
  /** `url` for keys that XML cannot represent. Default: keys are not encoded. */
  EncodingType?: 'url' | undefined
}

/**
 * A list of objects.
 *
 * @example const keysOf = ({ Contents = [] }: ObjectListOutput) => Contents.map(({ Key }) => Key)
 */
export interface ObjectListOutput {
  /** The objects. */
  readonly Contents?:
    | readonly {
        readonly Key?: string | undefined
        readonly Size?: number | undefined
        readonly LastModified?: Date | undefined
        readonly ETag?: string | undefined
      }[]
    | undefined
  /** Keys up to the delimiter. */
  readonly CommonPrefixes?: readonly { readonly Prefix?: string | undefined }[] | undefined
  /** Continues the list. */
  readonly NextContinuationToken?: string | undefined
  /** The encoding of the keys. */
  readonly EncodingType?: string | undefined
}

/**
 * The condition of a change, which some stores ignore.
 *
 * @example const condition: StoreCondition = { IfNoneMatch: '*' }
 */
export interface StoreCondition {
  /** The ETag of the object to replace. Default: any. */
  IfMatch?: string | undefined
  /** `*` to create an object only. Default: an object is replaced. */
  IfNoneMatch?: string | undefined
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
