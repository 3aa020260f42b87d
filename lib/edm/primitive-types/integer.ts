import { compareNumbers } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveTypeName } from './primitive-type-name.js'
import type { PrimitiveType } from './primitive-type.js'

const digits = /^[+-]?\d+$/

/** The whole-number types that fit a JavaScript number; they differ only in their range. */
export function integerType(name: PrimitiveTypeName, minimum: number, maximum: number): PrimitiveType {
  return {
    name,
    // The range is not looked at here: what a provider has, it has. It is checked where clients write.
    toOperand: (value) =>
      Number.isInteger(value) || typeof value === 'bigint' ? (value as number | bigint) : undefined,
    toValue: (operand) => operand,
    compare: compareNumbers,
    parse(text) {
      if (!digits.test(text)) return undefined
      const value = Number(text)
      return value >= minimum && value <= maximum ? value + 0 : undefined
    },
    ...literalForm('', String, ''),
  }
}
