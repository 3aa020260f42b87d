import { Decimal, decimalToNumber } from '../edm/decimal.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../query/operator-types.js'

export type Conversion = (operand: Operand) => Operand

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
