import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { RowLayout, ValueRow } from '../evaluation/value-row.js'
import type { EntryPart, InlineEntryPart, InlineFeedPart, TextPart, ValuePart } from './entry-template.js'
import type { ExpandedRows, RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import { entityPathWriter } from './entity-address.js'
import type { WriteContext } from './format.js'
import { literalWriter } from './literal-text.js'
import { watchedForNull } from './missing-values.js'
import type { RowValues, ValueSource } from './value-source.js'
import { valueSource } from './value-source.js'
import type { ValueForms, ValueOpening } from './value-opening.js'
import { EntryTexts } from './value-opening.js'

/**
 * Writes the entry of one row of a batch.
 *
 * @param declarations what the root element of a document declares; for formats that know such things
 */
export type WriteEntry = (
  batch: RowBatch,
  index: number,
  context: WriteContext,
  declarations?: string,
) => string

/** Writes the value of a part for a row, with the text before it. */
export type WriteValue = (values: RowValues, path: string, context: WriteContext) => string

/** How a format writes simple properties. */
export interface ValueFormat {
  readonly forms: (part: ValuePart) => ValueForms
  readonly writer: (part: ValuePart, opening: ValueOpening, source: ValueSource) => WriteValue
}

/** What the writers of a format are made of. */
export interface TemplateFormat {
  readonly value: ValueFormat
  /** The writer of the entries that an expansion shows. */
  readonly entry: (projection: Projection) => WriteEntry
}

/** The ETag, `W/"3"`, between quotes as the format writes them; nothing when the type has no concurrency token. */
export function tagParts({ concurrencyTokens }: EntityType, quote: string): readonly EntryPart[] {
  if (concurrencyTokens.length === 0) return []
  const parts: EntryPart[] = [text(`W/${quote}`)]
  for (const [index, property] of concurrencyTokens.entries()) {
    if (index > 0) parts.push(text(','))
    parts.push({ kind: 'Literal', property })
  }
  return [...parts, text(quote)]
}

export function text(of: string, version1?: string): TextPart {
  return version1 === undefined ? { kind: 'Text', text: of } : { kind: 'Text', text: of, version1 }
}

/** Everything of an entry that is written: the row and what is known of it already. */
type WritePart = (
  values: RowValues,
  path: string,
  context: WriteContext,
  batch: RowBatch,
  index: number,
  declarations: string,
) => string

/**
 * Returns the writer of entries that consist of some parts.
 *
 * @param layout of `ValueRow`s; undefined for rows that are objects
 */
export function templateWriter(
  template: readonly EntryPart[],
  projection: Projection,
  format: TemplateFormat,
  layout?: RowLayout,
): WriteEntry {
  const writePath = entityPathWriter(projection.set, layout)
  const parts = partWriters(template, projection, format, layout)
  return (batch, index, context, declarations = '') => {
    // The index is one of the batch's own.
    const row = batch.rows[index] as Row
    const values = layout === undefined ? row : layout.cells(row as unknown as ValueRow)
    const path = writePath(values)
    let entry = ''
    for (const write of parts) entry += write(values, path, context, batch, index, declarations)
    return entry
  }
}

function partWriters(
  parts: readonly EntryPart[],
  projection: Projection,
  format: TemplateFormat,
  layout?: RowLayout,
): readonly WritePart[] {
  const writers: WritePart[] = []
  const texts = new EntryTexts()
  const endTexts = (): void => {
    const write = texts.end()
    if (write !== undefined) writers.push(write)
  }
  for (const part of parts) {
    if (part.kind === 'Text' && part.version1 === undefined) texts.add(part.text)
    else if (part.kind === 'Value') {
      const opening = texts.addValue(format.value.forms(part))
      const source = valueSource(part.path, layout)
      writers.push(watchedForNull(part, source.read, format.value.writer(part, opening, source)))
    } else {
      endTexts()
      writers.push(partWriter(part, projection, format, layout))
    }
  }
  endTexts()
  return writers
}

type OtherPart = Exclude<EntryPart, ValuePart>

function partWriter(
  part: OtherPart,
  projection: Projection,
  format: TemplateFormat,
  layout: RowLayout | undefined,
): WritePart {
  switch (part.kind) {
    case 'Text':
      return textWriter(part)
    case 'Root':
      return (_row, _path, { root }) => root
    case 'Path':
      return (_row, path) => path
    case 'Updated':
      return (_row, _path, { updated }) => updated
    case 'Declarations':
      return (_row, _path, _context, _batch, _index, declarations) => declarations
    case 'Literal': {
      const write = literalWriter(part.property, layout)
      return (values) => write(values)
    }
    case 'InlineEntry':
      return inlineEntryWriter(part, projection, format)
    case 'InlineFeed':
      return inlineFeedWriter(part, projection, format)
    case 'Computed': {
      const { write } = part
      return layout === undefined
        ? (values, path, context) => write(values as Row, path, context)
        : (values, path, context) => write(layout.object(values as readonly unknown[]), path, context)
    }
  }
}

function textWriter({ text, version1 }: TextPart): WritePart {
  if (version1 === undefined) return () => text
  return (_row, _path, { version }) => (version === '1.0' ? version1 : text)
}

/** @spec MS-ODATA 2.2.6.2.6.1 (inline representation) */
function inlineEntryWriter(part: InlineEntryPart, projection: Projection, format: TemplateFormat): WritePart {
  const { expansion, opening, closing, whenNone } = part
  const write = format.entry(inlineProjection(projection, expansion))
  return (_row, _path, context, { expansions }, index) => {
    const { batch, starts } = expansions[expansion] as ExpandedRows
    const start = starts[index] ?? 0
    if (start === (starts[index + 1] ?? start)) return whenNone
    return opening + write(batch, start, context) + closing
  }
}

function inlineFeedWriter(part: InlineFeedPart, projection: Projection, format: TemplateFormat): WritePart {
  const { expansion, separator, closingOfCut } = part
  const write = format.entry(inlineProjection(projection, expansion))
  const open = sequence(partWriters(part.opening, projection, format))
  const openNone = sequence(partWriters(part.openingOfNone, projection, format))
  const close = sequence(partWriters(part.closing, projection, format))
  return (values, path, context, outer, index, declarations) => {
    const { batch, starts, cut } = outer.expansions[expansion] as ExpandedRows
    const start = starts[index] ?? 0
    const end = starts[index + 1] ?? start
    let feed = (start === end ? openNone : open)(values, path, context, outer, index, declarations)
    for (let child = start; child < end; child++) {
      if (child > start) feed += separator
      feed += write(batch, child, context)
    }
    if (context.version === '2.0' && cut.has(index)) {
      return feed + closingOfCut(path, batch.rows[end - 1] as Row, context.root)
    }
    return feed + close(values, path, context, outer, index, declarations)
  }
}

function sequence(writers: readonly WritePart[]): WritePart {
  const [only, ...others] = writers
  if (only !== undefined && others.length === 0) return only
  return (values, path, context, batch, index, declarations) => {
    let written = ''
    for (const write of writers) written += write(values, path, context, batch, index, declarations)
    return written
  }
}

function inlineProjection({ expansions }: Projection, position: number): Projection {
  const expansion = expansions[position]
  if (expansion === undefined) throw new TypeError('The template shows an expansion that there is not.')
  return expansion.projection
}
