import { numberText } from '../../util/number-text.js'
import { floatingPointText, floatingPointType } from './floating-point.js'

/** The shortest text that gives the number back. */
export function formatDouble(value: number): string {
  return floatingPointText(value, numberText(value))
}

/** @spec MS-ODATA 2.2.2 (Edm.Double) */
export const doubleType = floatingPointType('Edm.Double', (value) => value, formatDouble, 'D')
