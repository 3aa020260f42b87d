import { Decimal } from '../edm/decimal.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'

/** Digits of a quotient that no facet limits, as in `$filter`. */
const QUOTIENT_SCALE = 28

/** Adds numbers without rounding, so that the result does not depend on their order. */
export class ExactSum {
  private coefficient = 0n
  /** Digits after the decimal point of the coefficient. */
  private scale = 0
  /** Integers that have not been added to the coefficient: numbers are faster than bigints. */
  private pending = 0
  /** The sum of binary fractions is `mantissa * 2 ** exponent`. */
  private mantissa = 0n
  private exponent = 0
  /** Infinity or NaN, once added. */
  private special: number | undefined
  count = 0

  /** Returns a sum that has been computed. @param count the number of values that were added */
  static of(total: Decimal, count: number): ExactSum {
    const sum = new ExactSum()
    sum.add(total)
    sum.count = count
    return sum
  }

  add(value: Operand): void {
    this.count++
    if (value instanceof Decimal) this.addDecimal(value)
    else if (typeof value === 'bigint') this.addScaled(value, 0)
    else if (typeof value === 'number') this.addNumber(value)
    else throw new TypeError('Only numbers can be added.')
  }

  /**
   * Returns the sum as a value of a type.
   *
   * @param scale digits after the decimal point of Edm.Decimal; undefined for as many as the values have
   * @returns a value that the type may not include, if it is too small: groups are sorted by it before it is checked
   */
  sum(type: PrimitiveTypeName, scale: number | undefined): unknown {
    return this.quotient(1n, type, scale ?? this.scale)
  }

  /** Returns the sum divided by the number of values; null without values. */
  average(type: PrimitiveTypeName, scale = QUOTIENT_SCALE): unknown {
    return this.count === 0 ? null : this.quotient(BigInt(this.count), type, scale)
  }

  private quotient(divisor: bigint, type: PrimitiveTypeName, scale: number): unknown {
    if (this.special !== undefined) return this.special
    const [numerator, denominator] = this.ratio()
    if (type === 'Edm.Double' || type === 'Edm.Single')
      return ratioToNumber(numerator, denominator * divisor, type)
    const digits = type === 'Edm.Decimal' ? scale : 0
    const rounded = divideHalfAway(numerator * power(digits), denominator * divisor)
    if (type === 'Edm.Decimal') return new Decimal(rounded, digits).toString()
    return integerOf(rounded, type)
  }

  private ratio(): [numerator: bigint, denominator: bigint] {
    this.flush()
    const { coefficient, exponent, mantissa, scale } = this
    const denominator = power(scale)
    if (mantissa === 0n) return [coefficient, denominator]
    if (exponent >= 0) return [coefficient + (mantissa << BigInt(exponent)) * denominator, denominator]
    const binary = 1n << BigInt(-exponent)
    return [coefficient * binary + mantissa * denominator, denominator * binary]
  }

  private addDecimal({ coefficient, scale }: Decimal): void {
    this.addScaled(coefficient, scale)
  }

  private addScaled(coefficient: bigint, scale: number): void {
    if (scale > this.scale) {
      this.flush()
      this.coefficient *= power(scale - this.scale)
      this.scale = scale
    }
    this.coefficient += scale === this.scale ? coefficient : coefficient * power(this.scale - scale)
  }

  private addNumber(value: number): void {
    if (!Number.isFinite(value)) this.special = (this.special ?? 0) + value
    else if (!Number.isInteger(value)) this.addBinary(value)
    else if (Number.isSafeInteger(this.pending + value) && Number.isSafeInteger(value)) this.pending += value
    else this.addScaled(BigInt(value), 0)
  }

  private addBinary(value: number): void {
    const [mantissa, exponent] = binaryOf(value)
    if (exponent < this.exponent) {
      this.mantissa <<= BigInt(this.exponent - exponent)
      this.exponent = exponent
    }
    this.mantissa += mantissa << BigInt(exponent - this.exponent)
  }

  private flush(): void {
    const { pending } = this
    this.pending = 0
    if (pending !== 0) this.addScaled(BigInt(pending), 0)
  }
}

function integerOf(value: bigint, type: PrimitiveTypeName): unknown {
  const number = Number(value)
  return type === 'Edm.Int64' || !Number.isSafeInteger(number) ? value : number
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

/** @param denominator positive */
function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

const view = new DataView(new ArrayBuffer(8))

/** Splits a finite number that is not 0 into `mantissa * 2 ** exponent`. */
function binaryOf(value: number): [mantissa: bigint, exponent: number] {
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n
  return [value < 0 ? -mantissa : mantissa, Math.max(biased, 1) - 1075]
}

const floats = {
  'Edm.Double': { digits: 53, minExponent: -1074, max: Number.MAX_VALUE },
  'Edm.Single': { digits: 24, minExponent: -149, max: 3.4028234663852886e38 },
} as const

/** Returns the nearest binary fraction, ties to even. @param denominator positive */
function ratioToNumber(numerator: bigint, denominator: bigint, type: keyof typeof floats): number {
  if (numerator === 0n) return 0
  const { digits, max, minExponent } = floats[type]
  const magnitude = numerator < 0n ? -numerator : numerator
  const length = bitLength(magnitude) - bitLength(denominator)
  // The quotient has `digits` binary digits, or one more.
  let exponent = Math.max(length - digits, minExponent)
  let rounded = divideHalfEven(magnitude, denominator, exponent)
  if (bitLength(rounded) > digits && rounded !== 1n << BigInt(digits)) {
    exponent++
    rounded = divideHalfEven(magnitude, denominator, exponent)
  }
  const result = scaled(Number(rounded), exponent)
  const limited = result > max ? Number.POSITIVE_INFINITY : result
  return numerator < 0n ? -limited : limited
}

/** Multiplies by a power of two in steps that are exact. */
function scaled(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2)
  return value * 2 ** half * 2 ** (exponent - half)
}

function divideHalfEven(numerator: bigint, denominator: bigint, exponent: number): bigint {
  const above = exponent < 0 ? numerator << BigInt(-exponent) : numerator
  const below = exponent > 0 ? denominator << BigInt(exponent) : denominator
  const quotient = above / below
  const twice = (above - quotient * below) * 2n
  const isUp = twice > below || (twice === below && quotient % 2n === 1n)
  return isUp ? quotient + 1n : quotient
}

function bitLength(value: bigint): number {
  const hex = value.toString(16)
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex.slice(0, 1), 16)))
}
