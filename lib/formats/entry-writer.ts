import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { RowLayout } from '../evaluation/value-row.js'
import { layoutOf } from '../evaluation/value-row.js'
import type { RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import { ByteWriter } from '../util/byte-writer.js'
import { getOrCreate } from '../util/get-or-create.js'
import { compileByteEntry, compileValueEntry } from './byte-entry.js'
import { keyWriter, pathPrefix } from './entity-address.js'
import { entryLayoutOf, ObjectLayout } from './entry-layout.js'
import type { EntryFormat, EntryWriter, StaticContext, WriteEntry, WriteEntryBytes } from './entry-steps.js'
import { compileEntrySteps, KEY } from './entry-steps.js'
import type { WriteContext } from './format.js'
import type { PartPosition } from './static-text.js'
import { AFTER_NULL, AFTER_VALUE } from './static-text.js'

/**
 * Returns a function that returns the entry writer of a projection. A writer is compiled once for each projection, and
 * specialized for the entity types, layouts of rows and service roots that occur.
 */
export function entryWriters(
  partsOf: EntryFormat['partsOf'],
  separator: string,
): (projection: Projection) => EntryWriter {
  const writers = new WeakMap<Projection, EntryWriter>()
  const entry = (projection: Projection): EntryWriter =>
    getOrCreate(writers, projection, () => specializingWriter(projection, { separator, partsOf, entry }))
  return entry
}

/** A writer, and what it is specialized for. */
interface SpecialWriter extends StaticContext, EntryWriter {
  readonly layout: RowLayout | undefined
  readonly type: EntityType
}

/** The number of writers that are cached for a projection. Clients may choose the root by the header Host. */
const MAX_WRITERS = 100

function specializingWriter(projection: Projection, format: EntryFormat): EntryWriter {
  const { entityType } = projection
  const hasSubtypes = entityType.derivedTypes.length > 0
  const writers: SpecialWriter[] = []
  let last: SpecialWriter | undefined
  const writerOf = (batch: RowBatch, index: number, context: WriteContext): EntryWriter => {
    const row = batch.rows[index] as Row
    const layout = layoutOf(row)
    const type = hasSubtypes ? typeOfRow(row, entityType) : entityType
    if (last !== undefined && fits(last, layout, type, context)) return last
    last = writers.find((one) => fits(one, layout, type, context))
    if (last === undefined) {
      const { root, doubleAsNumber, etags } = context
      last = {
        ...createWriter(projection, format, layout, type, context),
        layout,
        type,
        root,
        doubleAsNumber,
        etags,
      }
      if (writers.unshift(last) > MAX_WRITERS) writers.pop()
    }
    return last
  }
  return {
    write: (batch, index, isFirst, context) =>
      writerOf(batch, index, context).write(batch, index, isFirst, context),
    writeBytes(batch, index, isFirst, context, out) {
      writerOf(batch, index, context).writeBytes(batch, index, isFirst, context, out)
    },
  }
}

function fits(
  writer: SpecialWriter,
  layout: RowLayout | undefined,
  type: EntityType,
  { root, doubleAsNumber, etags }: StaticContext,
): boolean {
  return (
    writer.layout === layout &&
    writer.type === type &&
    writer.root === root &&
    writer.doubleAsNumber === doubleAsNumber &&
    writer.etags === etags
  )
}

function createWriter(
  projection: Projection,
  format: EntryFormat,
  layout: RowLayout | undefined,
  type: EntityType,
  context: StaticContext,
): EntryWriter {
  const parts = format.partsOf(projection, type, context)
  if (layout?.hasBytes === true) return entryOfBytes(compileByteEntry(parts, projection, format, layout))
  let writeBytes: WriteEntryBytes | undefined
  return {
    write: compileEntry(parts, projection, format, layout),
    // Compiled for the first long page.
    writeBytes(batch, index, isFirst, entryContext, out) {
      writeBytes ??= compileValueEntry(parts, projection, format, layout)
      writeBytes(batch, index, isFirst, entryContext, out)
    },
  }
}

/** Collects the bytes of single entries. */
const scratch = new ByteWriter()

function entryOfBytes(writeBytes: WriteEntryBytes): EntryWriter {
  return {
    write: (batch, index, isFirst, context) =>
      scratch.textOf((out) => writeBytes(batch, index, isFirst, context, out)),
    writeBytes,
  }
}

/** Compiles the parts of an entry for rows of a layout into a function that concatenates their strings. */
function compileEntry(
  parts: ReturnType<EntryFormat['partsOf']>,
  projection: Projection,
  entryFormat: EntryFormat,
  rows: RowLayout | undefined,
): WriteEntry {
  const layout = rows === undefined ? new ObjectLayout() : entryLayoutOf(rows)
  const writeKey = keyWriter(projection.entityType, layout)
  const prefix = `${pathPrefix(projection.set)}(`
  const { steps, end } = compileEntrySteps(parts, prefix, projection, entryFormat, layout)
  return (batch, index, isFirst, context) => {
    const row = batch.rows[index] as Row
    const cells = layout.cells(row)
    const key = writeKey(cells, row)
    let entry = ''
    let position: PartPosition = isFirst ? AFTER_VALUE : AFTER_NULL
    for (const step of steps) {
      const { index: cellIndex } = step
      if (cellIndex >= 0) {
        const cell = cells[cellIndex]
        if (cell === null || cell === undefined) {
          step.warnOnNull?.(`${prefix}${key})`)
          entry += step.ofNull[position]
          position = AFTER_NULL
          continue
        }
        const text = step.format(cell, step.precision)
        const before = step.ofValue[position]
        entry += text === undefined ? step.formatOther(before, cell) : before + text
      } else {
        entry += step.ofValue[position]
        entry += cellIndex === KEY ? key : step.write(row, `${prefix}${key})`, context, batch, index)
      }
      position = AFTER_VALUE
    }
    return entry + end[position]
  }
}
