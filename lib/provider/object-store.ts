import type { Readable } from 'node:stream'
import type { StoredContent } from './media-store.js'

/**
 * Stores objects under keys that the caller chooses, for `fileProvider`: {@link objectStorage}, or your own implementation
 * for another service. Keys are relative to the store, such as `docs/a.txt`.
 *
 * @example
 * const sizeOf = async (store: ObjectStore) => {
 *   const object = await store.findObject('docs/a.txt', AbortSignal.timeout(5_000))
 *   return object?.size
 * }
 */
export interface ObjectStore {
  /** Lists objects in the order of the UTF-8 bytes of their keys. */
  listObjects(query: ObjectListQuery, signal: AbortSignal): Promise<ObjectList>
  /** Returns undefined if the object does not exist. */
  findObject(key: string, signal: AbortSignal): Promise<StoredObject | undefined>
  /**
   * Reads an object.
   *
   * @param object as it was found; another version of it must not be read
   * @param range positions of the first and the last byte. Default: all bytes
   * @returns a stream that fails with an ODataError before its first byte when the object cannot be read
   */
  readObject(
    object: Pick<StoredObject, 'key' | 'etag'>,
    range: { readonly start: number; readonly end: number } | undefined,
  ): Readable
  /**
   * Stores an object. After an error, the object is as it was before.
   *
   * @returns the new ETag, if it is known
   * @throws ODataError PreconditionFailed if `options` do not allow it
   */
  writeObject(
    key: string,
    content: StoredContent,
    options: ObjectWriteOptions,
    signal: AbortSignal,
  ): Promise<string | undefined>
  /** Deletes an object, if it exists. */
  remove(key: string): Promise<void>
  /** Checks that the store can be reached, for `health`. */
  check?(signal: AbortSignal): Promise<void>
}

/**
 * The objects to list.
 *
 * @example const query: ObjectListQuery = { prefix: 'docs/', isShallow: true, limit: 100 }
 */
export interface ObjectListQuery {
  /** The beginning of all keys. */
  readonly prefix: string
  /** If true, objects with a `/` after the prefix are not listed, but their keys up to this `/`. Default: false. */
  readonly isShallow?: boolean | undefined
  /** Lists keys after this one. Default: from the first key. */
  readonly after?: string | undefined
  /** `next` of the list before, to continue it. Default: from the beginning. */
  readonly next?: string | undefined
  /** The maximum number of keys, up to 1000. */
  readonly limit: number
}

/**
 * A part of a list of objects.
 *
 * @example const hasMore = ({ next }: ObjectList) => next !== undefined
 */
export interface ObjectList {
  /** The objects, in order. */
  readonly objects: readonly StoredObject[]
  /** Keys up to a `/`, with it, in order. Empty unless `isShallow` is true. */
  readonly prefixes: readonly string[]
  /** Continues the list; undefined at its end. */
  readonly next: string | undefined
}

/**
 * An object of a store.
 *
 * @example const object: StoredObject = { key: 'a.txt', size: 5, lastModified: new Date(), etag: '"5eb63bbb"' }
 */
export interface StoredObject {
  /** The key. */
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** The time of the last change, or undefined if it is not known. */
  readonly lastModified: Date | undefined
  /** The ETag, with its quotes. */
  readonly etag: string | undefined
}

/**
 * Conditions of a change.
 *
 * @example const options: ObjectWriteOptions = { isNew: true }
 */
export interface ObjectWriteOptions {
  /** The ETag of the object to replace. Default: any. */
  readonly ifMatch?: string | undefined
  /** If true, an existing object is not replaced. Default: false. */
  readonly isNew?: boolean | undefined
  /** Called with the number of bytes before the object can be read. An error discards it. Default: not called. */
  readonly beforeStored?: ((size: number) => Promise<void>) | undefined
}
