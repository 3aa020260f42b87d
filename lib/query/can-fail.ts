import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { CanonicalFunctionName } from './canonical-functions/canonical-functions.js'
import type { Expression } from './expression.js'

/** These functions build strings, whose length is limited. */
const LIMITED_FUNCTIONS: ReadonlySet<CanonicalFunctionName> = new Set(['concat', 'replace'])

/**
 * Returns whether the evaluation of an expression can fail, depending on the values of the entity: by a limit, or by a
 * number that a database cannot convert. An error reveals something about the entity, so such an expression must not be
 * evaluated on entities that the caller may not read.
 */
export function canFail(expression: Expression): boolean {
  switch (expression.kind) {
    case 'Literal':
    case 'PropertyPath':
    case 'EntityPath':
      return false
    case 'Cast':
      return true
    case 'Unary':
    case 'IsOf':
      return canFail(expression.operand)
    case 'Binary': {
      const { left, right, operandType, type } = expression
      if (type === 'Edm.Decimal') return true
      return [left, right].some((side) => losesDigits(side, operandType) || canFail(side))
    }
    case 'Call': {
      const { name, arguments: parameters, parameterTypes } = expression
      if (LIMITED_FUNCTIONS.has(name)) return true
      return parameters.some((one, index) => losesDigits(one, parameterTypes[index] ?? null) || canFail(one))
    }
  }
}

/** A database may refuse to convert a decimal number that is too large or too small for a floating-point number. */
function losesDigits({ type }: Expression, target: PrimitiveTypeName | null): boolean {
  return type === 'Edm.Decimal' && (target === 'Edm.Double' || target === 'Edm.Single')
}
