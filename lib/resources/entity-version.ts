import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import { entityTagWriter } from '../formats/entity-tag.js'

/** The ETag of an entity; undefined when its type has no concurrency token. @spec MS-ODATA 2.2.5.4 */
export function entityTagOf(row: Row, { entityType }: EntitySet): string | undefined {
  return entityTagWriter(typeOfRow(row, entityType))?.(row)
}
