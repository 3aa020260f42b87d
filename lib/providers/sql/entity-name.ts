import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import type { Row } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'

/** What messages call an entity: `Products(7)` or `Lines(Order=1,No=2)`. */
export function entityName({ set }: EntityTable, row: Row): string {
  const parts = set.entityType.key.map(({ name, type }, _index, { length }) => {
    const literal = primitiveTypes[type as PrimitiveTypeName].formatLiteral(row[name])
    return length === 1 ? literal : `${name}=${literal}`
  })
  return `${set.path}(${parts.join(',')})`
}
