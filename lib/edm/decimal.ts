/**
 * An exact decimal number: an integer and a scale. JavaScript numbers are binary fractions, which cannot represent 0.1.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Decimal)
 */
export class Decimal {
  /**
   * @param coefficient the digits without the decimal point
   * @param scale the number of digits after the decimal point, never negative
   */
  constructor(
    readonly coefficient: bigint,
    readonly scale: number,
  ) {}

  /** Formats the number without exponent and with its trailing zeros: `2.50`. */
  toString(): string {
    const negative = this.coefficient < 0n
    const digits = (negative ? -this.coefficient : this.coefficient).toString().padStart(this.scale + 1, '0')
    const whole = digits.slice(0, digits.length - this.scale)
    const fraction = this.scale === 0 ? '' : `.${digits.slice(digits.length - this.scale)}`
    return `${negative ? '-' : ''}${whole}${fraction}`
  }
}

/** The number of decimals of a quotient, which is the precision of System.Decimal. */
const QUOTIENT_SCALE = 28
/** Limits the memory of literals such as `1e999999999`. */
const MAX_EXPONENT = 400

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/

/** Parses digits with an optional sign, fraction and exponent; returns undefined for other strings. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponentText] = match
  const exponent = exponentText === undefined ? 0 : Number(exponentText)
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined
  const magnitude = BigInt(whole + fraction)
  const coefficient = sign === '-' ? -magnitude : magnitude
  const scale = fraction.length - exponent
  return scale >= 0 ? new Decimal(coefficient, scale) : new Decimal(coefficient * power(-scale), 0)
}

/** Converts the shortest digits of a number, so that 0.1 is one tenth. Returns undefined for NaN and infinity. */
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

/** Divides with 28 decimals, rounded half to even. Returns undefined for a division by zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.coefficient === 0n) return undefined
  const numerator = a.coefficient * power(QUOTIENT_SCALE + b.scale)
  const denominator = b.coefficient * power(a.scale)
  return normalizeDecimal(new Decimal(divideHalfEven(numerator, denominator), QUOTIENT_SCALE))
}

/** Returns the remainder with the sign of the dividend, or undefined for a division by zero. */
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

/** Rounds half away from zero, as other OData services do for decimals. */
export function roundDecimal(value: Decimal): Decimal {
  const half = new Decimal(5n, 1)
  return value.coefficient < 0n
    ? ceilingDecimal(addDecimals(value, negateDecimal(half)))
    : floorDecimal(addDecimals(value, half))
}

/** Rounds towards zero. */
export function truncateDecimal(value: Decimal): bigint {
  return value.coefficient / power(value.scale)
}

export function decimalToNumber(value: Decimal): number {
  return Number(value.toString())
}

/** Removes trailing zeros after the decimal point. */
export function normalizeDecimal(value: Decimal): Decimal {
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

const MAX_CACHED_POWER = 1000
const powers: bigint[] = []

/** Comparisons call it for each row. */
function power(exponent: number): bigint {
  return exponent > MAX_CACHED_POWER
    ? 10n ** BigInt(exponent)
    : (powers[exponent] ??= 10n ** BigInt(exponent))
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
