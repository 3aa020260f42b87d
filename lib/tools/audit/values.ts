import type { Decimal } from '../../edm/decimal.js'
import { compareDecimals, parseDecimal } from '../../edm/decimal.js'
import type { EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'

/** Returns the milliseconds of `/Date(1338282808000)/` without its time zone. Undefined for other values. */
export function parseTicks(value: unknown): number | undefined {
  const [, ticks] = (typeof value === 'string' && /^\/Date\((-?\d+)(?:[+-]\d{1,4})?\)\/$/.exec(value)) || []
  return ticks === undefined ? undefined : Number(ticks)
}

/** Formats a date without time zone: `2012-05-29T09:13:28.123`. */
export function formatTicks(ticks: number): string {
  return new Date(ticks).toISOString().replace(/(?:\.000)?Z$/, '')
}

/** Returns the number of a JSON value. Services serialize some types as strings. */
export function toNumber(value: unknown): Decimal | undefined {
  return typeof value === 'number' || typeof value === 'string' ? parseDecimal(String(value)) : undefined
}

/** Compares the numbers of two JSON values. Undefined if one of them is not a number. */
export function compareNumbers(a: unknown, b: unknown): number | undefined {
  const [left, right] = [toNumber(a), toNumber(b)]
  return left === undefined || right === undefined ? undefined : compareDecimals(left, right)
}

/** Returns the text of a JSON value without quotes. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Formats a JSON value as a URI literal, without percent-encoding.
 *
 * @spec MS-ODATA 2.2.2 (literals of the simple types)
 */
export function formatLiteral(type: PrimitiveTypeName, value: unknown): string {
  const [before, after] = primitiveTypes[type].aroundLiteral
  const text = literalText(type, value)
  return /^[+-]?(?:NaN|INF)$/.test(text) ? text : before + text + after
}

function literalText(type: PrimitiveTypeName, value: unknown): string {
  const text = toText(value)
  if (type === 'Edm.String') return text.replaceAll("'", "''")
  if (type === 'Edm.Binary') return Buffer.from(text, 'base64').toString('hex').toUpperCase()
  if (type === 'Edm.DateTime') return formatTicks(parseTicks(value) ?? 0)
  return type === 'Edm.DateTimeOffset' ? `${formatTicks(parseTicks(value) ?? 0)}Z` : text
}

/** Formats the key of an entity, percent-encoded: `(1)` or `(OrderID=1,ProductID=2)`. */
export function keyPredicate({ key }: EntityType, row: Readonly<Record<string, unknown>>): string {
  const [only, ...others] = key
  return only !== undefined && others.length === 0
    ? `(${keyLiteral(only, row)})`
    : namedKeyPredicate(key, row)
}

/** Returns a key predicate with the names of the properties, in the given order. */
export function namedKeyPredicate(key: readonly Property[], row: Readonly<Record<string, unknown>>): string {
  return `(${key.map((one) => `${encodeURIComponent(one.name)}=${keyLiteral(one, row)}`).join(',')})`
}

function keyLiteral({ name, type }: Property, row: Readonly<Record<string, unknown>>): string {
  return encodeURIComponent(isPrimitive(type) ? formatLiteral(type, row[name]) : '')
}

/** Letters, digits and inner spaces, which all servers compare in the same way. */
export function isPlainString(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9](?:[A-Za-z0-9 ]*[A-Za-z0-9])?$/.test(value)
}

/**
 * Removes case, diacritics and trailing spaces, which databases may ignore. Strings that they may consider equal have
 * the same folded form.
 */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()
}
