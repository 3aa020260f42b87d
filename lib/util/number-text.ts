/**
 * Digits of numbers. JavaScript finds the shortest digits of any number, which takes long; most numbers of services
 * are not any numbers, but have few digits, and these are written here from small integers.
 */

/** Up to this V8 keeps numbers as integers and writes them quickly. */
const small = 0x3fffffff

const threeDigits = Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0'))

/** `.125`, `.5`, and nothing for no thousandths. */
const thousandths = threeDigits.map((digits, index) => (index === 0 ? '' : `.${digits.replace(/0+$/, '')}`))

/**
 * The digits of a whole number.
 *
 * @param value between -(2^53 - 1) and 2^53 - 1
 */
export function integerText(value: number): string {
  if (value >= -small && value <= small) return `${value}`
  if (value < 0) return `-${integerText(-value)}`
  const millions = Math.floor(value / 1e6)
  const rest = value - millions * 1e6
  const thousands = Math.floor(rest / 1e3)
  return integerText(millions) + threeOf(thousands) + threeOf(rest - thousands * 1e3)
}

/** The shortest digits that give a number back, as JavaScript writes them. */
export function numberText(value: number): string {
  const scaled = value * 1000
  // No shorter digits than three decimals can mean the same number when these give it back.
  if (scaled < -small || scaled > small || scaled !== (scaled | 0) || scaled / 1000 !== value)
    return `${value}`
  const absolute = Math.abs(scaled)
  const whole = (absolute / 1000) | 0
  return (scaled < 0 ? '-' : '') + `${whole}${thousandths[absolute - whole * 1000] ?? ''}`
}

/** @param value 0 to 999 */
export function threeOf(value: number): string {
  return threeDigits[value] ?? ''
}
