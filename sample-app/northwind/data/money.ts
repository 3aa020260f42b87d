/** Amounts of money are digit strings with four digits behind the point; sums are made of whole ten-thousandths. */
const scale = 4
const one = 10_000n

/** The ten-thousandths of an amount such as `12.5000`. */
export function toUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** The amount of so many ten-thousandths, none of them below zero. */
export function fromUnits(units: bigint): string {
  return `${units / one}.${String(units % one).padStart(scale, '0')}`
}

/** A quotient of amounts, rounded half up to a ten-thousandth. */
export function divideUnits(units: bigint, divisor: bigint): bigint {
  return (units * 2n + divisor) / (divisor * 2n)
}
