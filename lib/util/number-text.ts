/**
 * Formats numbers faster than JavaScript, which has to find the shortest digits of an arbitrary number. Most numbers in
 * services have few decimals and are formatted as integers of 32 bits, which V8 formats quickly.
 */

const threeDigits = Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0'))

/** The decimals of each number of thousandths: `.125`, `.5`, or an empty string for 0. */
const thousandths = threeDigits.map((digits, index) => (index === 0 ? '' : `.${digits.replace(/0+$/, '')}`))

/**
 * Formats an integer.
 *
 * @param value between -(2^53 - 1) and 2^53 - 1
 */
export function integerText(value: number): string {
  // V8 formats a value faster if it knows that it is an integer.
  const integer = value | 0
  if (value === integer) return `${integer}`
  if (value < 0) return `-${integerText(-value)}`
  const thousands = Math.floor(value / 1000)
  return integerText(thousands) + threeOf(value - thousands * 1000)
}

/** Formats a number with the shortest digits that parse to the same number, as JavaScript does. */
export function numberText(value: number): string {
  const scaled = value * 1000
  // If three decimals give the same number, they are its shortest digits.
  if (scaled !== (scaled | 0) || scaled / 1000 !== value) return `${value}`
  const absolute = Math.abs(scaled)
  const whole = (absolute / 1000) | 0
  return (scaled < 0 ? '-' : '') + `${whole}${thousandths[absolute - whole * 1000] ?? ''}`
}

/**
 * Formats three digits with leading zeros.
 *
 * @param value 0 to 999
 */
export function threeOf(value: number): string {
  return threeDigits[value] ?? ''
}
