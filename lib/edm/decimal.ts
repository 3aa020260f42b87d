/**
 * Exact decimal numbers: a whole number of 10^-scale parts. JavaScript's own numbers are binary fractions and
 * would turn 0.1 + 0.2 into something else.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Decimal)
 */
export class Decimal {
  /**
   * @param coefficient the digits without the point
   * @param scale how many of the digits stand behind the point, never negative
   */
  constructor(
    readonly coefficient: bigint,
    readonly scale: number,
  ) {}

  /** Plain digits without exponent, with the trailing zeros it was made with: `2.50`. */
  toString(): string {
    const negative = this.coefficient < 0n
    const digits = (negative ? -this.coefficient : this.coefficient).toString().padStart(this.scale + 1, '0')
    const whole = digits.slice(0, digits.length - this.scale)
    const fraction = this.scale === 0 ? '' : `.${digits.slice(digits.length - this.scale)}`
    return `${negative ? '-' : ''}${whole}${fraction}`
  }
}

/** How many digits a quotient keeps behind the point (the precision of System.Decimal). */
const quotientScale = 28
/** Beyond this a literal such as `1e999999999` would be an attack on memory, not a number. */
const maximumExponent = 400

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/

/** Reads digits with an optional sign, fraction and exponent; undefined when the text is no such number. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponentText] = match
  const exponent = exponentText === undefined ? 0 : Number(exponentText)
  if (Math.abs(exponent) > maximumExponent) return undefined
  const magnitude = BigInt(whole + fraction)
  const coefficient = sign === '-' ? -magnitude : magnitude
  const scale = fraction.length - exponent
  return scale >= 0 ? new Decimal(coefficient, scale) : new Decimal(coefficient * power(-scale), 0)
}

/** The decimal that the shortest text of a number stands for: 0.1 is a tenth. Undefined for NaN and infinities. */
export function decimalFromNumber(value: number): Decimal | undefined {
  return Number.isFinite(value) ? parseDecimal(String(value)) : undefined
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const left = rescaled(a, scale)
  const right = rescaled(b, scale)
  return left < right ? -1 : left > right ? 1 : 0
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return new Decimal(rescaled(a, scale) + rescaled(b, scale), scale)
}

export function negateDecimal(value: Decimal): Decimal {
  return new Decimal(-value.coefficient, value.scale)
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return new Decimal(a.coefficient * b.coefficient, a.scale + b.scale)
}

/** The quotient, exact up to 28 digits behind the point and rounded half to even there; undefined for x / 0. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.coefficient === 0n) return undefined
  const numerator = a.coefficient * power(quotientScale + b.scale)
  const denominator = b.coefficient * power(a.scale)
  return trimmed(new Decimal(divideHalfEven(numerator, denominator), quotientScale))
}

/** What a division with a whole quotient leaves; it has the sign of `a`. Undefined for x mod 0. */
export function remainderOfDecimals(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.coefficient === 0n) return undefined
  const scale = Math.max(a.scale, b.scale)
  return new Decimal(rescaled(a, scale) % rescaled(b, scale), scale)
}

export function floorDecimal(value: Decimal): Decimal {
  const one = power(value.scale)
  const quotient = value.coefficient / one
  const below = value.coefficient < 0n && quotient * one !== value.coefficient
  return new Decimal(below ? quotient - 1n : quotient, 0)
}

export function ceilingDecimal(value: Decimal): Decimal {
  return negateDecimal(floorDecimal(negateDecimal(value)))
}

/** Half away from zero, as System.Math.Round is used for decimals by the services that set the custom. */
export function roundDecimal(value: Decimal): Decimal {
  const half = new Decimal(5n, 1)
  return value.coefficient < 0n
    ? ceilingDecimal(addDecimals(value, negateDecimal(half)))
    : floorDecimal(addDecimals(value, half))
}

/** The whole part, cut towards zero. */
export function truncateDecimal(value: Decimal): bigint {
  return value.coefficient / power(value.scale)
}

export function decimalToNumber(value: Decimal): number {
  return Number(value.toString())
}

/** The same number with as few digits behind the point as possible. */
function trimmed(value: Decimal): Decimal {
  let { coefficient, scale } = value
  while (scale > 0 && coefficient % 10n === 0n) {
    coefficient /= 10n
    scale--
  }
  return new Decimal(coefficient, scale)
}

function rescaled(value: Decimal, scale: number): bigint {
  return value.scale === scale ? value.coefficient : value.coefficient * power(scale - value.scale)
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const rest = numerator % denominator
  const twice = absolute(rest) * 2n
  const limit = absolute(denominator)
  const away = twice > limit || (twice === limit && quotient % 2n !== 0n)
  if (!away) return quotient
  return numerator < 0n !== denominator < 0n ? quotient - 1n : quotient + 1n
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
