import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isInteger, isNumeric } from '../edm/primitive-types/primitive-type-name.js'
import type { BinaryOperator } from '../uri/syntax-tree.js'

/** The kinds of types that an operator accepts. */
type OperatorKind = 'logical' | 'equality' | 'relational' | 'arithmetic'

/** @spec MS-ODATA 2.2.3.6.1.1.1 (operators) */
export const operatorKinds: Readonly<Record<BinaryOperator, OperatorKind>> = {
  or: 'logical',
  and: 'logical',
  eq: 'equality',
  ne: 'equality',
  lt: 'relational',
  gt: 'relational',
  le: 'relational',
  ge: 'relational',
  add: 'arithmetic',
  sub: 'arithmetic',
  mul: 'arithmetic',
  div: 'arithmetic',
  mod: 'arithmetic',
}

/** Types without an order. */
const unordered: ReadonlySet<PrimitiveTypeName> = new Set(['Edm.Boolean', 'Edm.Binary'])

/**
 * Returns the type in which two numbers are added or compared. Bytes and short integers always become Edm.Int32.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.2 (numeric promotion)
 */
export function promote(left: PrimitiveTypeName, right: PrimitiveTypeName): PrimitiveTypeName {
  const either = (type: PrimitiveTypeName): boolean => left === type || right === type
  if (either('Edm.Double')) return 'Edm.Double'
  if (either('Edm.Single')) return 'Edm.Single'
  if (either('Edm.Decimal')) return 'Edm.Decimal'
  return either('Edm.Int64') ? 'Edm.Int64' : 'Edm.Int32'
}

/** Returns true if a number can be cast to another type, which can represent numbers that are at least as large. */
export function widens(from: PrimitiveTypeName, to: PrimitiveTypeName): boolean {
  if (!isNumeric(from) || !isNumeric(to)) return false
  return promote(from, to) === to || (to === 'Edm.Int16' && (from === 'Edm.Byte' || from === 'Edm.SByte'))
}

/** Returns the type of `-x`. @spec MS-ODATA 2.2.3.6.1.1.2 */
export function negated(type: PrimitiveTypeName): PrimitiveTypeName {
  if (type === 'Edm.Single') return 'Edm.Double'
  return isInteger(type) && type !== 'Edm.Int64' ? 'Edm.Int32' : type
}

/** Returns the type to which both sides of a comparison are converted; undefined if they cannot be compared. */
export function comparisonType(
  kind: 'equality' | 'relational',
  left: PrimitiveTypeName,
  right: PrimitiveTypeName,
): PrimitiveTypeName | undefined {
  if (isNumeric(left) && isNumeric(right)) return promote(left, right)
  if (left !== right || (kind === 'relational' && unordered.has(left))) return undefined
  return left
}

/** Returns true if an argument of one type can be passed to a parameter of another. */
export function fitsParameter(argument: PrimitiveTypeName, parameter: PrimitiveTypeName): boolean {
  if (argument === parameter) return true
  switch (parameter) {
    case 'Edm.Int32':
      return isInteger(argument)
    case 'Edm.Decimal':
      return isInteger(argument)
    case 'Edm.Double':
      return argument === 'Edm.Single'
    default:
      return false
  }
}
