import type { ComplexType, EdmModel, EntitySet } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { MediaProvider } from '../provider/media.js'
import type { OpaqueTags } from '../data/opaque-tags.js'
import type { RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import type { ByteWriter } from '../util/byte-writer.js'
import type { PayloadReader } from './payload.js'

/** Values that all documents of one response share. */
export interface WriteContext {
  /** Absolute URL of the service, with a trailing slash. */
  readonly root: string
  readonly version: '1.0' | '2.0'
  /** Time of the response, `2024-01-02T03:04:05Z`, for Atom elements that must have one. */
  readonly updated: string
  /** True if JSON represents Edm.Double and Edm.Single as numbers rather than strings. */
  readonly doubleAsNumber: boolean
  /** Of the sets whose ETags do not follow from the model; undefined without such sets. */
  readonly etags?: OpaqueTags | undefined
  /** Signs an absolute link to a page; undefined for services whose links are not signed. */
  readonly sign?: ((link: string) => string) | undefined
  /** Returns the media provider of a set. */
  readonly media: (set: EntitySet) => MediaProvider<Row> | undefined
}

/** The values of a feed before its entries. */
export interface FeedInfo {
  readonly title: string
  /** Path of the collection relative to the service root. */
  readonly path: string
  readonly inlineCount: number | undefined
  readonly isEmpty: boolean
  /** True if the feed can end with removed entities. */
  readonly isDelta?: boolean | undefined
}

/** The end of a feed of an entity set whose changes are tracked. */
export interface FeedChanges {
  /** Absolute URL of the next delta; undefined if a page follows. */
  readonly deltaLink: string | undefined
  /** Path of the entity set, relative to the service root. */
  readonly path: string
  readonly removed: readonly RemovedEntity[]
  /** True if the feed has no entries. */
  readonly isEmpty: boolean
}

/** An entity that has been deleted, or that the query does not select any more. */
interface RemovedEntity {
  /** Absolute URL of the entity. */
  readonly id: string
  /** The time of the change, `2024-01-02T03:04:05Z`. */
  readonly when: string
}

/** Serializes feeds of one projection, or lists of links. */
export interface FeedWriter {
  open(info: FeedInfo, context: WriteContext): string
  /** Serializes one row. @param isFirst whether it is the first of the feed */
  entry(batch: RowBatch, index: number, isFirst: boolean, context: WriteContext): string
  /** Adds one row to a document of bytes. Default: adds the string of `entry` */
  entryBytes?(batch: RowBatch, index: number, isFirst: boolean, context: WriteContext, out: ByteWriter): void
  /** @param next absolute URL of the next page */
  close(next: string | undefined, context: WriteContext, changes?: FeedChanges): string
}

/** A value that is not an entity, with its name. */
export interface NamedValue {
  readonly name: string
  readonly type: PrimitiveTypeName | ComplexType
  readonly precision?: number | undefined
}

/** The kind of a document, which determines its media types. */
export type RepresentationKind = 'serviceDocument' | 'feed' | 'entry' | 'value'

/**
 * A representation of resources, Atom or JSON. Contains everything in which the two differ.
 *
 * @spec MS-ODATA 2.2.6
 */
export interface Format {
  readonly name: string
  /** Reads the bodies of requests. */
  readonly read: PayloadReader
  serviceDocument(model: EdmModel, context: WriteContext): string
  feed(projection: Projection): FeedWriter
  /** Serializes the first row of a batch as an entry document. */
  entry(projection: Projection, batch: RowBatch, context: WriteContext): string
  value(value: NamedValue, content: unknown, context: WriteContext): string
  /** Serializes the result of a function that returns a collection of values. */
  values(value: NamedValue, contents: readonly unknown[], context: WriteContext): string
  link(uri: string, context: WriteContext): string
  /** @param writePath formats the address of a row, relative to the service root */
  links(writePath: (row: Row) => string): FeedWriter
  error(error: ODataError, language: string): string
}
