import { randomUUID } from 'node:crypto'
import type { Property } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import type { EntityTable } from './entity-table.js'
import type { TableForeignKey } from './foreign-key.js'
import type { NewRow } from './row-shape.js'

/**
 * Fills in the parts of a key that a new entity does not have: the next number, or a new Guid.
 *
 * @param foreignKeys those of the table: which entity one refers to cannot be made up
 * @throws ODataError BadRequest naming a part that only the client can know
 */
export function generateKey(row: NewRow, table: EntityTable, foreignKeys: readonly TableForeignKey[]): void {
  for (const property of table.set.entityType.key) {
    const { name } = property
    if (row[name] !== null && row[name] !== undefined) continue
    if (foreignKeys.some(({ dependent, names }) => dependent === table && names.includes(name))) {
      throw new ODataError('BadRequest', {
        message: `Property '${name}': a value is needed, since it is part of the key and refers to another entity.`,
      })
    }
    row[name] = newKeyValue(property, table)
  }
}

function newKeyValue({ name, type }: Property, table: EntityTable): unknown {
  switch (type) {
    case 'Edm.Guid':
      return randomUUID()
    case 'Edm.Int64':
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      return nextNumber(name, type, table)
    default:
      throw new ODataError('BadRequest', {
        message: `Property '${name}': a value is needed, since it is part of the key and cannot be generated.`,
      })
  }
}

const greatest = {
  'Edm.Byte': 255,
  'Edm.SByte': 127,
  'Edm.Int16': 32_767,
  'Edm.Int32': 2_147_483_647,
  'Edm.Int64': 2n ** 63n - 1n,
} as const

/** A key is not used twice while the service runs, also not that of an entity that has been deleted. */
function nextNumber(name: string, type: keyof typeof greatest, table: EntityTable): bigint | number {
  const largest = table.largestKeys.get(name) ?? 0
  if (largest >= greatest[type]) {
    throw new ODataError('Conflict', {
      message: `Property '${name}': no number is left for a new key. Send a key that does not exist.`,
    })
  }
  return type === 'Edm.Int64' ? BigInt(largest) + 1n : Number(largest) + 1
}
