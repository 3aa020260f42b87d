import type { EntityType, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../evaluation/row.js'
import type { WriteContext } from './format.js'

/** A part of an entry. The parts of an entry are written in order. */
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

/** The service root with its slash, or the path of the entity relative to it. */
export interface AddressPart {
  readonly kind: 'Root' | 'Path'
}

/** The time of the response, or the declarations of the root element of a document, which are empty within one. */
export interface DocumentPart {
  readonly kind: 'Updated' | 'Declarations'
}

/** The literal of a property as it is in addresses, percent-encoded. */
export interface LiteralPart {
  readonly kind: 'Literal'
  readonly property: Property
}

/** The value of a simple property with the text around it. */
export interface ValuePart {
  readonly kind: 'Value'
  readonly type: PrimitiveTypeName
  readonly content: ValueContent
  /** The complex properties on the way to it, and the property itself. */
  readonly path: readonly Property[]
  readonly opening: string
  /** Instead of `opening`, for texts that begin or end with a blank. Absent: they are no exception. */
  readonly openingOfBlank?: string
  readonly closing: string
  /** Instead of both, for finite numbers where {@link WriteContext.doubleAsNumber} says so. Absent: no exception. */
  readonly ofNumber?: { readonly opening: string; readonly closing: string }
  /** All that is written when there is no value. */
  readonly whenNull: string
}

/**
 * What is written of a value: its plain text, a string as the notation escapes it, in JSON with its quotes, or the
 * milliseconds from 1970 to a point in time.
 */
export type ValueContent = 'Text' | 'String' | 'Milliseconds'

/** One related entity. */
export interface InlineEntryPart {
  readonly kind: 'InlineEntry'
  /** The place of the expansion in the projection. */
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
  /** Between two entries. */
  readonly separator: string
  readonly close: (context: WriteContext) => string
  /** Replaces `close` when there are more entities than the page shows. @param last the last one that it shows */
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

/** Returns the ETag, `W/"3"`, between quotes as the format needs them; nothing if the type has no concurrency token. */
export function etagParts({ concurrencyTokens }: EntityType, quote: string): readonly EntryPart[] {
  if (concurrencyTokens.length === 0) return []
  const parts: EntryPart[] = [text(`W/${quote}`)]
  for (const [index, property] of concurrencyTokens.entries()) {
    if (index > 0) parts.push(text(','))
    parts.push({ kind: 'Literal', property })
  }
  return [...parts, text(quote)]
}
