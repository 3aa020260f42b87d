import type { EntityType, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../evaluation/row.js'
import type { WriteContext } from './format.js'

/** A part of an entry. Parts are serialized in order. */
export type EntryPart =
  | TextPart
  | AddressPart
  | DocumentPart
  | LiteralPart
  | ValuePart
  | InlineEntryPart
  | InlineFeedPart
  | ComputedPart

/** Static text. */
export interface TextPart {
  readonly kind: 'Text'
  readonly text: string
}

/** The service root, which ends with a slash, or the path of the entity relative to the service root. */
export interface AddressPart {
  readonly kind: 'Root' | 'Path'
}

/** The time of the response, or the namespace declarations of the root element. Nested entries have neither. */
export interface DocumentPart {
  readonly kind: 'Updated' | 'Declarations'
}

/** The value of a property as a percent-encoded literal. */
export interface LiteralPart {
  readonly kind: 'Literal'
  readonly property: Property
}

/** The value of a simple property with the text around it. */
export interface ValuePart {
  readonly kind: 'Value'
  readonly type: PrimitiveTypeName
  readonly content: ValueContent
  /** The property, preceded by the complex properties that contain it. */
  readonly path: readonly Property[]
  readonly opening: string
  /** Replaces `opening` for strings that begin or end with white space. Default: `opening`. */
  readonly openingOfBlank?: string
  readonly closing: string
  /**
   * Replaces `opening` and `closing` for finite numbers, which have no quotes if {@link WriteContext.doubleAsNumber} is
   * set. Default: `opening` and `closing`.
   */
  readonly ofNumber?: { readonly opening: string; readonly closing: string }
  /** Replaces the whole part for null. */
  readonly whenNull: string
}

/**
 * How a value is formatted: as plain text, as an escaped string, in JSON with quotes, or as milliseconds since 1970.
 */
export type ValueContent = 'Text' | 'String' | 'Milliseconds'

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
  /** Separates two entries. */
  readonly separator: string
  readonly close: (context: WriteContext) => string
  /** Replaces `close` when the page does not contain all entities. @param last the last entity of the page */
  readonly closingOfTruncated: (path: string, last: Row, root: string) => string
}

/** A part that is computed from the row. */
export interface ComputedPart {
  readonly kind: 'Computed'
  readonly write: (row: Row, path: string, context: WriteContext) => string
}

export function text(of: string): TextPart {
  return { kind: 'Text', text: of }
}

/** Returns the parts of an ETag such as `W/"3"`, with quotes escaped for the format. Empty without concurrency tokens. */
export function etagParts({ concurrencyTokens }: EntityType, quote: string): readonly EntryPart[] {
  if (concurrencyTokens.length === 0) return []
  const parts: EntryPart[] = [text(`W/${quote}`)]
  for (const [index, property] of concurrencyTokens.entries()) {
    if (index > 0) parts.push(text(','))
    parts.push({ kind: 'Literal', property })
  }
  return [...parts, text(quote)]
}
