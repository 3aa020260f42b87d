import { compareNumbers, literalForm } from './primitive-type.js'
import type { PrimitiveType } from './primitive-type.js'

const TICKS_PER_SECOND = 10_000_000
const TICKS_PER_DAY = 86_400 * TICKS_PER_SECOND

const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/
/** The form of most values, whose fields need no parsing. */
const plainClock = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const duration = /^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,12}))?S)?)?$/

/**
 * The type Edm.Time, a time of day. Values are strings such as `09:13:28.5`, operands are ticks of 100 nanoseconds since
 * midnight. Literals and payloads contain XML durations such as `PT09H13M28.5S`.
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

/**
 * Formats a value such as `09:13:28` as a duration: `PT09H13M28S`.
 *
 * @throws TypeError for other values
 */
export function formatTime(value: unknown): string {
  if (isPlainClock(value)) return `PT${value.slice(0, 2)}H${value.slice(3, 5)}M${value.slice(6)}S`
  const ticks = typeof value === 'string' ? parseClock(value) : undefined
  if (ticks === undefined) throw new TypeError(`'${String(value)}' is not a valid Edm.Time.`)
  return formatDuration(ticks)
}

/** Returns true for `HH:MM:SS`. */
export function isPlainClock(value: unknown): value is string {
  return typeof value === 'string' && plainClock.test(value)
}

/** Parses `HH:MM[:SS[.fffffff]]` as ticks; returns undefined for other strings. */
export function parseClock(text: string): number | undefined {
  const match = clock.exec(text)
  if (match === null) return undefined
  const [, hours, minutes, seconds = '0', fraction = ''] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return ticksOf(Number(hours), Number(minutes), Number(seconds), fraction)
}

/** Parses `PnDTnHnMn.nS` as ticks; returns undefined for other strings and for durations of a day or more. */
export function parseDuration(text: string): number | undefined {
  const match = duration.exec(text)
  if (match === null || text === 'P' || text.endsWith('T')) return undefined
  const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const ticks = ticksOf(Number(days) * 24 + Number(hours), Number(minutes), Number(seconds), fraction)
  return ticks < TICKS_PER_DAY ? ticks : undefined
}

/** Formats ticks as `HH:MM:SS`, with a fraction if it is not zero. */
export function formatClock(ticks: number): string {
  const { hours, minutes, seconds, fraction } = partsOf(ticks)
  return `${hours}:${minutes}:${seconds}${fraction}`
}

/** Formats ticks as a duration with two digits per field, which UI5 requires. */
export function formatDuration(ticks: number): string {
  const { hours, minutes, seconds, fraction } = partsOf(ticks)
  return `PT${hours}H${minutes}M${seconds}${fraction}S`
}

/** Returns the fields of a time of day in ticks, without the fraction of the second. */
export function clockFields(ticks: number): { hour: number; minute: number; second: number } {
  const seconds = Math.floor(ticks / TICKS_PER_SECOND)
  return { hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 }
}

function ticksOf(hours: number, minutes: number, seconds: number, fraction: string): number {
  const whole = (hours * 60 + minutes) * 60 + seconds
  return whole * TICKS_PER_SECOND + Number(fraction.slice(0, 7).padEnd(7, '0'))
}

function partsOf(ticks: number): { hours: string; minutes: string; seconds: string; fraction: string } {
  const { hour, minute, second } = clockFields(ticks)
  const rest = ticks % TICKS_PER_SECOND
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(7, '0').replace(/0+$/, '')}`
  const two = (part: number): string => String(part).padStart(2, '0')
  return { hours: two(hour), minutes: two(minute), seconds: two(second), fraction }
}
