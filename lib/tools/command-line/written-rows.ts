import type { EntitySet, EntityType, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { formatDateTime } from '../../edm/primitive-types/date-time.js'
import { formatDateTimeOffset } from '../../edm/primitive-types/date-time-offset.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'

/**
 * Rows as a JSON document that people can read and change, and that `rowsOfDocument` reads again without any
 * difference: points in time in ISO 8601, Int64 and Decimal as text, bytes in base64.
 */
export function documentOfRows(rows: readonly Row[], { entityType }: EntitySet): string {
  return `${JSON.stringify(
    rows.map((row) => jsonOfRow(row, typeOfRow(row, entityType))),
    undefined,
    2,
  )}\n`
}

function jsonOfRow(row: Row, type: EntityType): unknown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, jsonOfMember(name, value, type)]),
  )
}

function jsonOfMember(name: string, value: unknown, type: EntityType): unknown {
  if (name === '$type') return value
  if (name === '$media') {
    const { contentType, bytes } = value as { readonly contentType: string; readonly bytes: Uint8Array }
    return { contentType, bytes: Buffer.from(bytes).toString('base64') }
  }
  const target = type.navigationProperty(name)?.targetType
  if (target === undefined) return jsonOfProperty(name, value, type)
  return Array.isArray(value) ? value.map((key) => jsonOfKey(key, target)) : jsonOfKey(value, target)
}

function jsonOfKey(key: unknown, type: EntityType): unknown {
  return Object.fromEntries(
    Object.entries(key as Row).map(([name, value]) => [name, jsonOfProperty(name, value, type)]),
  )
}

function jsonOfProperty(name: string, value: unknown, owner: StructuralType): unknown {
  const type = owner.property(name)?.type
  if (type === undefined || value === null || value === undefined) return value ?? null
  if (isPrimitive(type)) return jsonOfValue(type, value)
  return Object.fromEntries(
    type.properties.map((one) => [one.name, jsonOfProperty(one.name, (value as Row)[one.name], type)]),
  )
}

function jsonOfValue(type: PrimitiveTypeName, value: unknown): unknown {
  switch (type) {
    case 'Edm.DateTime':
      return formatDateTime(value)
    case 'Edm.DateTimeOffset':
      return formatDateTimeOffset(value)
    case 'Edm.Binary':
      return Buffer.from(value as Uint8Array).toString('base64')
    case 'Edm.Single':
    case 'Edm.Double':
      return jsonOfNumber(value as number)
    case 'Edm.Int64':
    case 'Edm.Decimal':
      return String(value)
    default:
      return value
  }
}

/** JSON has no infinity, and JavaScript writes no negative zero. */
function jsonOfNumber(value: number): unknown {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}
