import type { EntitySet, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../evaluation/row.js'
import type { MediaProvider } from './media.js'

/**
 * What an entry of one format consists of, for one type of entity and one projection: the text that is the same for
 * all, and what stands between. It is said once, as data: the service makes its own writers from it, and a provider
 * may make something else of it that gives the same bytes, such as an expression of its database.
 */
export interface EntryTemplate {
  /** The canonical address relative to the service root: text, and properties whose literal stands there. */
  readonly path: readonly (string | Property)[]
  readonly parts: readonly EntryPart[]
}

/** A piece of an entry, in the order in which it is written. */
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
 * What a request or the entity as a whole decides: the service root with its slash, the path of
 * {@link EntryTemplate.path}, the time of the answer, or what the root element of a document declares, which within a
 * document is nothing.
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
  readonly notation: 'json' | 'xml'
  readonly type: PrimitiveTypeName
  readonly content: ValueContent
  /** The complex properties on the way to it, and the property itself. */
  readonly path: readonly Property[]
  readonly opening: string
  /** Instead of `opening`, for texts that begin or end with a blank. Absent: they are no exception. */
  readonly openingOfBlank?: string
  /** What is written of characters of a string that cannot stand for themselves; in JSON that is as JSON has it. */
  readonly escapes?: readonly (readonly [character: string, written: string])[]
  readonly closing: string
  /** Instead of both, for finite numbers where {@link EntryContext.doubleAsNumber} says so. Absent: no exception. */
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
  /** What its entry consists of; undefined when that depends on the entity. */
  readonly template: EntryTemplate | undefined
  readonly opening: string
  readonly closing: string
  readonly whenNone: string
}

/** Related entities. */
export interface InlineFeedPart {
  readonly kind: 'InlineFeed'
  readonly expansion: number
  readonly template: EntryTemplate | undefined
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
  readonly write: (row: Row, path: string, context: EntryContext) => string
}

/** What all entries of one answer have in common. */
export interface EntryContext {
  /** Absolute address of the service, with a slash at the end. */
  readonly root: string
  readonly version: '1.0' | '2.0'
  /** Time of the answer, `2024-01-02T03:04:05Z`, for Atom elements that must have one. */
  readonly updated: string
  /** Whether JSON shows Edm.Double and Edm.Single as numbers rather than strings. */
  readonly doubleAsNumber: boolean
  /** Where the media resources of a set are described. */
  readonly media: (set: EntitySet) => MediaProvider<Row> | undefined
}
