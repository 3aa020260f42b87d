import { randomUUID } from 'node:crypto'
import type { Property } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Column } from './column.js'
import type { TableForeignKey } from './foreign-key.js'

/** The greatest numbers that keys of a type can be. */
const greatest: Readonly<Record<string, bigint>> = {
  'Edm.Byte': 255n,
  'Edm.SByte': 127n,
  'Edm.Int16': 32_767n,
  'Edm.Int32': 2_147_483_647n,
  'Edm.Int64': 2n ** 63n - 1n,
}

/** How a part of a key comes about that a new entity does not have. */
export type KeyMaker = 'database' | 'next number' | 'new guid'

/**
 * Who makes a part of a key.
 *
 * @param foreignKeys those of the table: which entity one refers to cannot be made up
 * @throws ODataError BadRequest when only the client can know it
 */
export function keyMaker(
  { property, type, facts }: Column,
  foreignKeys: readonly TableForeignKey[],
): KeyMaker {
  const { name } = property
  if (foreignKeys.some(({ columns }) => columns.some((one) => one.property.name === name))) {
    throw needed(property, 'since it is part of the key and says which entity this one belongs to')
  }
  if (facts.hasDefault || facts.isGenerated) return 'database'
  if (type === 'Edm.Guid') return 'new guid'
  if (greatest[type] !== undefined) return 'next number'
  throw needed(property, 'since it is part of the key and cannot be made here')
}

export function newGuid(): string {
  return randomUUID()
}

/**
 * @param largest the largest key that there is
 * @throws ODataError Conflict when there is no number left
 */
export function nextNumber({ type, property }: Column, largest: unknown): bigint {
  const found = BigInt((largest as bigint | number | string | null) ?? 0)
  const last = found < 0n ? 0n : found
  if (last < (greatest[type] ?? 0n)) return last + 1n
  throw new ODataError('Conflict', {
    message: `Property '${property.name}': there is no number left for a new key. Give one that is free.`,
  })
}

function needed({ name }: Property, why: string): ODataError {
  return new ODataError('BadRequest', { message: `Property '${name}': a value is needed, ${why}.` })
}
