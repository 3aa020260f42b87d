import { compareStrings } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

const pattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/**
 * 128-bit identifiers, always in lower case. The grammar 8-4-4-12 of the specification's text is a slip that
 * nobody follows.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Guid)
 */
export const guidType: PrimitiveType = {
  name: 'Edm.Guid',
  toOperand: (value) => (typeof value === 'string' && pattern.test(value) ? value.toLowerCase() : undefined),
  toValue: (operand) => operand,
  compare: (a, b) => compareStrings(a as string, b as string),
  parse: (text) => (pattern.test(text) ? text.toLowerCase() : undefined),
  ...literalForm("guid'", (value) => (value as string).toLowerCase(), "'"),
}
