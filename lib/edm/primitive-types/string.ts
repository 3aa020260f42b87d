import { compareStrings } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

/** @spec MS-ODATA 2.2.2 (Edm.String) */
export const stringType: PrimitiveType = {
  name: 'Edm.String',
  toOperand: (value) => (typeof value === 'string' ? value : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => compareStrings(a as string, b as string),
  parse: (text) => text,
  ...literalForm("'", (value) => (value as string).replaceAll("'", "''"), "'"),
}
