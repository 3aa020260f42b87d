import { randomUUID } from 'node:crypto'
import { integerRanges } from '../../edm/primitive-types/integer.js'
import { ODataError } from '../../errors/odata-error.js'
import type { EntityTable } from './entity-table.js'
import type { TableForeignKey } from './relation.js'
import type { NewRow } from './row-shape.js'

/** The largest generated value of each type. */
const maxValues: Readonly<Partial<Record<string, bigint | number>>> = {
  ...Object.fromEntries(Object.entries(integerRanges).map(([type, [, max]]) => [type, max])),
  'Edm.Int64': 2n ** 63n - 1n,
}

/**
 * Generates the missing key properties of a new entity: the next integer, or a random Guid.
 *
 * @throws ODataError BadRequest for a key property that cannot be generated
 */
export function generateKey(row: NewRow, table: EntityTable, foreignKeys: readonly TableForeignKey[]): void {
  for (const { name, type } of table.set.entityType.key) {
    if (row[name] !== null && row[name] !== undefined) continue
    const max = maxValues[type as string]
    if (foreignKeys.some(({ dependent, names }) => dependent === table && names.includes(name))) {
      throw missingValue(name, 'refers to another entity')
    } else if (type === 'Edm.Guid') {
      row[name] = randomUUID()
    } else if (max !== undefined) {
      row[name] = nextInteger(name, max, table)
    } else {
      throw missingValue(name, 'cannot be generated')
    }
  }
}

function missingValue(name: string, reason: string): ODataError {
  return new ODataError('BadRequest', {
    message: `Property '${name}': a value is required, because it is part of the key and ${reason}.`,
  })
}

/** Returns a number that no entity has had as its key, deleted entities included. */
function nextInteger(name: string, max: bigint | number, { largestKeys }: EntityTable): bigint | number {
  const largest = largestKeys.get(name) ?? 0
  if (largest >= max) {
    throw new ODataError('Conflict', {
      message: `Property '${name}': all numbers for generated keys are taken. Send a key that does not exist.`,
    })
  }
  return typeof max === 'bigint' ? BigInt(largest) + 1n : Number(largest) + 1
}
