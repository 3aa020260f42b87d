import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

const texts: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

/** @spec MS-ODATA 2.2.2 (Edm.Boolean) */
export const booleanType: PrimitiveType = {
  name: 'Edm.Boolean',
  toOperand: (value) => (typeof value === 'boolean' ? value : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => Number(a) - Number(b),
  parse: (text) => texts.get(text),
  ...literalForm('', String, ''),
}
