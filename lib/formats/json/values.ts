import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { formatDecimal } from '../../edm/primitive-types/decimal.js'
import { formatDouble } from '../../edm/primitive-types/double.js'
import { formatSingle } from '../../edm/primitive-types/single.js'
import { formatTime } from '../../edm/primitive-types/time.js'
import type { Instant } from '../../edm/instant.js'
import { plainMilliseconds } from '../../edm/instant.js'
import type { WriteContext } from '../format.js'
import { integerText, numberText } from '../../util/number-text.js'
import { base64, fault, operandOf, plainText } from '../plain-text.js'
import { jsonString } from './json-string.js'

/** The JSON text of a value that is not null. Throws when the value is none of the type. */
export type JsonValueWriter = (value: unknown, context: WriteContext) => string

/**
 * Verbose JSON of the simple types. Numbers that JavaScript could not hold exactly are strings, and so are
 * floating-point numbers, unless the service says otherwise.
 *
 * @spec MS-ODATA 2.2.6.3.4 (simple values in verbose JSON)
 */
export const jsonValues: Readonly<Record<PrimitiveTypeName, JsonValueWriter>> = {
  'Edm.String': (value) => (typeof value === 'string' ? jsonString(value) : fault(value, 'Edm.String')),
  'Edm.Boolean': (value) => (typeof value === 'boolean' ? String(value) : fault(value, 'Edm.Boolean')),
  'Edm.Byte': (value) => plainText['Edm.Byte'](value),
  'Edm.SByte': (value) => plainText['Edm.SByte'](value),
  'Edm.Int16': (value) => plainText['Edm.Int16'](value),
  'Edm.Int32': (value) => plainText['Edm.Int32'](value),
  'Edm.Int64': (value) => `"${plainText['Edm.Int64'](value)}"`,
  'Edm.Decimal': (value) => `"${formatDecimal(value)}"`,
  'Edm.Double': (value, { doubleAsNumber }) => {
    const number = operandOf(value, 'Edm.Double') as number
    return doubleAsNumber && Number.isFinite(number) ? numberText(number) : `"${formatDouble(number)}"`
  },
  'Edm.Single': (value, { doubleAsNumber }) => {
    const number = operandOf(value, 'Edm.Single') as number
    return doubleAsNumber && Number.isFinite(number) ? formatSingle(number) : `"${formatSingle(number)}"`
  },
  'Edm.Guid': (value) => `"${operandOf(value, 'Edm.Guid') as string}"`,
  'Edm.Binary': (value) => `"${base64(operandOf(value, 'Edm.Binary') as Uint8Array)}"`,
  'Edm.DateTime': (value) => {
    if (value instanceof Date) return dateText(value.getTime(), value, '')
    const plain = typeof value === 'string' ? plainMilliseconds(value) : undefined
    if (plain !== undefined) return dateText(plain, value, '')
    return dateText((operandOf(value, 'Edm.DateTime') as Instant).milliseconds, value, '')
  },
  // Clients disagree whether the ticks before an offset are local or universal; with +0000 it is the same.
  'Edm.DateTimeOffset': (value) =>
    dateText((operandOf(value, 'Edm.DateTimeOffset') as Instant).milliseconds, value, '+0000'),
  'Edm.Time': (value) => `"${formatTime(value)}"`,
}

function dateText(milliseconds: number, value: unknown, offset: string): string {
  if (Number.isNaN(milliseconds)) fault(value, 'Edm.DateTime')
  return `"\\/Date(${integerText(milliseconds)}${offset})\\/"`
}
