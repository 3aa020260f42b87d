import { compareBytes, compareStrings, literalForm } from './primitive-type.js'
import { dateTimeOffsetType, dateTimeType } from './date-time.js'
import { decimalType } from './decimal.js'
import { doubleType, singleType } from './floating-point.js'
import { byteType, int16Type, int32Type, int64Type, sByteType } from './integer.js'
import type { PrimitiveType } from './primitive-type.js'
import type { PrimitiveTypeName } from './primitive-type-name.js'
import { timeType } from './time.js'

const hexadecimal = /^(?:[0-9a-fA-F]{2})*$/

/**
 * The type Edm.Binary. Values are Uint8Arrays, literals are hexadecimal.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Binary)
 */
const binaryType: PrimitiveType = {
  name: 'Edm.Binary',
  toOperand: (value) => (value instanceof Uint8Array ? value : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => compareBytes(a as Uint8Array, b as Uint8Array),
  parse: (text) => (hexadecimal.test(text) ? new Uint8Array(Buffer.from(text, 'hex')) : undefined),
  ...literalForm("binary'", (value) => formatHex(value as Uint8Array), "'"),
}

const guidPattern = guidOf('[0-9a-fA-F]')
/** The canonical form of guids. */
export const lowerCaseGuid = guidOf('[0-9a-f]')

/** Repeats the digit: V8 counts the digits of `[0-9]{8}`, which takes three times as long. */
function guidOf(digit: string): RegExp {
  return new RegExp(`^${[8, 4, 4, 4, 12].map((count) => digit.repeat(count)).join('-')}$`)
}

/**
 * The type Edm.Guid. Values are lower-case strings. The grammar 8-4-4-12 of the specification is a mistake.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Guid)
 */
const guidType: PrimitiveType = {
  name: 'Edm.Guid',
  toOperand: (value) =>
    typeof value === 'string' && guidPattern.test(value) ? value.toLowerCase() : undefined,
  toValue: (operand) => operand,
  compare: (a, b) => compareStrings(a as string, b as string),
  parse: (text) => (guidPattern.test(text) ? text.toLowerCase() : undefined),
  ...literalForm("guid'", (value) => (value as string).toLowerCase(), "'"),
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

/** @spec MS-ODATA 2.2.2 (Edm.Boolean) */
const booleanType: PrimitiveType = {
  name: 'Edm.Boolean',
  toOperand: (value) => (typeof value === 'boolean' ? value : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => Number(a) - Number(b),
  parse: (text) => booleans.get(text),
  ...literalForm('', String, ''),
}

/** @spec MS-ODATA 2.2.2 (Edm.String) */
const stringType: PrimitiveType = {
  name: 'Edm.String',
  toOperand: (value) => (typeof value === 'string' ? value : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => compareStrings(a as string, b as string),
  parse: (text) => text,
  ...literalForm("'", (value) => (value as string).replaceAll("'", "''"), "'"),
}

/** The implementations of all primitive types. */
export const primitiveTypes: Readonly<Record<PrimitiveTypeName, PrimitiveType>> = {
  'Edm.Binary': binaryType,
  'Edm.Boolean': booleanType,
  'Edm.Byte': byteType,
  'Edm.DateTime': dateTimeType,
  'Edm.DateTimeOffset': dateTimeOffsetType,
  'Edm.Decimal': decimalType,
  'Edm.Double': doubleType,
  'Edm.Guid': guidType,
  'Edm.Int16': int16Type,
  'Edm.Int32': int32Type,
  'Edm.Int64': int64Type,
  'Edm.SByte': sByteType,
  'Edm.Single': singleType,
  'Edm.String': stringType,
  'Edm.Time': timeType,
}

function formatHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase()
}
