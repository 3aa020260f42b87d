import { floatingPointText, floatingPointType } from './floating-point.js'

/** Below this, whole numbers are exact in 32 bits, and their digits are the shortest text. */
const exactIntegers = 2 ** 24
/** The smallest number that 32 bits hold with full precision. */
const smallestNormal = 2 ** -126
/** This many digits tell every 32-bit number from its neighbours. */
const enoughDigits = 9

/** The shortest text that gives the same 32-bit number back: `0.1`, not `0.10000000149011612`. */
export function formatSingle(value: number): string {
  const single = Math.fround(value)
  return floatingPointText(single, Number.isFinite(single) ? shortestDigits(single) : '')
}

function shortestDigits(single: number): string {
  const size = Math.abs(single)
  if (Number.isInteger(single) && size < exactIntegers) return String(single)
  // Six digits always survive in a normal number; if fewer do, they are found as six with zeros behind.
  for (let digits = size < smallestNormal ? 1 : 6; digits < enoughDigits; digits++) {
    const rounded = Number(single.toPrecision(digits))
    if (Math.fround(rounded) === single) return String(rounded)
  }
  return String(Number(single.toPrecision(enoughDigits)))
}

/** @spec MS-ODATA 2.2.2 (Edm.Single) */
export const singleType = floatingPointType('Edm.Single', Math.fround, formatSingle, 'F')
