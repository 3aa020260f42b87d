import {
  addDecimals,
  divideDecimals,
  multiplyDecimals,
  negateDecimal,
  remainderOfDecimals,
} from '../edm/decimal.js'
import type { Decimal } from '../edm/decimal.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../errors/odata-error.js'

export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'mod'

/**
 * Computes a result from operands that are not null. Returns null if there is no result, for example for a division by
 * zero.
 */
type Arithmetic = (left: Operand, right: Operand) => Operand | null

type Whole = number | bigint

/**
 * Returns the arithmetic operation on operands of a type. Integers do not overflow at 64 bits but have a
 * maximum number of digits, decimals are exact, and only floating-point numbers can be infinite.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.2 (arithmetic operators)
 */
export function arithmetic(operator: ArithmeticOperator, type: PrimitiveTypeName): Arithmetic {
  switch (type) {
    case 'Edm.Double':
      return floatingPoint[operator] as Arithmetic
    case 'Edm.Single': {
      const operation = floatingPoint[operator]
      return (left, right) => Math.fround(operation(left as number, right as number))
    }
    case 'Edm.Decimal':
      return decimal[operator] as Arithmetic
    default:
      return whole[operator] as Arithmetic
  }
}

/** Returns the function that negates operands of a type. */
export function negation(type: PrimitiveTypeName): (operand: Operand) => Operand {
  if (type === 'Edm.Decimal') return (operand) => negateDecimal(operand as Decimal)
  // Integers have no negative zero.
  if (type === 'Edm.Double') return (operand) => -(operand as number)
  return (operand) => (operand === 0 ? 0 : -(operand as Whole))
}

const floatingPoint: Readonly<Record<ArithmeticOperator, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => a % b,
}

const decimal: Readonly<Record<ArithmeticOperator, (a: Decimal, b: Decimal) => Decimal | null>> = {
  add: (a, b) => limited(addDecimals(a, b)),
  sub: (a, b) => limited(addDecimals(a, negateDecimal(b))),
  mul: (a, b) => limited(multiplyDecimals(a, b)),
  div: (a, b) => limited(divideDecimals(a, b) ?? null),
  mod: (a, b) => remainderOfDecimals(a, b) ?? null,
}

/**
 * The maximum number of digits of a result: twice as many as a System.Decimal has, so that the product of any two of
 * them is exact. Without a limit, a short URI such as `mul 1e400 mul 1e400` could use much memory and CPU time.
 */
const maximumDigits = 60
const tooLarge = 10n ** BigInt(maximumDigits)

function limited(value: Decimal | null): Decimal | null {
  if (value !== null && (value.scale > maximumDigits || isTooLarge(value.coefficient))) throw tooManyDigits()
  return value
}

function isTooLarge(value: bigint): boolean {
  return value >= tooLarge || value <= -tooLarge
}

function tooManyDigits(): ODataError {
  return new ODataError('LimitExceeded', {
    message: `An expression computes a number of more than ${maximumDigits} digits.`,
    details: { limit: 'decimalDigits' },
  })
}

const whole: Readonly<Record<ArithmeticOperator, (a: Whole, b: Whole) => Whole | null>> = {
  add: exact(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  sub: exact(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  mul: exact(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  div: (a, b) => (isZero(b) ? null : divide(a, b)),
  mod: (a, b) => (isZero(b) ? null : remainder(a, b)),
}

/** Computes with numbers if the result is exact, else with bigints. */
function exact(
  ofNumbers: (a: number, b: number) => number,
  ofBigInts: (a: bigint, b: bigint) => bigint,
): (a: Whole, b: Whole) => Whole {
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const result = ofNumbers(a, b)
      if (Number.isSafeInteger(result)) return result
    }
    const result = ofBigInts(BigInt(a), BigInt(b))
    if (isTooLarge(result)) throw tooManyDigits()
    return result
  }
}

const divide = exact(
  (a, b) => Math.trunc(a / b) + 0,
  (a, b) => a / b,
)

const remainder = exact(
  (a, b) => (a % b) + 0,
  (a, b) => a % b,
)

function isZero(value: Whole): boolean {
  return value === 0 || value === 0n
}
