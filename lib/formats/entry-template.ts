import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../evaluation/row.js'
import type { WriteContext } from './format.js'

/** A part of an entry. The parts of an entry are written in order. */
export type EntryPart =
  TextPart | AddressPart | LiteralPart | ValuePart | InlineEntryPart | InlineFeedPart | ComputedPart

/** Text as it stands. */
export interface TextPart {
  readonly kind: 'Text'
  readonly text: string
  /** What stands instead in answers of version 1. */
  readonly version1?: string
}

/**
 * The service root with its slash, the path of the entity relative to it, the time of the response, or the declarations
 * of the root element of a document, which are empty within a document.
 */
export interface AddressPart {
  readonly kind: 'Root' | 'Path' | 'Updated' | 'Declarations'
}

/** The literal of a property as it stands in addresses, percent-encoded. */
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
  readonly whenNone: string
}

/** Related entities. */
export interface InlineFeedPart {
  readonly kind: 'InlineFeed'
  readonly expansion: number
  readonly opening: readonly EntryPart[]
  readonly openingOfNone: readonly EntryPart[]
  /** Between two entries. */
  readonly separator: string
  readonly closing: readonly EntryPart[]
  /** Instead of `closing`, when there are more entities than are shown. @param last the last one that is shown */
  readonly closingOfCut: (path: string, last: Row, root: string) => string
}

/** What only the service itself can write. */
export interface ComputedPart {
  readonly kind: 'Computed'
  readonly write: (row: Row, path: string, context: WriteContext) => string
}
