import { compareBytes } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

const hexadecimal = /^(?:[0-9a-fA-F]{2})*$/

/**
 * Raw bytes: a Uint8Array. In URIs they stand in hexadecimal.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Binary)
 */
export const binaryType: PrimitiveType = {
  name: 'Edm.Binary',
  toOperand: (value) => (value instanceof Uint8Array ? value : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => compareBytes(a as Uint8Array, b as Uint8Array),
  parse: (text) => (hexadecimal.test(text) ? new Uint8Array(Buffer.from(text, 'hex')) : undefined),
  ...literalForm("binary'", (value) => hex(value as Uint8Array), "'"),
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase()
}
