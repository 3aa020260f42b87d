/** Amounts are strings with four decimal places. Calculations use integers, in ten-thousandths. */
const scale = 4
const one = 10_000n

/** Converts an amount such as `12.5000` to ten-thousandths. */
export function toUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** Converts ten-thousandths, which must not be negative, to an amount. */
export function fromUnits(units: bigint): string {
  return `${units / one}.${String(units % one).padStart(scale, '0')}`
}

/** Divides an amount, and rounds half up to a ten-thousandth. */
export function divideUnits(units: bigint, divisor: bigint): bigint {
  return (units * 2n + divisor) / (divisor * 2n)
}
