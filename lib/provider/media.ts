import type { Readable } from 'node:stream'
import type { MaybePromise } from '../util/maybe-promise.js'
import type { ProviderCall } from './provider-call.js'

/**
 * The media resources of media link entries.
 *
 * @spec MS-ODATA 2.2.6.5.8 (retrieving a media resource)
 */
export interface MediaProvider<R, Context = unknown> {
  /** The content type of an entity's media resource, which its entry names. Asked for every row: no I/O here. */
  contentType(row: R): string
  /** The ETag of an entity's media resource with its quotes, if it is known without I/O. */
  etag?(row: R): string | undefined
  /** Opens the media resource of an entity; undefined when it has none. */
  open(row: R, call: ProviderCall<Context>): MaybePromise<MediaResource | undefined>
}

/** An opened media resource. Either `stream` or `close` is called, once. */
export interface MediaResource {
  readonly contentType: string
  /** Length in bytes, if known. Without it there are no ranges. */
  readonly size?: number | undefined
  readonly lastModified?: Date | undefined
  /** With quotes, and `W/` before them if the bytes may differ. */
  readonly etag?: string | undefined
  /** A name under which browsers may save it. */
  readonly fileName?: string | undefined
  /**
   * The bytes.
   *
   * @param range the first and the last byte that are wanted; all of them without it
   */
  stream(range?: { readonly start: number; readonly end: number }): Readable | Uint8Array
  /** Called instead of `stream` when the bytes are not wanted. */
  close(): void
}
