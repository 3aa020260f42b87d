import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ObjectListOutput, ObjectStorageClient } from '../../lib/index.js'
import { compareStrings } from '../../lib/edm/primitive-types/primitive-type.js'

interface MemoryObject {
  readonly bytes: Buffer
  readonly etag: string
  readonly time: Date
}

/** An error as the client of S3 throws it. */
function failure(name: string, status: number): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } })
}

/** A bucket in memory, with the methods of the client of S3. */
export class MemoryBucket implements ObjectStorageClient {
  readonly objects = new Map<string, MemoryObject>()
  readonly uploads = new Map<string, Map<number, Buffer>>()
  /** The requests since it was cleared. */
  readonly requests: string[] = []
  /** Throws the error of the next request of a method. */
  fail: ((method: string) => void) | undefined

  /** @param maxKeys the maximum number of keys of a list */
  constructor(private readonly maxKeys = 1_000) {}

  private request(method: string): Promise<void> {
    this.requests.push(method)
    this.fail?.(method)
    return Promise.resolve()
  }

  store(key: string, bytes: string | Buffer): { readonly ETag: string } {
    const content = Buffer.from(bytes)
    const etag = `"${createHash('md5').update(content).digest('hex')}"`
    this.objects.set(key, { bytes: content, etag, time: new Date() })
    return { ETag: etag }
  }

  private find(key: string, name = 'NoSuchKey'): MemoryObject {
    const object = this.objects.get(key)
    if (object === undefined) throw failure(name, 404)
    return object
  }

  private check(key: string, { IfMatch, IfNoneMatch }: { IfMatch?: unknown; IfNoneMatch?: unknown }): void {
    const etag = this.objects.get(key)?.etag
    if ((IfMatch !== undefined && IfMatch !== etag) || (IfNoneMatch !== undefined && etag !== undefined))
      throw failure('PreconditionFailed', 412)
  }

  getObject: ObjectStorageClient['getObject'] = async ({ Key, Range, IfMatch }) => {
    await this.request('get')
    const { bytes } = this.find(Key)
    this.check(Key, { IfMatch })
    const [, start = '0', end = String(bytes.length)] = /^bytes=(\d+)-(\d+)$/.exec(Range ?? '') ?? []
    return { Body: Readable.from([bytes.subarray(Number(start), Number(end) + 1)]) }
  }

  headObject: ObjectStorageClient['headObject'] = async ({ Key }) => {
    await this.request('head')
    const { bytes, etag, time } = this.find(Key, 'NotFound')
    return { ContentLength: bytes.length, ETag: etag, LastModified: time }
  }

  listObjectsV2: ObjectStorageClient['listObjectsV2'] = async (input) => {
    const { Prefix, Delimiter, StartAfter = '', ContinuationToken = StartAfter, MaxKeys = 1_000 } = input
    await this.request('list')
    const limit = Math.min(MaxKeys, this.maxKeys)
    const encode = (key: string): string => encodeURIComponent(key).replaceAll('%20', '+')
    const found: string[] = []
    for (const key of [...this.objects.keys()].sort(compareStrings)) {
      if (!key.startsWith(Prefix) || compareStrings(key, ContinuationToken) <= 0) continue
      const end = Delimiter === undefined ? -1 : key.indexOf(Delimiter, Prefix.length)
      const listed = end < 0 ? key : key.slice(0, end + 1)
      if (end >= 0 && ContinuationToken.startsWith(listed)) continue
      if (found.at(-1) !== listed) found.push(listed)
    }
    const page = found.slice(0, limit)
    const last = page.at(-1) ?? ''
    const isPrefix = (key: string): boolean =>
      Delimiter !== undefined && key.endsWith(Delimiter) && key !== Prefix
    return {
      Contents: page
        .filter((key) => !isPrefix(key))
        .map((key) => {
          const { bytes, etag, time } = this.find(key)
          return { Key: encode(key), Size: bytes.length, ETag: etag, LastModified: time }
        }),
      CommonPrefixes: page.filter(isPrefix).map((key) => ({ Prefix: encode(key) })),
      EncodingType: 'url',
      NextContinuationToken: found.length > page.length ? last : undefined,
    } satisfies ObjectListOutput
  }

  putObject: ObjectStorageClient['putObject'] = async ({ Key, Body, ...condition }) => {
    await this.request('put')
    this.check(Key, condition)
    return this.store(Key, Buffer.from(Body))
  }

  deleteObject: ObjectStorageClient['deleteObject'] = async ({ Key }) => {
    await this.request('delete')
    this.objects.delete(Key)
  }

  headBucket: ObjectStorageClient['headBucket'] = () => this.request('bucket')

  createMultipartUpload: ObjectStorageClient['createMultipartUpload'] = async () => {
    await this.request('create')
    const UploadId = String(this.uploads.size + 1)
    this.uploads.set(UploadId, new Map())
    return { UploadId }
  }

  uploadPart: ObjectStorageClient['uploadPart'] = async ({ UploadId = '', PartNumber, Body }) => {
    await this.request('part')
    this.uploads.get(UploadId)?.set(PartNumber, Buffer.from(Body))
    return { ETag: `"${PartNumber}"` }
  }

  completeMultipartUpload: ObjectStorageClient['completeMultipartUpload'] = async (input) => {
    const { Key, UploadId = '', MultipartUpload, ...condition } = input
    await this.request('complete')
    this.check(Key, condition)
    const parts = this.uploads.get(UploadId)
    this.uploads.delete(UploadId)
    const bytes = MultipartUpload.Parts.map(({ PartNumber = 0 }) => parts?.get(PartNumber) ?? Buffer.alloc(0))
    return this.store(Key, Buffer.concat(bytes))
  }

  abortMultipartUpload: ObjectStorageClient['abortMultipartUpload'] = async ({ UploadId = '' }) => {
    await this.request('abort')
    this.uploads.delete(UploadId)
  }
}
