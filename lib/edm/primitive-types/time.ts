import { formatClock, formatDuration, parseClock, parseDuration } from '../time-of-day.js'
import { compareNumbers } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

/** The wire form `PT09H13M28S` of a value `09:13:28`. Throws when the value is no time of day. */
export function formatTime(value: unknown): string {
  const ticks = typeof value === 'string' ? parseClock(value) : undefined
  if (ticks === undefined) throw new TypeError(`Not an Edm.Time: ${String(value)}`)
  return formatDuration(ticks)
}

/**
 * Times of day: `HH:MM:SS[.fffffff]`.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Time)
 */
export const timeType: PrimitiveType = {
  name: 'Edm.Time',
  toOperand: (value) => (typeof value === 'string' ? parseClock(value) : undefined),
  toValue: (operand) => formatClock(operand as number),
  compare: compareNumbers,
  parse(text) {
    const ticks = parseDuration(text) ?? parseClock(text)
    return ticks === undefined ? undefined : formatClock(ticks)
  },
  ...literalForm("time'", formatTime, "'"),
}
