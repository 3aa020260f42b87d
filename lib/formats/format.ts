import type { ComplexType, EdmModel } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { ODataError } from '../errors/odata-error.js'
import type { EntryContext, EntryTemplate } from '../provider/entry-template.js'
import type { RowBatch } from '../provider/row-batch.js'
import type { Projection } from '../query/projection.js'
import type { PayloadReader } from './payload.js'

/** What all documents of one answer have in common. */
export type WriteContext = EntryContext

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
  /** What an entry consists of; undefined when that depends on the entity, as it can be of several types. */
  readonly template: EntryTemplate | undefined
  /** Between two entries. */
  readonly separator: string
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
