import type { ExpandedRows, RowBatch } from '../data/row-batch.js'
import type { Row } from '../evaluation/row.js'
import type { RowLayout, ValueRow } from '../evaluation/value-row.js'
import { copyCell } from '../evaluation/value-row.js'
import type { Projection } from '../query/projection.js'
import type { ByteSource, ByteWriter } from '../util/byte-writer.js'
import { utf8Source } from '../util/byte-writer.js'
import { keyWriter, pathPrefix } from './entity-address.js'
import { entryLayoutOf } from './entry-layout.js'
import type { EntryFormat, OtherPart, Step, WriteEntryBytes } from './entry-steps.js'
import { compileSteps, inlineProjection, ROOT } from './entry-steps.js'
import type { EntryPart } from './entry-template.js'
import { text } from './entry-template.js'
import type { WriteContext } from './format.js'
import type { ByForm, Form } from './static-text.js'
import { OF_EXCEPTION, OF_NULL, OF_VALUE } from './static-text.js'

/** One row that is serialized. */
interface EntryContext {
  readonly batch: RowBatch
  readonly index: number
  readonly context: WriteContext
  readonly declarations: string
  /** Returns the path of the entity, relative to the service root. */
  readonly path: () => string
}

/** Adds a part that is not a cell. */
type WritePartBytes = (entry: EntryContext, out: ByteWriter) => void

/** The static text before a value, by the form of the value before. */
type BytesByForm = readonly [ofValue: ByteSource, ofException: ByteSource, ofNull: ByteSource]

/** A step whose static text is bytes. A class: V8 reads members of one class faster. */
class ByteStep {
  readonly index: number
  readonly copy: Step['copy']
  readonly isCopied: boolean
  readonly precision: number | undefined
  readonly isNumber: boolean
  readonly ofValue: BytesByForm
  readonly ofException: BytesByForm
  readonly ofNull: BytesByForm

  constructor(
    readonly step: Step,
    readonly write: WritePartBytes | undefined,
  ) {
    this.index = step.index
    this.copy = step.copy
    this.isCopied = step.copy === copyCell
    this.precision = step.precision
    this.isNumber = step.isNumber
    this.ofValue = bytesOf(step.ofValue)
    this.ofException = bytesOf(step.ofException)
    this.ofNull = bytesOf(step.ofNull)
  }
}

function bytesOf([ofValue, ofException, ofNull]: ByForm): BytesByForm {
  return [utf8Source(ofValue), utf8Source(ofException), utf8Source(ofNull)]
}

/**
 * Compiles the parts of an entry for rows whose cells are bytes. Most cells are copied: there is no value and no string
 * for them.
 */
export function compileByteEntry(
  parts: readonly EntryPart[],
  projection: Projection,
  entryFormat: EntryFormat,
  rows: RowLayout,
): WriteEntryBytes {
  const layout = entryLayoutOf(rows)
  const writeKey = keyWriter(projection.entityType, layout)
  const prefix = `${pathPrefix(projection.set)}(`
  const compiled = compileSteps(withKeys(parts, projection), prefix, projection, entryFormat, layout)
  const steps = compiled.steps.map((step) => new ByteStep(step, partWriter(step, projection, entryFormat)))
  const end = bytesOf(compiled.end)
  const keys = projection.entityType.key.map((property) => layout.indexOf([property]))
  // A property that the rows do not have is null.
  const bounds = new Int32Array(2 * rows.columns.length + 2).fill(-1)
  const located = bounds.subarray(0, 2 * rows.columns.length)
  let root = ''
  let rootBytes = utf8Source(root)
  return (batch, index, context, out, declarations = '') => {
    const row = batch.rows[index] as Row
    const source = rows.locate(row as unknown as ValueRow, located)
    const { view } = source
    const key = (): string => writeKey(layout.cells(row), row)
    for (const cell of keys) if ((bounds[2 * cell] ?? -1) < 0) key()
    if (context.root !== root) {
      root = context.root
      rootBytes = utf8Source(root)
    }
    let form: Form = OF_VALUE
    for (const step of steps) {
      if (step.index < 0) {
        append(out, step.ofValue[form])
        form = OF_VALUE
        if (step.index === ROOT) append(out, rootBytes)
        else step.write?.({ batch, index, context, declarations, path: () => `${prefix}${key()})` }, out)
        continue
      }
      const from = bounds[2 * step.index] ?? -1
      const to = bounds[2 * step.index + 1] ?? -1
      if (from < 0) {
        step.step.warnOnNull?.(`${prefix}${key()})`)
        append(out, step.ofNull[form])
        form = OF_NULL
      } else if (step.isCopied) {
        append(out, step.ofValue[form])
        out.copy(view, from, to)
        form = OF_VALUE
      } else form = addCell(step, form, source, from, to, context, out)
    }
    append(out, end[form])
  }
}

