import type { EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'

/** Milliseconds in `/Date(1338282808000)/`, whatever zone is written with them; undefined for other texts. */
export function ticksOf(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^\/Date\((-?\d+)(?:[+-]\d{1,4})?\)\/$/.exec(value) : null
  const ticks = match === null ? Number.NaN : Number(match[1])
  return Number.isNaN(ticks) ? undefined : ticks
}

/** `2012-05-29T09:13:28.123`, without zone. */
export function isoText(ticks: number): string {
  return new Date(ticks).toISOString().replace('.000Z', '').replace('Z', '')
}

/**
 * A value as it is written in addresses, not encoded.
 *
 * @param value as JSON shows it
 * @spec MS-ODATA 2.2.2 (the literal forms of simple types)
 */
export function literalOf(type: PrimitiveTypeName, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  switch (type) {
    case 'Edm.String':
      return `'${text.replaceAll("'", "''")}'`
    case 'Edm.Guid':
      return `guid'${text}'`
    case 'Edm.Int64':
      return `${text}L`
    case 'Edm.Decimal':
      return `${text}M`
    case 'Edm.Double':
      return /^[+-]?(?:NaN|INF)$/.test(text) ? text : `${text}D`
    case 'Edm.Single':
      return /^[+-]?(?:NaN|INF)$/.test(text) ? text : `${text}F`
    case 'Edm.Time':
      return `time'${text}'`
    case 'Edm.Binary':
      return `X'${Buffer.from(text, 'base64').toString('hex').toUpperCase()}'`
    case 'Edm.DateTime':
      return `datetime'${isoText(ticksOf(value) ?? 0)}'`
    case 'Edm.DateTimeOffset':
      return `datetimeoffset'${isoText(ticksOf(value) ?? 0)}Z'`
    case 'Edm.Boolean':
    case 'Edm.Byte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.SByte':
      return text
  }
}

/** `(1)`, or `(OrderID=1,ProductID=2)`, encoded. */
export function keyPredicate(type: EntityType, row: Readonly<Record<string, unknown>>): string {
  const [only, ...others] = type.key
  if (only !== undefined && others.length === 0) return `(${keyLiteral(only, row)})`
  return namedKeyPredicate(type.key, row)
}

/** The key with the names of its properties, in the order that is given. */
export function namedKeyPredicate(key: readonly Property[], row: Readonly<Record<string, unknown>>): string {
  return `(${key.map((one) => `${encodeURIComponent(one.name)}=${keyLiteral(one, row)}`).join(',')})`
}

function keyLiteral({ name, type }: Property, row: Readonly<Record<string, unknown>>): string {
  return encodeURIComponent(isPrimitive(type) ? literalOf(type, row[name]) : '')
}
