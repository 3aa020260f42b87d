import type { ComplexType, EdmModel, EntitySet } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { MediaProvider } from '../provider/media.js'
import type { RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import type { PayloadReader } from './payload.js'

/** Values that all documents of one response share. */
export interface WriteContext {
  /** Absolute address of the service, with a slash at the end. */
  readonly root: string
  readonly version: '1.0' | '2.0'
  /** Time of the response, `2024-01-02T03:04:05Z`, for Atom elements that must have one. */
  readonly updated: string
  /** Whether JSON shows Edm.Double and Edm.Single as numbers rather than strings. */
  readonly doubleAsNumber: boolean
  /** Returns the media provider of a set. */
  readonly media: (set: EntitySet) => MediaProvider<Row> | undefined
}

/** What a feed says of itself before its entries. */
export interface FeedInfo {
  readonly title: string
  /** Address of the collection relative to the service root, without query. */
  readonly path: string
  readonly inlineCount: number | undefined
  readonly isEmpty: boolean
}

/** Writes feeds of one projection. Made once for each projection, and kept. */
export interface FeedWriter {
  open(info: FeedInfo, context: WriteContext): string
  /** The entry of one row. @param isFirst whether it is the first of the feed */
  entry(batch: RowBatch, index: number, isFirst: boolean, context: WriteContext): string
  /** @param next absolute address of the next page */
  close(next: string | undefined, context: WriteContext): string
}

/** Writes lists of links. */
export interface LinksWriter {
  open(inlineCount: number | undefined, context: WriteContext): string
  link(uri: string, isFirst: boolean): string
  close(next: string | undefined, context: WriteContext): string
}

/** A value that is not an entity, with its name. */
export interface NamedValue {
  readonly name: string
  readonly type: PrimitiveTypeName | ComplexType
  readonly precision?: number | undefined
}

/** What a document represents, which decides about its media type. */
export type RepresentationKind = 'serviceDocument' | 'feed' | 'entry' | 'value'

/**
 * One way to represent resources. Everything that differs between Atom and JSON is behind this interface.
 *
 * @spec MS-ODATA 2.2.6
 */
export interface Format {
  readonly name: string
  /** Reads the bodies of requests. */
  readonly read: PayloadReader
  serviceDocument(model: EdmModel, context: WriteContext): string
  feed(projection: Projection): FeedWriter
  /** A document of one entity, the first of a batch. */
  entry(projection: Projection, batch: RowBatch, context: WriteContext): string
  value(value: NamedValue, content: unknown, context: WriteContext): string
  /** What a function returns that gives several values. */
  values(value: NamedValue, contents: readonly unknown[], context: WriteContext): string
  link(uri: string, context: WriteContext): string
  readonly links: LinksWriter
  error(error: ODataError): string
}
