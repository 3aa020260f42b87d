import type { CanonicalFunction, Signature } from './canonical-function.js'
import { stringFunctions } from './string.js'
import type { Decimal } from '../../edm/decimal.js'
import { ceilingDecimal, floorDecimal, roundDecimal } from '../../edm/decimal.js'
import type { Instant } from '../../edm/instant.js'
import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { clockFields } from '../../edm/time-of-day.js'

/**
 * The canonical functions of dates and times. Fields of an Edm.DateTimeOffset are read in its own zone.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (canonical functions)
 */
const dateTimeFunctions = {
  year: dateField((date) => date.getUTCFullYear()),
  month: dateField((date) => date.getUTCMonth() + 1),
  day: dateField((date) => date.getUTCDate()),
  hour: timeField((date) => date.getUTCHours(), 'hour'),
  minute: timeField((date) => date.getUTCMinutes(), 'minute'),
  second: timeField((date) => date.getUTCSeconds(), 'second'),
} as const satisfies Record<string, CanonicalFunction>

/**
 * The canonical functions of numbers. Whole numbers are taken as decimals.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (canonical functions)
 */
const mathFunctions = {
  round: rounding(roundHalfEven, roundDecimal),
  floor: rounding(Math.floor, floorDecimal),
  ceiling: rounding(Math.ceil, ceilingDecimal),
} as const satisfies Record<string, CanonicalFunction>

/** Every canonical function by name. `isof` and `cast` take types and are not among them. */
export const canonicalFunctions = {
  ...stringFunctions,
  ...dateTimeFunctions,
  ...mathFunctions,
} as const satisfies Record<string, CanonicalFunction>

export type CanonicalFunctionName = keyof typeof canonicalFunctions

export function isCanonicalFunctionName(name: string): name is CanonicalFunctionName {
  return Object.hasOwn(canonicalFunctions, name)
}

function rounding(
  ofDouble: (value: number) => number,
  ofDecimal: (value: Decimal) => Decimal,
): readonly [Signature, Signature] {
  return [
    { parameters: ['Edm.Double'], result: 'Edm.Double', evaluate: (value) => ofDouble(value as number) },
    { parameters: ['Edm.Decimal'], result: 'Edm.Decimal', evaluate: (value) => ofDecimal(value as Decimal) },
  ]
}

/** As IEEE 754 rounds: the half goes to the even neighbour. Decimals round it away from zero. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest < 0.5) return floor
  if (rest > 0.5) return floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

function dateField(read: (date: Date) => number): readonly [Signature, Signature] {
  const evaluate = (operand: Operand): number => read(localDate(operand as Instant))
  return [signature('Edm.DateTime', evaluate), signature('Edm.DateTimeOffset', evaluate)]
}

function timeField(
  read: (date: Date) => number,
  field: 'hour' | 'minute' | 'second',
): readonly [Signature, Signature, Signature] {
  const ofTime = signature('Edm.Time', (operand) => clockFields(operand as number)[field])
  return [...dateField(read), ofTime]
}

function signature(parameter: PrimitiveTypeName, evaluate: (operand: Operand) => number): Signature {
  return { parameters: [parameter], result: 'Edm.Int32', evaluate }
}

/** A Date whose UTC fields are the fields of the writer's clock. */
function localDate(instant: Instant): Date {
  return new Date(instant.milliseconds + instant.offset * 60_000)
}
