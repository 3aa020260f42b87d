import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { CanonicalFunctionName } from './canonical-functions/canonical-functions.js'
import type { Expression } from './expression.js'

/** These functions build strings, whose length is limited. */
const LIMITED_FUNCTIONS: ReadonlySet<CanonicalFunctionName> = new Set(['concat', 'replace'])

/** The product of three integers has fewer digits than the limit. */
const SAFE_FACTORS = 3

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
      const { left, operator, right, operandType, type } = expression
      if (type === 'Edm.Decimal') return true
      if (operator === 'mul' && factorsOf(expression) > SAFE_FACTORS) return true
      return (
        losesDigits(left, operandType) || losesDigits(right, operandType) || canFail(left) || canFail(right)
      )
    }
    case 'Call': {
      const { name, arguments: parameters, parameterTypes } = expression
      if (LIMITED_FUNCTIONS.has(name)) return true
      return parameters.some((one, index) => losesDigits(one, parameterTypes[index] ?? null) || canFail(one))
    }
  }
}

/** Returns the number of factors of a product; 1 for other operands. */
export function factorsOf(expression: Expression): number {
  if (expression.kind === 'Unary') return factorsOf(expression.operand)
  if (expression.kind !== 'Binary') return 1
  const [left, right] = [factorsOf(expression.left), factorsOf(expression.right)]
  return expression.operator === 'mul' ? left + right : Math.max(left, right)
}

/**
 * Returns true for conversions of decimals to floating-point numbers. Databases can reject them for very large and very
 * small numbers.
 */
function losesDigits({ type }: Expression, target: PrimitiveTypeName | null): boolean {
  return type === 'Edm.Decimal' && (target === 'Edm.Double' || target === 'Edm.Single')
}
