import type { OpaqueTags } from '../data/opaque-tags.js'
import type { EntitySet, EntityType, Property } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { ValueColumn } from '../evaluation/value-row.js'
import type { CellFormatter } from './entry-layout.js'
import type { WriteContext } from './format.js'
import { literalFormatter } from './literal-text.js'
import type { Delimiters } from './static-text.js'

/** A part of an entry. Parts are serialized in order. */
export type EntryPart =
  TextPart | PathPart | UpdatedPart | ValuePart | InlineEntryPart | InlineFeedPart | ComputedPart

/** Static text. */
interface TextPart {
  readonly kind: 'Text'
  readonly text: string
}

/** The path of the entity, relative to the service root. */
interface PathPart {
  readonly kind: 'Path'
}

/** The time of the response. */
export interface UpdatedPart {
  readonly kind: 'Updated'
}

/** The value of a simple property with the text around it. */
export interface ValuePart extends Delimiters {
  readonly kind: 'Value'
  /** The complex properties on the way to it, and the property itself. */
  readonly path: readonly Property[]
  /** @param column describes the cells; undefined for values */
  readonly formatter: (column: ValueColumn | undefined) => CellFormatter
}

/** One related entity. */
export interface InlineEntryPart {
  readonly kind: 'InlineEntry'
  /** The index of the expansion in the projection. */
  readonly expansion: number
  readonly opening: string
  readonly closing: string
  readonly whenEmpty: string
}

/** Related entities. */
export interface InlineFeedPart {
  readonly kind: 'InlineFeed'
  /** The index of the expansion in the projection. */
  readonly expansion: number
  /** @param path of the entity, relative to the service root */
  readonly open: (path: string, context: WriteContext, isEmpty: boolean) => string
  readonly close: (context: WriteContext) => string
  /** Replaces `close` when the page does not contain all entities. @param last the last entity of the page */
  readonly closingOfTruncated: (path: string, last: Row, context: WriteContext) => string
}

/** A part that is computed from the row. */
export interface ComputedPart {
  readonly kind: 'Computed'
  readonly write: (row: Row, path: string, context: WriteContext) => string
}

export function text(of: string): TextPart {
  return { kind: 'Text', text: of }
}

/** Returns the value of a property as a percent-encoded literal, which is used for null as well. */
export function literalPart(property: Property, opening = ''): ValuePart {
  return {
    kind: 'Value',
    path: [property],
    opening,
    closing: '',
    whenNull: `${opening}null`,
    formatter: (column) => literalFormatter(property, column),
  }
}

/** The entities whose ETags are serialized. */
interface TaggedEntities {
  readonly set: EntitySet
  readonly type: EntityType
  /** Of the sets whose ETags do not follow from the model. */
  readonly etags: OpaqueTags | undefined
}

/**
 * Returns the attribute or member with the ETag, `W/"3"`; nothing if entities have none.
 *
 * @param quote as the format needs it between quotes
 * @param format returns the whole attribute or member
 */
export function etagParts(
  { set, type: { concurrencyTokens }, etags }: TaggedEntities,
  quote: string,
  format: (tag: string) => string,
): readonly EntryPart[] {
  const tagOf = etags?.get(set.path)
  if (tagOf !== undefined) {
    const write = (row: Row): string => {
      const tag = tagOf(row)
      return tag === undefined ? '' : format(tag)
    }
    return [{ kind: 'Computed', write }]
  }
  if (concurrencyTokens.length === 0) return []
  const [opening = '', closing = ''] = format('*').split('*')
  const tokens = concurrencyTokens.map((property, index) =>
    literalPart(property, index === 0 ? `${opening}W/${quote}` : ','),
  )
  return [...tokens, text(`${quote}${closing}`)]
}
