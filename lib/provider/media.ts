import type { Readable } from 'node:stream'
import type { NavigationProperty } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
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
  open(row: R, call: ProviderCall<Context>): PromiseOrValue<MediaResource | undefined>
  /**
   * Replaces the media resource of an entity. Readers get the old bytes until the new ones are complete; when the
   * bytes end with an error, or anything else fails, the old ones stay. Without it media resources are read only.
   *
   * @returns the ETag of what was written, from a store that knows it: without it the service opens the media resource
   * to ask, and outside of a change set that may be what somebody else has written by then
   * @throws ODataError PreconditionFailed when the media resource has not the tag that `content.replaces` names
   */
  write?(
    row: R,
    content: MediaContent,
    call: ProviderCall<Context>,
  ): PromiseOrValue<void> | PromiseOrValue<string | undefined>
  /** Removes the media resource of an entity that stays. Without it only its entity can be deleted. */
  remove?(row: R, call: ProviderCall<Context>): PromiseOrValue<void>
  /**
   * Adds a media resource together with its entity, for a store that finds the key itself. Without it the service
   * calls `insert` of the entity set, then `write`.
   *
   * @returns the new entity as it is stored
   */
  insert?(content: NewMedia, call: ProviderCall<Context>): PromiseOrValue<R>
  /**
   * Takes the bytes in before a change begins, and returns content whose bytes are there. For a store that can make
   * only one change at a time: a client that sends slowly must not hold up all others. The bytes of what is returned
   * can be read more than once, as a change may be made again: see `tryAgain` of {@link ChangeSet}.
   */
  receive?(content: MediaContent): PromiseOrValue<MediaContent>
}

/** A media resource as a client sends it. */
export interface MediaContent {
  readonly contentType: string
  /**
   * The bytes, to be read once. They end with an error when the client has gone away or sends more than
   * `limits.mediaBytes`.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  /**
   * A name that the client would like, decoded: its `Slug`, or the name of the file in a form. It is a hint that may be
   * followed, adjusted or ignored.
   */
  readonly slug?: string | undefined
  /** The ETag of the media resource that may be replaced. Absent: whatever it is. */
  readonly replaces?: string | undefined
}

/** A media resource whose entity does not exist yet. */
export interface NewMedia extends MediaContent {
  /** When the client sent an entity without bytes: its values. The bytes are empty then. */
  readonly values?: Row | undefined
  /** When it was sent to what is related to an entity: that entity, to which the new one is to be linked. */
  readonly source?: MediaSource | undefined
  /**
   * To be called with the new entity before anybody can see it.
   *
   * @throws ODataError Forbidden when the caller may not make an entity like this
   */
  permit(row: Row): Promise<void>
}

/** An entity that a new media link entry is to be linked to. */
export interface MediaSource {
  readonly entitySet: string
  readonly navigation: NavigationProperty
  readonly row: Row
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
