import type { ExpandedRows, RowBatch } from '../data/row-batch.js'
import type { Property } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { RowLayout, ValueRow } from '../evaluation/value-row.js'
import { copyCell } from '../evaluation/value-row.js'
import type { Projection } from '../query/projection.js'
import type { ByteSource } from '../util/byte-source.js'
import type { ByteWriter } from '../util/byte-writer.js'
import { utf8Source } from '../util/byte-source.js'
import { required } from '../util/required.js'
import { keyWriter, pathPrefix } from './entity-address.js'
import { entryLayoutOf, ObjectLayout } from './entry-layout.js'
import type { EntryFormat, OtherPart, Step, WriteEntryBytes } from './entry-steps.js'
import { compileEntrySteps } from './entry-steps.js'
import type { EntryPart } from './entry-template.js'
import { literalPart, text } from './entry-template.js'
import type { WriteContext } from './format.js'
import type { PartPosition, TextBefore } from './static-text.js'
import { AFTER_NULL, AFTER_VALUE } from './static-text.js'

/** One row that is serialized. */
interface EntryContext {
  readonly batch: RowBatch
  readonly index: number
  readonly context: WriteContext
  /** Returns the path of the entity, relative to the service root. */
  readonly path: () => string
}

/** Adds a part that is not a cell. */
type WritePartBytes = (entry: EntryContext, out: ByteWriter) => void

/** The static text before a part. */
type BytesBefore = readonly [afterValue: ByteSource, afterNull: ByteSource]

/** A step whose static text is bytes. A class: V8 reads members of one class faster. */
class ByteStep {
  readonly index: number
  readonly copy: Step['copy']
  readonly isCopied: boolean
  readonly precision: number | undefined
  readonly ofValue: BytesBefore
  readonly ofNull: BytesBefore

  /** @param keyOffset bytes of the key in the static text before its first cell; undefined for other parts */
  constructor(
    readonly step: Step,
    readonly write: WritePartBytes | undefined,
    readonly keyOffset: number | undefined,
    readonly endsKey: boolean,
  ) {
    this.index = step.index
    this.copy = step.copy
    this.isCopied = step.copy === copyCell
    this.precision = step.precision
    this.ofValue = bytesOf(step.ofValue)
    this.ofNull = bytesOf(step.ofNull)
  }
}

function bytesOf([afterValue, afterNull]: TextBefore): BytesBefore {
  return [utf8Source(afterValue), utf8Source(afterNull)]
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
  const { key } = projection.entityType
  const firstPath = parts.findIndex(({ kind }) => kind === 'Path')
  const compiled = compileEntrySteps(
    withKey(parts, firstPath, projection),
    prefix,
    projection,
    entryFormat,
    layout,
  )
  // Every part is a step, except static text.
  const firstKey = parts.slice(0, firstPath).filter(({ kind }) => kind !== 'Text').length
  const steps = compiled.steps.map((step, index) => {
    const keyOffset = index === firstKey ? Buffer.byteLength(nameInKey(key, 0)) : undefined
    const endsKey = index === firstKey + key.length - 1
    return new ByteStep(step, partWriter(step, projection, entryFormat), keyOffset, endsKey)
  })
  const end = bytesOf(compiled.end)
  const keys = key.map((property) => layout.indexOf([property]))
  // A property that the rows do not have is null.
  const bounds = new Int32Array(2 * rows.columns.length + 2).fill(-1)
  const located = bounds.subarray(0, 2 * rows.columns.length)
  const pathOf = (row: Row): string => `${prefix}${writeKey(layout.cells(row), row)})`
  return (batch, index, isFirst, context, out) => {
    const row = batch.rows[index] as Row
    const source = rows.locate(row as unknown as ValueRow, located)
    const { view } = source
    for (const cell of keys) if ((bounds[2 * cell] ?? -1) < 0) pathOf(row)
    let position: PartPosition = isFirst ? AFTER_VALUE : AFTER_NULL
    let keyFrom = 0
    let keyTo = 0
    for (const step of steps) {
      const cell = 2 * step.index
      if (cell < 0) {
        out.add(step.ofValue[position])
        position = AFTER_VALUE
        if (step.write === undefined) out.repeat(keyFrom, keyTo)
        else step.write({ batch, index, context, path: () => pathOf(row) }, out)
        continue
      }
      const from = bounds[cell] ?? -1
      if (from < 0) {
        step.step.warnOnNull?.(pathOf(row))
        out.add(step.ofNull[position])
        position = AFTER_NULL
        continue
      }
      const to = bounds[cell + 1] ?? -1
      if (step.keyOffset !== undefined) keyFrom = out.length + step.ofValue[position].length - step.keyOffset
      if (step.isCopied) {
        out.add(step.ofValue[position])
        out.copy(view, from, to)
      } else addCell(step, position, source, from, to, out)
      if (step.endsKey) keyTo = out.length
      position = AFTER_VALUE
    }
    out.add(end[position])
  }
}

