import { randomBytes, randomUUID } from 'node:crypto'
import { valueViolation } from '../edm/check-value.js'
import type { EntityType, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { addDecimals, Decimal } from '../edm/decimal.js'
import { Instant, latest } from '../edm/instant.js'
import { integerMaxima } from '../edm/primitive-types/integer.js'
import { isInteger, primitiveTypeNames } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Row } from './row.js'
import type { NewValues } from './write-values.js'
import { isSameValue } from './write-values.js'

/** Types of properties that are only versions. Properties of other types can be data too. */
export const versionTypes: ReadonlySet<unknown> = new Set([
  ...primitiveTypeNames.filter(isInteger),
  'Edm.DateTime',
  'Edm.DateTimeOffset',
  'Edm.Guid',
  'Edm.Binary',
])

/**
 * Raises the version of a new or changed entity, unless the request sets it. A property that may contain data is
 * changed only if no other property shows the change.
 *
 * @spec MS-ODATA 2.2.5.4 (ETag)
 */
export function raiseVersion(
  row: NewValues,
  before: Row | undefined,
  { concurrencyTokens }: Pick<EntityType, 'concurrencyTokens'>,
): void {
  let isRaised = false
  for (const token of concurrencyTokens) {
    const { name, type } = token
    const given = row[name]
    if (before === undefined) {
      if (given === null) row[name] = startVersion(token)
    } else if (!isSame(token, given, before[name])) {
      if (goesBack(token, given, before[name])) row[name] = nextVersion(token, before[name])
      isRaised = true
    } else if (versionTypes.has(type)) {
      row[name] = nextVersion(token, given)
      isRaised = true
    }
  }
  const [first] = concurrencyTokens
  if (first !== undefined && before !== undefined && !isRaised)
    row[first.name] = nextVersion(first, row[first.name])
}

/** Returns the first version of an entity. Null for properties that can be data too. */
export function startVersion(token: Property): unknown {
  return !token.nullable || versionTypes.has(token.type) ? nextVersion(token, null) : null
}

/**
 * Returns true if a new version is earlier than the old one, for example when a client writes back outdated values.
 * Clients that cached the entity at that version would treat it as unchanged.
 */
function goesBack({ type }: Property, given: unknown, before: unknown): boolean {
  if (!versionTypes.has(type) || !isPrimitive(type) || type === 'Edm.Guid' || type === 'Edm.Binary')
    return false
  const { toOperand, compare } = primitiveTypes[type]
  const [now, then] = [toOperand(given), toOperand(before)]
  return then !== undefined && (now === undefined || compare(now, then) < 0)
}

function isSame(token: Property, one: unknown, other: unknown): boolean {
  return Object.is(one, other) || isSameValue(token, one, other)
}

/** Returns a valid value of the property that differs from the previous one. */
function nextVersion(token: Property, value: unknown): unknown {
  const max = integerMaxima.get(token.type)
  if (max !== undefined) {
    const next = (BigInt((value as bigint | number | null) ?? 0) + 1n) % (max + 1n)
    return token.type === 'Edm.Int64' ? next : Number(next)
  }
  switch (token.type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return laterThan(token.type, value, token.precision)
    case 'Edm.Time':
      return nextTime(value, token.precision)
    case 'Edm.Decimal':
      return nextDecimal(token, value)
    case 'Edm.Double':
      return nextNumber(Number(value ?? 0), (number) => number)
    case 'Edm.Single':
      return nextNumber(Number(value ?? 0), Math.fround)
    case 'Edm.Boolean':
      return value !== true
    case 'Edm.Guid':
      return randomUUID()
    default:
      return randomValue(token, value)
  }
}

/** Returns a random string or random bytes with a valid length. */
function randomValue(token: Property, value: unknown): unknown {
  const { type, maxLength, fixedLength } = token
  const usual = type === 'Edm.String' ? 16 : 8
  const most = typeof maxLength === 'number' ? maxLength : undefined
  const length = most === undefined ? usual : fixedLength === true ? most : Math.min(most, usual)
  if (length === 0) return value
  for (;;) {
    const bytes = randomBytes(length)
    const next = type === 'Edm.String' ? bytes.toString('hex').slice(0, length) : new Uint8Array(bytes)
    if (!isSame(token, next, value)) return next
  }
}

/** Adds one. Starts again from the beginning if the number is too large for that. */
function nextNumber(value: number, rounded: (number: number) => number): number {
  const next = rounded(value + 1)
  return Number.isFinite(next) && next !== value ? next : 0
}

/**
 * Adds one. Beyond the maximum of the facets, adds the smallest step instead, and then starts again from the beginning.
 */
function nextDecimal(token: Property, value: unknown): string {
  const now = (primitiveTypes['Edm.Decimal'].toOperand(value) ?? new Decimal(0n, 0)) as Decimal
  const unit = new Decimal(1n, token.scale ?? 0)
  const choice = [
    ...[new Decimal(1n, 0), unit].map((more) => addDecimals(now, more)),
    new Decimal(0n, 0),
  ].map(String)
  const isNew = (one: string): boolean =>
    valueViolation(token, one) === undefined && !isSameValue(token, one, value)
  return choice.find((one) => isNew(one)) ?? '0'
}

/**
 * Returns the current time, or one unit after the previous version if that is not in the past, so that two changes
 * within a millisecond have two versions.
 */
function laterThan(
  type: 'Edm.DateTime' | 'Edm.DateTimeOffset',
  value: unknown,
  precision: number | undefined,
): unknown {
  const before = primitiveTypes[type].toOperand(value)
  const step = 10 ** (3 - Math.min(precision ?? 3, 3))
  const now = Math.floor(Date.now() / step) * step
  if (!(before instanceof Instant) || before.milliseconds < now) return new Date(now)
  const next = (Math.floor(before.milliseconds / step) + 1) * step
  return new Date(next > latest ? now : next)
}

const ticksPerSecond = 10_000_000

/** Returns the next time of day with the precision of the property. Starts again after midnight. */
function nextTime(value: unknown, precision: number | undefined): unknown {
  const { toOperand, toValue } = primitiveTypes['Edm.Time']
  const before = Number(toOperand(value) ?? 0)
  const step = ticksPerSecond / 10 ** Math.min(precision ?? 0, 7)
  return toValue(((Math.floor(before / step) + 1) * step) % (86_400 * ticksPerSecond))
}
