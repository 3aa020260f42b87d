import type { V4PropertyMapping, V4ValueType } from '../../csdl/v4/v4-mapping.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'

/** The number of fraction digits of a second that all services compare. */
const MAX_FRACTION_DIGITS = 3

/**
 * Formats a value as a literal in URLs of the V4 service, before percent-encoding.
 *
 * @param value a value of the V2 model
 * @param isExact whether the value comes from the service, which therefore compares it exactly
 * @returns undefined if the service has no literal for it, or may not compare it exactly
 * @spec OData URL Conventions 4.01, 5.1.1.14.1
 */
export function v4Literal(
  value: unknown,
  { type, precision }: V4PropertyMapping,
  isExact = false,
): string | undefined {
  if (value === null || value === undefined) return 'null'
  if (type.kind === 'enum') return typeof value === 'string' ? enumLiteral(value, type.name) : undefined
  if (type.kind === 'complex') return undefined
  return primitiveLiteral(
    value,
    type,
    isExact ? Number.POSITIVE_INFINITY : Math.min(precision ?? 0, MAX_FRACTION_DIGITS),
  )
}

function primitiveLiteral(
  value: unknown,
  { name, v2Name }: Extract<V4ValueType, { kind: 'primitive' }>,
  maxDigits: number,
): string | undefined {
  switch (name) {
    case 'Edm.String':
      return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : undefined
    case 'Edm.Guid':
      return typeof value === 'string' ? value.toLowerCase() : undefined
    case 'Edm.Binary':
      return value instanceof Uint8Array ? `binary'${base64Url(value)}'` : undefined
    case 'Edm.Date':
      return dateOf(value)
    case 'Edm.TimeOfDay':
      if (typeof value !== 'string') return undefined
      return maxDigits > MAX_FRACTION_DIGITS ? value : wholeSeconds(value)
    case 'Edm.DateTimeOffset': {
      const text = textOfInstant(value)?.replace(/\.0+(?=Z|[+-])/, '')
      const digits = /\.(\d*?)0*(?:Z|[+-])/.exec(text ?? '')?.[1]?.length ?? 0
      return digits > maxDigits ? undefined : text
    }
    case 'Edm.Duration':
      return undefined
    case 'Edm.Double':
    case 'Edm.Single':
      return typeof value === 'number' && Number.isFinite(value)
        ? String(value).replace('e+', 'e')
        : undefined
    default: {
      const operand = primitiveTypes[v2Name].toOperand(value)
      if (operand === undefined) return numberText(value)
      const text = primitiveTypes[v2Name].formatLiteral(value)
      return v2Name === 'Edm.Boolean' ? text : text.replace(/[LMdf]$/i, '')
    }
  }
}

/** Formats a number of another type, to which the service converts. */
function numberText(value: unknown): string | undefined {
  const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
  if (isNumber) return String(value).replace('e+', 'e')
  return typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?$/.test(value) ? value : undefined
}

function enumLiteral(value: string, type: string): string | undefined {
  return /^[\p{L}\p{N}_,-]+$/u.test(value) ? `${type}'${value}'` : undefined
}

/** Formats bytes in the alphabet for URLs, without padding. */
export function base64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
}

/** Returns the date of an Edm.DateTime; undefined if it has a time. */
export function dateOf(value: unknown): string | undefined {
  const text = value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : ''
  const [, date, time = ''] = /^(\d{4}-\d{2}-\d{2})(?:T(.*?)Z?)?$/.exec(text) ?? []
  return /^[0:.]*$/.test(time) ? date : undefined
}

/** Omits a fraction of zeros. Returns undefined for another fraction. */
function wholeSeconds(value: string): string | undefined {
  const [, clock, fraction = ''] = /^(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d+))?$/.exec(value) ?? []
  return /^0*$/.test(fraction) ? clock : undefined
}

function textOfInstant(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  if (typeof value !== 'string') return undefined
  // A model of the application may declare an Edm.DateTime, whose values have no time zone.
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}Z`
}