/** Compiles the parts of an entry for rows whose cells are values. */
export function compileValueEntry(
  parts: readonly EntryPart[],
  projection: Projection,
  entryFormat: EntryFormat,
  rows: RowLayout | undefined,
): WriteEntryBytes {
  const layout = rows === undefined ? new ObjectLayout() : entryLayoutOf(rows)
  const writeKey = keyWriter(projection.entityType, layout)
  const prefix = `${pathPrefix(projection.set)}(`
  const compiled = compileEntrySteps(parts, prefix, projection, entryFormat, layout)
  const steps = compiled.steps.map(
    (step) => new ByteStep(step, partWriter(step, projection, entryFormat), undefined, false),
  )
  const end = bytesOf(compiled.end)
  return (batch, index, isFirst, context, out) => {
    const row = batch.rows[index] as Row
    const cells = layout.cells(row)
    const key = writeKey(cells, row)
    const path = (): string => `${prefix}${key})`
    let position: PartPosition = isFirst ? AFTER_VALUE : AFTER_NULL
    for (const step of steps) {
      if (step.index < 0) {
        out.add(step.ofValue[position])
        if (step.write === undefined) out.shortText(key)
        else step.write({ batch, index, context, path }, out)
      } else {
        const cell = cells[step.index]
        if (cell === null || cell === undefined) {
          step.step.warnOnNull?.(path())
          out.add(step.ofNull[position])
          position = AFTER_NULL
          continue
        }
        addValue(step, position, cell, out)
      }
      position = AFTER_VALUE
    }
    out.add(end[position])
  }
}

/** Adds a cell that is a value, with the static text before it. */
function addValue(
  { step, precision, ofValue }: ByteStep,
  position: PartPosition,
  cell: unknown,
  out: ByteWriter,
): void {
  if (step.add !== undefined) {
    const { length } = out
    out.add(ofValue[position])
    if (step.add(out, cell)) return
    out.length = length
  }
  const text = step.format(cell, precision)
  if (text === undefined) out.text(step.formatOther(step.ofValue[position], cell))
  else {
    out.add(ofValue[position])
    out.shortText(text)
  }
}

/** Copies a cell, or formats it where that is not possible. */
function addCell(
  { step, copy, precision, ofValue }: ByteStep,
  position: PartPosition,
  source: ByteSource,
  from: number,
  to: number,
  out: ByteWriter,
): void {
  if (copy !== undefined) {
    const { length } = out
    out.add(ofValue[position])
    if (copy(out, source, from, to, precision)) return
    out.length = length
  }
  const cell = source.text.slice(from, to)
  const before = step.ofValue[position]
  const text = step.format(cell, precision)
  out.text(text === undefined ? step.formatOther(before, cell) : before + text)
}

/** Replaces the first path of the entity by its static text and the literals of its key. Others repeat these bytes. */
function withKey(
  parts: readonly EntryPart[],
  firstPath: number,
  { entityType: { key }, set }: Projection,
): readonly EntryPart[] {
  const path = key.flatMap((property, index): EntryPart[] => [
    text(`${index === 0 ? '' : ','}${nameInKey(key, index)}`),
    literalPart(property),
  ])
  return parts.flatMap((part, index) =>
    index === firstPath ? [text(`${pathPrefix(set)}(`), ...path, text(')')] : [part],
  )
}

/** Returns the name of a property with an equals sign if the key has several properties. */
function nameInKey(key: readonly Property[], index: number): string {
  return key.length === 1 ? '' : `${required(key[index]).name}=`
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
      return updatedWriter()
    case 'Computed':
      return ({ batch, index, context, path }, out) =>
        out.text(write(batch.rows[index] as Row, path(), context, batch, index))
  }
}

/** Creates a writer of `updated`, which converts the time once: it is the same for all responses of a second. */
function updatedWriter(): WritePartBytes {
  let text = ''
  let source = utf8Source(text)
  return ({ context: { updated } }, out) => {
    if (updated !== text) {
      text = updated
      source = utf8Source(text)
    }
    out.add(source)
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
  const { writeBytes } = entryFormat.entry(required(projection.expansions[expansion]).projection)
  return ({ batch, index, context }, out) => {
    const { batch: inline, offsets } = batch.expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    if (start === (offsets[index + 1] ?? start)) {
      out.text(whenEmpty)
      return
    }
    out.text(opening)
    writeBytes(inline, start, true, context, out)
    out.text(closing)
  }
}

function inlineFeedWriter(
  { expansion, closingOfTruncated, open, close }: InlineFeedPart,
  projection: Projection,
  entryFormat: EntryFormat,
): WritePartBytes {
  const { writeBytes } = entryFormat.entry(required(projection.expansions[expansion]).projection)
  return ({ batch, index, context, path }, out) => {
    const { batch: inline, offsets, truncated } = batch.expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    const end = offsets[index + 1] ?? start
    out.text(open(path(), context, start === end))
    for (let child = start; child < end; child++) writeBytes(inline, child, child === start, context, out)
    const isTruncated = context.version === '2.0' && truncated.has(index)
    out.text(isTruncated ? closingOfTruncated(path(), inline.rows[end - 1] as Row, context) : close(context))
  }
}
