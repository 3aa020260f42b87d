import { Decimal, decimalFromNumber, decimalToNumber, truncateDecimal } from '../edm/decimal.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../query/operator-types.js'

export type Conversion = (operand: Operand) => Operand

/** Brings an operand of one type to another to which it is promoted; undefined when nothing has to be done. */
export function promotion(from: PrimitiveTypeName | null, to: PrimitiveTypeName): Conversion | undefined {
  if (from === null || from === to) return undefined
  if (to === 'Edm.Decimal' && isInteger(from))
    return (operand) => new Decimal(BigInt(operand as number | bigint), 0)
  if (to === 'Edm.Double' && from === 'Edm.Decimal') return (operand) => decimalToNumber(operand as Decimal)
  if (to === 'Edm.Double' && isInteger(from)) return Number
  if (to === 'Edm.Single') return (operand) => Math.fround(toNumber(operand))
  return undefined
}

/** The result of a cast between numbers; null when the value does not fit the new type. */
export function numericCast(
  from: PrimitiveTypeName,
  to: PrimitiveTypeName,
): (operand: Operand) => Operand | null {
  if (to === 'Edm.Double') return (operand) => toNumber(operand)
  if (to === 'Edm.Single') return (operand) => Math.fround(toNumber(operand))
  if (to === 'Edm.Decimal') return (operand) => toDecimal(operand)
  const [minimum, maximum] = ranges[to] ?? [0n, 0n]
  return (operand) => {
    const whole = toWhole(operand, from)
    if (whole === null || whole < minimum || whole > maximum) return null
    return to === 'Edm.Int64' ? whole : Number(whole)
  }
}

const ranges: Partial<Record<PrimitiveTypeName, readonly [bigint, bigint]>> = {
  'Edm.Byte': [0n, 255n],
  'Edm.SByte': [-128n, 127n],
  'Edm.Int16': [-32_768n, 32_767n],
  'Edm.Int32': [-2_147_483_648n, 2_147_483_647n],
  'Edm.Int64': [-(2n ** 63n), 2n ** 63n - 1n],
}

function toNumber(operand: Operand): number {
  return operand instanceof Decimal ? decimalToNumber(operand) : Number(operand)
}

function toDecimal(operand: Operand): Decimal | null {
  if (operand instanceof Decimal) return operand
  if (typeof operand === 'bigint') return new Decimal(operand, 0)
  return decimalFromNumber(operand as number) ?? null
}

/** Cut towards zero, as casts do. */
function toWhole(operand: Operand, from: PrimitiveTypeName): bigint | null {
  if (isInteger(from)) return BigInt(operand as number | bigint)
  const decimal = toDecimal(operand)
  return decimal === null ? null : truncateDecimal(decimal)
}
