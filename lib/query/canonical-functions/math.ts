import type { Decimal } from '../../edm/decimal.js'
import { ceilingDecimal, floorDecimal, roundDecimal } from '../../edm/decimal.js'
import type { CanonicalFunction, Signature } from './canonical-function.js'

/**
 * The canonical functions of numbers. Whole numbers are taken as decimals.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (canonical functions)
 */
export const mathFunctions = {
  round: rounding(roundHalfEven, roundDecimal),
  floor: rounding(Math.floor, floorDecimal),
  ceiling: rounding(Math.ceil, ceilingDecimal),
} as const satisfies Record<string, CanonicalFunction>

function rounding(
  ofDouble: (value: number) => number,
  ofDecimal: (value: Decimal) => Decimal,
): readonly [Signature, Signature] {
  return [
    { parameters: ['Edm.Double'], result: 'Edm.Double', evaluate: (value) => ofDouble(value as number) },
    { parameters: ['Edm.Decimal'], result: 'Edm.Decimal', evaluate: (value) => ofDecimal(value as Decimal) },
  ]
}

/** As IEEE 754 rounds: the half goes to the even neighbour. Decimals round it away from zero. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest < 0.5) return floor
  if (rest > 0.5) return floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}
