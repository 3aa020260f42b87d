import type { Instant } from '../../../edm/instant.js'
import { formatFraction, formatSeconds } from '../../../edm/instant.js'
import { formatDateTime } from '../../../edm/primitive-types/date-time.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../../edm/primitive-types/primitive-types.js'

/** The types that a database without types for them keeps as text, in the form of ISO 8601. */
export type TextDate = 'Edm.DateTime' | 'Edm.DateTimeOffset' | 'Edm.Time'

export function isTextDate(type: PrimitiveTypeName | null): type is TextDate {
  return type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset' || type === 'Edm.Time'
}

/** A value as it is stored: as short as it can be, and in UTC. */
export function storedDate(value: unknown, type: TextDate): string {
  return type === 'Edm.DateTimeOffset' ? `${plainDate(value, type)}Z` : plainDate(value, type)
}

/** With seven fraction digits and without zone: texts of this form are in the order of the times they stand for. */
export function paddedDate(value: unknown, type: TextDate): string {
  const [whole = '', fraction = ''] = plainDate(value, type).split('.')
  return `${whole}.${fraction.padEnd(7, '0')}`
}

/** The shortest text that stands for the same time of day, and so stands before all others that do. */
export function shortestTime(value: unknown): string {
  return plainDate(value, 'Edm.Time').replace(/:00$/, '')
}

function plainDate(value: unknown, type: TextDate): string {
  switch (type) {
    case 'Edm.DateTime':
      return formatDateTime(value)
    case 'Edm.DateTimeOffset': {
      const instant = operandOf(value, type) as Instant
      return formatSeconds(instant.milliseconds) + formatFraction(instant, undefined)
    }
    case 'Edm.Time':
      return primitiveTypes[type].toValue(operandOf(value, type)) as string
  }
}

function operandOf(value: unknown, type: TextDate) {
  const operand = primitiveTypes[type].toOperand(value)
  if (operand === undefined) throw new TypeError(`Not an ${type}: ${String(value)}`)
  return operand
}
