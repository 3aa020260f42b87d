import { floatingPointText, floatingPointType } from './floating-point.js'

/** The shortest text that gives the same 32-bit number back: `0.1`, not `0.10000000149011612`. */
export function formatSingle(value: number): string {
  const single = Math.fround(value)
  if (!Number.isFinite(single) || Number.isInteger(single)) return floatingPointText(single, String(single))
  let digits = String(single)
  for (let precision = 6; precision <= 9; precision++) {
    const shorter = String(Number(single.toPrecision(precision)))
    if (Math.fround(Number(shorter)) === single) {
      digits = shorter
      break
    }
  }
  return floatingPointText(single, digits)
}

/** @spec MS-ODATA 2.2.2 (Edm.Single) */
export const singleType = floatingPointType('Edm.Single', Math.fround, formatSingle, 'F')
