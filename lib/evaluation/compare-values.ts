import { compareDecimals, Decimal, decimalToNumber } from '../edm/decimal.js'
import type { Instant } from '../edm/instant.js'
import { compareInstants } from '../edm/instant.js'
import { compareBytes, compareStrings } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../edm/primitive-types/primitive-type-name.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'

export type EqualityOperator = 'eq' | 'ne'
export type RelationalOperator = 'lt' | 'le' | 'gt' | 'ge'

/** Compares two operands that are not null. */
export type Comparison = (left: Operand, right: Operand) => boolean

/** Returns the equality of operands of a type. As in IEEE 754, NaN is not equal to any value. */
export function equality(type: PrimitiveTypeName | null): Comparison {
  switch (type) {
    case 'Edm.Decimal':
      return (left, right) => compareDecimals(left as Decimal, right as Decimal) === 0
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return (left, right) => compareInstants(left as Instant, right as Instant) === 0
    case 'Edm.Binary':
      return (left, right) => compareBytes(left as Uint8Array, right as Uint8Array) === 0
    case 'Edm.Int64':
    case 'Edm.Int32':
      // A number and a bigint are equal by value, which `===` does not see.
      return (left, right) => left === right || (left >= right && left <= right)
    default:
      return (left, right) => left === right
  }
}

/** Returns a relational comparison of operands of a type. Comparisons with NaN are false. */
export function relation(operator: RelationalOperator, type: PrimitiveTypeName | null): Comparison {
  const compare = ordering(type)
  if (compare === undefined) return native[operator]
  switch (operator) {
    case 'lt':
      return (left, right) => compare(left, right) < 0
    case 'le':
      return (left, right) => compare(left, right) <= 0
    case 'gt':
      return (left, right) => compare(left, right) > 0
    case 'ge':
      return (left, right) => compare(left, right) >= 0
  }
}

/** The operators of JavaScript, which compare numbers with bigints exactly. */
const native: Readonly<Record<RelationalOperator, Comparison>> = {
  lt: (left, right) => left < right,
  le: (left, right) => left <= right,
  gt: (left, right) => left > right,
  ge: (left, right) => left >= right,
}

/** Returns the order of operands of a type; undefined if the operators of JavaScript compare them correctly. */
function ordering(type: PrimitiveTypeName | null): ((left: Operand, right: Operand) => number) | undefined {
  switch (type) {
    case 'Edm.Decimal':
      return (left, right) => compareDecimals(left as Decimal, right as Decimal)
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return (left, right) => compareInstants(left as Instant, right as Instant)
    case 'Edm.String':
    case 'Edm.Guid':
      return (left, right) => compareStrings(left as string, right as string)
    default:
      return undefined
  }
}

type Conversion = (operand: Operand) => Operand

/** Returns the function that promotes operands to another type; undefined if no conversion is necessary. */
export function promotion(from: PrimitiveTypeName | null, to: PrimitiveTypeName): Conversion | undefined {
  if (from === null || from === to) return undefined
  if (to === 'Edm.Decimal' && isInteger(from))
    return (operand) => new Decimal(BigInt(operand as number | bigint), 0)
  if (to === 'Edm.Double' && from !== 'Edm.Single') return toNumber
  if (to === 'Edm.Single') return (operand) => Math.fround(toNumber(operand))
  return undefined
}

function toNumber(operand: Operand): number {
  return operand instanceof Decimal ? decimalToNumber(operand) : Number(operand)
}
