import type { EntitySet, EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { WriteRow } from '../formats/entity-address.js'
import { entityTagWriter } from '../formats/entity-tag.js'

/** The ETag of an entity; undefined when its type has no concurrency token. @spec MS-ODATA 2.2.5.4 */
export function entityTagOf(row: Row, { entityType }: EntitySet): string | undefined {
  return writerOf(typeOfRow(row, entityType))?.(row)
}

const writers = new WeakMap<EntityType, { readonly write: WriteRow | undefined }>()

function writerOf(type: EntityType): WriteRow | undefined {
  let writer = writers.get(type)
  if (writer === undefined) {
    writer = { write: entityTagWriter(type) }
    writers.set(type, writer)
  }
  return writer.write
}
