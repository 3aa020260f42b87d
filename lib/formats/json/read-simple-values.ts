import { parseDecimal, truncateDecimal } from '../../edm/decimal.js'
import { earliest, Instant, latest } from '../../edm/instant.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { parseText } from '../plain-text.js'
import type { JsonValue } from './parse-json.js'
import { JsonNumber } from './parse-json.js'

/**
 * Parses a JSON value that is not null. Accepts numbers for types that are serialized as strings, and strings for types
 * that are serialized as numbers, as Kendo UI and odata2ts send them.
 *
 * @returns undefined when the value is invalid for the type
 * @spec MS-ODATA 2.2.6.3.4 (simple values in verbose JSON)
 */
export function parseSimpleValue(type: PrimitiveTypeName, json: JsonValue): unknown {
  switch (type) {
    case 'Edm.Boolean':
      return typeof json === 'boolean' ? json : undefined
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Int64':
      return json instanceof JsonNumber ? parseInteger(type, json.text) : parseString(type, json)
    case 'Edm.Decimal':
    case 'Edm.Double':
    case 'Edm.Single':
      return parseString(type, json instanceof JsonNumber ? json.text : json)
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return typeof json === 'string' ? (parseDate(type, json) ?? parseText(type, json)) : undefined
    default:
      return parseString(type, json)
  }
}

function parseString(type: PrimitiveTypeName, json: JsonValue): unknown {
  return typeof json === 'string' ? parseText(type, json) : undefined
}

const plainDigits = /^-?\d+$/

/** Maximum characters of a number. */
const MAX_NUMBER_LENGTH = 400

/** Accepts `5.0` and `5e0`. */
function parseInteger(type: PrimitiveTypeName, text: string): unknown {
  if (plainDigits.test(text) || text.length > MAX_NUMBER_LENGTH) return parseText(type, text)
  const decimal = parseDecimal(text)
  if (decimal === undefined) return undefined
  const whole = truncateDecimal(decimal)
  return whole * 10n ** BigInt(decimal.scale) === decimal.coefficient
    ? parseText(type, String(whole))
    : undefined
}

const datePattern = /^\/Date\((-?\d{1,15})(?:([+-])(\d{1,4}))?\)\/$/
/** The largest offset of a time zone is 14 hours. */
const MAX_OFFSET_MINUTES = 14 * 60

/**
 * Parses `/Date(1338282808000+0120)/`: milliseconds since 1970 in local time, and its offset to UTC in minutes. An
 * Edm.DateTime has no offset.
 */
function parseDate(type: 'Edm.DateTime' | 'Edm.DateTimeOffset', text: string): unknown {
  const match = datePattern.exec(text)
  if (match === null) return undefined
  const [, ticks, sign, minutes = '0'] = match
  const offset = sign === '-' ? 0 - Number(minutes) : Number(minutes)
  if (Math.abs(offset) > MAX_OFFSET_MINUTES || (offset !== 0 && type === 'Edm.DateTime')) return undefined
  const local = Number(ticks) + 0
  const universal = local - offset * 60_000
  const [first, last] = [Math.min(local, universal), Math.max(local, universal)]
  return first >= earliest && last <= latest
    ? primitiveTypes[type].toValue(new Instant(universal, 0, offset))
    : undefined
}
