import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import type { Row } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'

/** What messages call an entity: `Products(7)` or `Lines(Order=1,No=2)`. */
export function entityName({ path, set: { entityType } }: EntityTable, values: Row): string {
  const literals = entityType.key.map(({ name, type }) => {
    const literal = primitiveTypes[type as PrimitiveTypeName].formatLiteral(values[name])
    return entityType.key.length === 1 ? literal : `${name}=${literal}`
  })
  return `${path}(${literals.join(',')})`
}