function append(out: ByteWriter, { view, length }: ByteSource): void {
  out.copy(view, 0, length)
}

/** Copies a cell, or formats it where that is not possible. */
function addCell(
  step: ByteStep,
  before: Form,
  source: ByteSource,
  from: number,
  to: number,
  context: WriteContext,
  out: ByteWriter,
): Form {
  if (step.copy !== undefined) {
    const { length } = out
    const form = step.isNumber && context.doubleAsNumber ? OF_EXCEPTION : OF_VALUE
    append(out, (form === OF_VALUE ? step.ofValue : step.ofException)[before])
    if (step.copy(out, source, from, to, step.precision)) return form
    out.length = length
  }
  const { format, formatException, isException, plainText } = step.step
  const cell = source.text.slice(from, to)
  if (isException?.(cell, context) === true) {
    append(out, step.ofException[before])
    out.text(formatException(cell))
    return OF_EXCEPTION
  }
  append(out, step.ofValue[before])
  out.text(plainText?.(cell) ?? format(cell))
  return OF_VALUE
}

/** Replaces the paths of entities by their static text and the literals of their keys. */
function withKeys(
  parts: readonly EntryPart[],
  { entityType: { key }, set }: Projection,
): readonly EntryPart[] {
  const path = key.flatMap((property, index): EntryPart[] => [
    text(key.length === 1 ? '' : `${index === 0 ? '' : ','}${property.name}=`),
    { kind: 'Literal', property },
  ])
  return parts.flatMap((part) =>
    part.kind === 'Path' ? [text(`${pathPrefix(set)}(`), ...path, text(')')] : [part],
  )
}

function partWriter(
  { part, write }: Step,
  projection: Projection,
  entryFormat: EntryFormat,
): WritePartBytes | undefined {
  switch (part?.kind) {
    case undefined:
      return undefined
    case 'InlineEntry':
      return inlineEntryWriter(part, projection, entryFormat)
    case 'InlineFeed':
      return inlineFeedWriter(part, projection, entryFormat)
    case 'Updated':
      return ({ context }, out) => out.text(context.updated)
    case 'Declarations':
      return ({ declarations }, out) => out.text(declarations)
    case 'Computed':
      return ({ batch, index, context, declarations, path }, out) =>
        out.text(write?.(batch.rows[index] as Row, path(), context, batch, index, declarations) ?? '')
  }
}

type InlineEntryPart = Extract<OtherPart, { kind: 'InlineEntry' }>
type InlineFeedPart = Extract<OtherPart, { kind: 'InlineFeed' }>

/** @spec MS-ODATA 2.2.6.2.6.1 (inline representation) */
function inlineEntryWriter(
  { expansion, opening, closing, whenEmpty }: InlineEntryPart,
  projection: Projection,
  entryFormat: EntryFormat,
): WritePartBytes {
  const { writeBytes } = entryFormat.entry(inlineProjection(projection, expansion))
  return ({ batch, index, context }, out) => {
    const { batch: inline, offsets } = batch.expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    if (start === (offsets[index + 1] ?? start)) {
      out.text(whenEmpty)
      return
    }
    out.text(opening)
    writeBytes(inline, start, context, out)
    out.text(closing)
  }
}

function inlineFeedWriter(
  { expansion, separator, closingOfTruncated, open, close }: InlineFeedPart,
  projection: Projection,
  entryFormat: EntryFormat,
): WritePartBytes {
  const { writeBytes } = entryFormat.entry(inlineProjection(projection, expansion))
  const between = utf8Source(separator)
  return ({ batch, index, context, path }, out) => {
    const { batch: inline, offsets, truncated } = batch.expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    const end = offsets[index + 1] ?? start
    out.text(open(path(), context, start === end))
    for (let child = start; child < end; child++) {
      if (child > start) append(out, between)
      writeBytes(inline, child, context, out)
    }
    const isTruncated = context.version === '2.0' && truncated.has(index)
    out.text(
      isTruncated ? closingOfTruncated(path(), inline.rows[end - 1] as Row, context.root) : close(context),
    )
  }
}
