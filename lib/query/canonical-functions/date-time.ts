import type { Instant } from '../../edm/instant.js'
import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { clockFields } from '../../edm/time-of-day.js'
import type { CanonicalFunction, Signature } from './canonical-function.js'

/**
 * The canonical functions of dates and times. Fields of an Edm.DateTimeOffset are read in its own zone.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (canonical functions)
 */
export const dateTimeFunctions = {
  year: dateField((date) => date.getUTCFullYear()),
  month: dateField((date) => date.getUTCMonth() + 1),
  day: dateField((date) => date.getUTCDate()),
  hour: timeField((date) => date.getUTCHours(), 'hour'),
  minute: timeField((date) => date.getUTCMinutes(), 'minute'),
  second: timeField((date) => date.getUTCSeconds(), 'second'),
} as const satisfies Record<string, CanonicalFunction>

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
