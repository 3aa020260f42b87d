import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { RowBatch } from '../provider/row-batch.js'
import type { Projection } from '../query/projection.js'
import type { WriteContext } from './format.js'

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

/**
 * The writers of entries of one format: made once for each projection, specialised for each type of entity that turns
 * up.
 *
 * @param make makes the writer of the entities of one type
 */
export function writersByType(
  make: (projection: Projection, type: EntityType) => WriteEntry,
): (projection: Projection) => WriteEntry {
  const writers = new WeakMap<Projection, WriteEntry>()
  return (projection) => {
    let writer = writers.get(projection)
    if (writer === undefined) {
      writer = writerOfAllTypes(projection, make)
      writers.set(projection, writer)
    }
    return writer
  }
}

function writerOfAllTypes(
  projection: Projection,
  make: (projection: Projection, type: EntityType) => WriteEntry,
): WriteEntry {
  const { entityType } = projection
  const base = make(projection, entityType)
  if (entityType.derivedTypes.length === 0) return base
  const byType = new Map<EntityType, WriteEntry>([[entityType, base]])
  return (batch, index, context, declarations) => {
    const type = typeOfRow(batch.rows[index] as Row, entityType)
    let writer = byType.get(type)
    if (writer === undefined) {
      writer = make(projection, type)
      byType.set(type, writer)
    }
    return writer(batch, index, context, declarations)
  }
}
