import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'

/** The key of a row by name. */
export function keyOf({ entityType }: EntitySet, row: Row): Row {
  return Object.fromEntries(entityType.key.map(({ name }) => [name, memberOf(row, name)]))
}
