import type { Readable } from 'node:stream'
import type { NavigationProperty } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ProviderCall } from './provider-call.js'

/**
 * Reads and changes the media resources of the media link entries of an entity set.
 *
 * @typeParam R type of a row
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const media: MediaProvider<{ readonly path: string }> = {
 *   contentType: () => 'image/png',
 *   open: async ({ path }) => {
 *     const bytes = await readFile(path)
 *     return { contentType: 'image/png', size: bytes.length, stream: () => bytes, close: () => undefined }
 *   },
 * }
 * @spec MS-ODATA 2.2.6.5.8 (retrieving a media resource)
 */
export interface MediaProvider<R, Context = unknown> {
  /**
   * True if entities can exist without a media resource: a `POST` of an Atom entry, or of JSON without `Slug`, then inserts
   * an entity without one. Default: false, so that only Atom entries are entities, and their media resource is empty.
   */
  readonly isOptional?: boolean | undefined
  /** Returns the content type of a media resource. Called for every row, so it must not do I/O. */
  contentType(row: R): string
  /** Returns the ETag of a media resource with its quotes, if it is known without I/O. */
  etag?(row: R): string | undefined
  /**
   * Opens the media resource of an entity.
   *
   * @param request the range that the client requests, for stores that select bytes when they open a resource
   * @returns undefined when it does not exist
   * @throws ODataError RangeNotSatisfiable with `details.contentRange`, such as `bytes *\/1200`, for a range outside of it
   */
  open(row: R, call: ProviderCall<Context>, request?: MediaRequest): PromiseOrValue<MediaResource | undefined>
  /**
   * Replaces the media resource of an entity. Readers see the old bytes until the new ones are complete; after an error
   * the old ones remain. Without this method media resources are read-only.
   *
   * @returns the ETag of the new media resource, if it is known. Otherwise the service opens the media resource to get
   * it; outside of a change set another client may have replaced it by then.
   * @throws ODataError PreconditionFailed when the ETag of the media resource is not `content.ifMatch`
   */
  write?(
    row: R,
    content: MediaContent,
    call: ProviderCall<Context>,
  ): PromiseOrValue<void> | PromiseOrValue<string | undefined>
  /** Deletes the media resource but not its entity. Without this method, clients can only delete the entity. */
  remove?(row: R, call: ProviderCall<Context>): PromiseOrValue<void>
  /**
   * Inserts a media resource together with its entity, for stores that generate the key. Without this method the service
   * calls `insert` of the entity set, then `write`.
   *
   * @returns the entity as it is stored
   */
  insert?(content: NewMedia, call: ProviderCall<Context>): PromiseOrValue<R>
  /**
   * Buffers the bytes before a change set begins, for stores with a single writer: otherwise a slow client would block
   * all changes. The returned bytes can be read more than once, because a change set may be retried: see
   * {@link ChangeSet}.
   */
  receive?(content: MediaContent, call: ProviderCall<Context>): PromiseOrValue<MediaContent>
}

/**
 * The part of a media resource that a client requests.
 *
 * @example
 * const headersOf = ({ range }: MediaRequest) => (range === undefined ? {} : { range })
 */
export interface MediaRequest {
  /**
   * A single valid range: `bytes=0-99`, `bytes=100-` or `bytes=-50`. A provider that returns only these bytes states them in
   * `range` of the media resource. Others ignore it. Absent for all bytes, and with `If-Range`.
   */
  readonly range?: string | undefined
}

/**
 * A media resource that a client sends.
 *
 * @example
 * import { basename } from 'node:path'
 * const save = ({ slug, bytes }: MediaContent) => writeFile(`uploads/${basename(slug ?? 'unnamed')}`, bytes)
 */
export interface MediaContent {
  /** The media type that the client declares: `image/png`. */
  readonly contentType: string
  /**
   * The bytes, which can be read once. Reading fails when the client disconnects or sends more than
   * `limits.mediaBytes`.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  /**
   * The name that the client suggests: its decoded `Slug` header, or the file name of a form upload. The provider may
   * use, change or ignore it.
   */
  readonly slug?: string | undefined
  /** The expected ETag of the media resource to replace, from `If-Match`. Undefined: replace any version. */
  readonly ifMatch?: string | undefined
  /**
   * Releases resources that `receive` holds for the content. The service calls it once, after the last use of the content
   * in its request; a change set of a batch may still be open.
   *
   * @throws an error that `onError` is called with
   */
  release?(): PromiseOrValue<void>
}

/**
 * A media resource to insert together with its entity.
 *
 * @example
 * const insert = async ({ slug, permit }: NewMedia) => {
 *   const row = { ID: 1, FileName: slug ?? 'unnamed' }
 *   await permit(row)
 *   return row
 * }
 */
export interface NewMedia extends MediaContent {
  /** The values of the entity, if the client sent an entity instead of a media resource. `bytes` is empty then. */
  readonly values?: Row | undefined
  /** The entity to link the new one to, if the client posted to a navigation property. */
  readonly source?: MediaSource | undefined
  /**
   * Checks authorization. Call it with the new entity before other requests can read it.
   *
   * @throws ODataError Forbidden when the caller is not allowed to insert this entity
   */
  permit(row: Row): Promise<void>
}

/**
 * The entity to link a new media link entry to.
 *
 * @example const albumOf = ({ entitySet, row }: MediaSource) => (entitySet === 'Albums' ? row.ID : undefined)
 */
export interface MediaSource {
  /** Name of the entity set of the source. */
  readonly entitySet: string
  /** The navigation property of the source that leads to the new entity. */
  readonly navigation: NavigationProperty
  /** The source. */
  readonly row: Row
}

/**
 * An opened media resource. The service calls either `stream` or `close`, once.
 *
 * @example
 * const resourceOf = (bytes: Uint8Array): MediaResource => ({
 *   contentType: 'image/png',
 *   size: bytes.length,
 *   stream: (range) => (range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
 *   close: () => undefined,
 * })
 */
export interface MediaResource {
  /** The media type of the bytes: `image/png`. */
  readonly contentType: string
  /** Length of the whole resource in bytes, if known. Range requests require it, unless the resource has a `range`. */
  readonly size?: number | undefined
  /**
   * Positions of the first and the last byte that `stream` returns, if these are the range that `open` was called with.
   * Default: `stream` selects the bytes.
   */
  readonly range?: { readonly start: number; readonly end: number } | undefined
  /** The time of the last change, for `Last-Modified`. */
  readonly lastModified?: Date | undefined
  /** The ETag with its quotes. Prefix it with `W/` (weak) if different bytes can have the same ETag. */
  readonly etag?: string | undefined
  /** File name for downloads. */
  readonly fileName?: string | undefined
  /**
   * Returns the bytes.
   *
   * @param range positions of the first and the last requested byte. Default: all bytes
   */
  stream(range?: { readonly start: number; readonly end: number }): Readable | Uint8Array
  /** Releases resources. Called instead of `stream` when the bytes are not needed. */
  close(): void
}
