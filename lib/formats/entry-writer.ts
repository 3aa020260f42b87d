import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { RowLayout } from '../evaluation/value-row.js'
import { layoutOf } from '../evaluation/value-row.js'
import type { Projection } from '../query/projection.js'
import { ByteWriter } from '../util/byte-writer.js'
import { compileByteEntry } from './byte-entry.js'
import { keyWriter, pathPrefix } from './entity-address.js'
import type { EntryLayout } from './entry-layout.js'
import { entryLayoutOf, ObjectLayout } from './entry-layout.js'
import type { EntryFormat, EntryWriter, ValueFormat, WriteEntry, WriteEntryBytes } from './entry-steps.js'
import { compileSteps, KEY, ROOT } from './entry-steps.js'
import type { EntryPart } from './entry-template.js'
import type { Form } from './static-text.js'
import { OF_EXCEPTION, OF_NULL, OF_VALUE } from './static-text.js'

/**
 * Returns a function that returns the entry writer of a projection. A writer is compiled once for each projection, and
 * specialized for each entity type and each layout of rows that occurs.
 *
 * @param partsOf returns the parts of the entries of one entity type
 * @param value serializes simple properties
 */
export function entryWriters(
  partsOf: EntryFormat['partsOf'],
  value: ValueFormat,
): (projection: Projection) => EntryWriter {
  const writers = new WeakMap<Projection, EntryWriter>()
  const entry = (projection: Projection): EntryWriter => {
    let writer = writers.get(projection)
    if (writer === undefined) {
      writer = writerOfAllTypes(projection, { value, partsOf, entry })
      writers.set(projection, writer)
    }
    return writer
  }
  return entry
}

function writerOfAllTypes(projection: Projection, format: EntryFormat): EntryWriter {
  const { entityType } = projection
  const base = writerOfAllLayouts(projection, entityType, format)
  if (entityType.derivedTypes.length === 0) return base
  const byType = new Map<EntityType, EntryWriter>([[entityType, base]])
  const writerOf = (row: Row | undefined): EntryWriter => {
    const type = typeOfRow(row ?? {}, entityType)
    let writer = byType.get(type)
    if (writer === undefined) {
      writer = writerOfAllLayouts(projection, type, format)
      byType.set(type, writer)
    }
    return writer
  }
  return {
    write: (batch, index, ...others) => writerOf(batch.rows[index]).write(batch, index, ...others),
    writeBytes: (batch, index, ...others) => writerOf(batch.rows[index]).writeBytes(batch, index, ...others),
  }
}

function writerOfAllLayouts(projection: Projection, type: EntityType, format: EntryFormat): EntryWriter {
  const parts = format.partsOf(projection, type)
  const ofObjects = entryOfText(compileEntry(parts, projection, format, new ObjectLayout()))
  const byLayout = new WeakMap<RowLayout, EntryWriter>()
  let lastLayout: RowLayout | undefined
  let ofLast = ofObjects
  const create = (layout: RowLayout): EntryWriter =>
    layout.hasBytes
      ? entryOfBytes(compileByteEntry(parts, projection, format, layout))
      : entryOfText(compileEntry(parts, projection, format, entryLayoutOf(layout)))
  const find = (layout: RowLayout): EntryWriter => {
    ofLast = byLayout.get(layout) ?? create(layout)
    byLayout.set(layout, ofLast)
    lastLayout = layout
    return ofLast
  }
  return {
    write(batch, index, context, declarations) {
      const layout = layoutOf(batch.rows[index])
      const { write } = layout === undefined ? ofObjects : layout === lastLayout ? ofLast : find(layout)
      return write(batch, index, context, declarations)
    },
    writeBytes(batch, index, context, out, declarations) {
      const layout = layoutOf(batch.rows[index])
      const { writeBytes } = layout === undefined ? ofObjects : layout === lastLayout ? ofLast : find(layout)
      writeBytes(batch, index, context, out, declarations)
    },
  }
}

function entryOfText(write: WriteEntry): EntryWriter {
  return {
    write,
    writeBytes: (batch, index, context, out, declarations) =>
      out.text(write(batch, index, context, declarations)),
  }
}

/** Collects the bytes of single entries. */
const scratch = new ByteWriter()

function entryOfBytes(writeBytes: WriteEntryBytes): EntryWriter {
  return {
    write: (batch, index, context, declarations) =>
      scratch.textOf((out) => writeBytes(batch, index, context, out, declarations)),
    writeBytes,
  }
}

/** Compiles the parts of an entry for rows of a layout into a function that concatenates their strings. */
function compileEntry(
  parts: readonly EntryPart[],
  projection: Projection,
  entryFormat: EntryFormat,
  layout: EntryLayout,
): WriteEntry {
  const writeKey = keyWriter(projection.entityType, layout)
  const prefix = `${pathPrefix(projection.set)}(`
  const { steps, end } = compileSteps(parts, prefix, projection, entryFormat, layout)
  return (batch, index, context, declarations = '') => {
    const row = batch.rows[index] as Row
    const cells = layout.cells(row)
    const key = writeKey(cells, row)
    let entry = ''
    let form: Form = OF_VALUE
    for (const step of steps) {
      const { index: cellIndex } = step
      if (cellIndex >= 0) {
        const cell = cells[cellIndex]
        if (cell === null || cell === undefined) {
          step.warnOnNull?.(`${prefix}${key})`)
          entry += step.ofNull[form]
          form = OF_NULL
        } else if (step.isException !== undefined && step.isException(cell, context)) {
          entry += step.ofException[form] + step.formatException(cell)
          form = OF_EXCEPTION
        } else {
          const { plainText } = step
          const text = plainText === undefined ? undefined : plainText(cell)
          entry += step.ofValue[form] + (text ?? step.format(cell))
          form = OF_VALUE
        }
      } else {
        entry += step.ofValue[form]
        form = OF_VALUE
        if (cellIndex === KEY) entry += key
        else if (cellIndex === ROOT) entry += context.root
        else entry += step.write?.(row, `${prefix}${key})`, context, batch, index, declarations) ?? ''
      }
    }
    return entry + end[form]
  }
}
