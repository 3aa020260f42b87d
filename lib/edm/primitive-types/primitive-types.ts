import { byteType, sByteType, int16Type, int32Type, int64Type } from './integer.js'
import { dateTimeOffsetType } from './date-time-offset.js'
import { dateTimeType } from './date-time.js'
import { decimalType } from './decimal.js'
import { doubleType, singleType } from './floating-point.js'
import type { PrimitiveTypeName } from './primitive-type-name.js'
import type { PrimitiveType } from './primitive-type.js'
import { timeType } from './time.js'
import { compareStrings, compareBytes } from './compare-operands.js'
import { literalForm } from './literal-form.js'

const hexadecimal = /^(?:[0-9a-fA-F]{2})*$/

/**
 * Raw bytes: a Uint8Array. In URIs they stand in hexadecimal.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Binary)
 */
const binaryType: PrimitiveType = {
  name: 'Edm.Binary',
  toOperand: (value) => (value instanceof Uint8Array ? value : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => compareBytes(a as Uint8Array, b as Uint8Array),
  parse: (text) => (hexadecimal.test(text) ? new Uint8Array(Buffer.from(text, 'hex')) : undefined),
  ...literalForm("binary'", (value) => hex(value as Uint8Array), "'"),
}

const guidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/**
 * 128-bit identifiers, always in lower case. The grammar 8-4-4-12 of the specification's text is a slip that
 * nobody follows.
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

const booleanTexts: ReadonlyMap<string, boolean> = new Map([
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
  parse: (text) => booleanTexts.get(text),
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

/** Every simple type by its name. */
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

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase()
}
