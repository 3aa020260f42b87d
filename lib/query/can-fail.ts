import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { CanonicalFunctionName } from './canonical-functions/canonical-functions.js'
import type { Expression } from './expression.js'

/** These functions build strings, whose length is limited. */
const LIMITED_FUNCTIONS: ReadonlySet<CanonicalFunctionName> = new Set(['concat', 'replace'])

/**
 * Returns true if the evaluation of an expression can fail for some values of the entity, because of a limit, or a
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

/**
 * Returns true for conversions of decimals to floating-point numbers. Databases can reject them for very large and very
 * small numbers.
 */
function losesDigits({ type }: Expression, target: PrimitiveTypeName | null): boolean {
  return type === 'Edm.Decimal' && (target === 'Edm.Double' || target === 'Edm.Single')
}
