import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { RowLayout } from '../evaluation/value-row.js'
import { layoutOf } from '../evaluation/value-row.js'
import type { Projection } from '../query/projection.js'
import type { EntryPart } from './entry-template.js'
import type { ValueFormat, WriteEntry } from './template-writer.js'
import { templateWriter } from './template-writer.js'

/**
 * Returns a function that returns the entry writer of a projection. A writer is made once for each projection,
 * specialized for each entity type that occurs.
 *
 * @param partsOf returns what the entries of one entity type consist of
 * @param value writes simple properties
 */
export function entryWriters(
  partsOf: (projection: Projection, type: EntityType) => readonly EntryPart[],
  value: ValueFormat,
): (projection: Projection) => WriteEntry {
  const writers = new WeakMap<Projection, WriteEntry>()
  const entry = (projection: Projection): WriteEntry => {
    let write = writers.get(projection)
    if (write === undefined) {
      write = createWriter(projection)
      writers.set(projection, write)
    }
    return write
  }
  const createWriter = (projection: Projection): WriteEntry => {
    const { entityType } = projection
    const writerOf = (type: EntityType): WriteEntry => {
      const parts = partsOf(projection, type)
      return writerOfAllLayouts((layout) => templateWriter(parts, projection, { value, entry }, layout))
    }
    const write = writerOf(entityType)
    return entityType.derivedTypes.length === 0 ? write : writerOfAllTypes(entityType, write, writerOf)
  }
  return entry
}

/** Chooses a writer by the layout of a row. */
function writerOfAllLayouts(create: (layout: RowLayout | undefined) => WriteEntry): WriteEntry {
  const ofObjects = create(undefined)
  const byLayout = new WeakMap<RowLayout, WriteEntry>()
  let lastLayout: RowLayout | undefined
  let ofLast = ofObjects
  return (batch, index, context, declarations) => {
    const layout = layoutOf(batch.rows[index])
    if (layout === undefined) return ofObjects(batch, index, context, declarations)
    if (layout !== lastLayout) {
      ofLast = byLayout.get(layout) ?? create(layout)
      byLayout.set(layout, ofLast)
      lastLayout = layout
    }
    return ofLast(batch, index, context, declarations)
  }
}

function writerOfAllTypes(
  entityType: EntityType,
  base: WriteEntry,
  writerOf: (type: EntityType) => WriteEntry,
): WriteEntry {
  const byType = new Map<EntityType, WriteEntry>([[entityType, base]])
  return (batch, index, context, declarations) => {
    const type = typeOfRow(batch.rows[index] as Row, entityType)
    let writer = byType.get(type)
    if (writer === undefined) {
      writer = writerOf(type)
      byType.set(type, writer)
    }
    return writer(batch, index, context, declarations)
  }
}
