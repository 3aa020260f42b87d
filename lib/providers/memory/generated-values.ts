import { randomBytes, randomUUID } from 'node:crypto'
import type { EntityType, Property } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'
import type { NewRow } from './row-shape.js'

/** Fills in the parts of a key that a new entity does not have: the next number, or a new Guid. */
export function generateKey(row: NewRow, table: EntityTable): void {
  for (const property of table.set.entityType.key) {
    if (row[property.name] !== null && row[property.name] !== undefined) continue
    row[property.name] = newKeyValue(property, table)
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
        message: `Property '${name}': a value is needed, since it is part of the key and cannot be made here.`,
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
      message: `Property '${name}': there is no number left for a new key. Give one that is free.`,
    })
  }
  return type === 'Edm.Int64' ? BigInt(largest) + 1n : Number(largest) + 1
}

/** Gives an entity that is new or has changed another version, where nobody gave it one. */
export function raiseVersion(row: NewRow, before: Row | undefined, type: EntityType): void {
  for (const { name, type: kind } of type.concurrencyTokens) {
    const given = row[name]
    if (before === undefined ? given !== null && given !== undefined : !isSame(given, before[name])) continue
    row[name] = nextVersion(kind, given)
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b
}

function nextVersion(type: Property['type'], value: unknown): unknown {
  switch (type) {
    case 'Edm.Byte':
      return (Number(value ?? 0) + 1) % 256
    case 'Edm.SByte':
      return (Number(value ?? 0) + 1) % 128
    case 'Edm.Int16':
      return (Number(value ?? 0) + 1) % 32_768
    case 'Edm.Int32':
      return (Number(value ?? 0) + 1) % 2_147_483_648
    case 'Edm.Int64':
      return BigInt((value as bigint | null | undefined) ?? 0) + 1n
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return laterThan(value)
    case 'Edm.Guid':
      return randomUUID()
    case 'Edm.Binary':
      return new Uint8Array(randomBytes(8))
    default:
      // There is no next text or fraction: such a token changes when a client changes it.
      return value
  }
}

/** Two changes within a millisecond are two versions. */
function laterThan(value: unknown): Date {
  const now = Date.now()
  const before = value instanceof Date ? value.getTime() : 0
  return new Date(before >= now && before < now + 1000 ? before + 1 : now)
}
