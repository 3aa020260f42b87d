/**
 * Edm.Time is a time of day. Its wire form nevertheless is an XML duration, `PT09H13M28S`; in JavaScript it is
 * `09:13:28`. Inside it is a whole number of 100 nanoseconds since midnight.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Time)
 */
const ticksPerSecond = 10_000_000
const ticksPerDay = 86_400 * ticksPerSecond

const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/
const duration = /^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,12}))?S)?)?$/

/** Reads `HH:MM[:SS[.fffffff]]`; undefined when it is not a time of day. */
export function parseClock(text: string): number | undefined {
  const match = clock.exec(text)
  if (match === null) return undefined
  const [, hours, minutes, seconds = '0', fraction = ''] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return ticks(0, Number(hours), Number(minutes), Number(seconds), fraction)
}

/** Reads `PnDTnHnMn.nS` of less than a day; undefined when it is anything else. */
export function parseDuration(text: string): number | undefined {
  const match = duration.exec(text)
  if (match === null || text === 'P' || text.endsWith('T')) return undefined
  const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const value = ticks(Number(days), Number(hours), Number(minutes), Number(seconds), fraction)
  return value < ticksPerDay ? value : undefined
}

/** `HH:MM:SS`, with a fraction when there is one. */
export function formatClock(value: number): string {
  const { hours, minutes, seconds, fraction } = partsOf(value)
  return `${hours}:${minutes}:${seconds}${fraction}`
}

/** `PTHHHMMMSSS` with two digits each, as UI5 demands, and a fraction when there is one. */
export function formatDuration(value: number): string {
  const { hours, minutes, seconds, fraction } = partsOf(value)
  return `PT${hours}H${minutes}M${seconds}${fraction}S`
}

/** Whole hours, minutes and seconds of the clock. */
export function clockFields(value: number): { hour: number; minute: number; second: number } {
  const whole = Math.floor(value / ticksPerSecond)
  return { hour: Math.floor(whole / 3600), minute: Math.floor(whole / 60) % 60, second: whole % 60 }
}

function ticks(days: number, hours: number, minutes: number, seconds: number, fraction: string): number {
  const whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
  return whole * ticksPerSecond + Number(fraction.slice(0, 7).padEnd(7, '0'))
}

function partsOf(value: number): { hours: string; minutes: string; seconds: string; fraction: string } {
  const { hour, minute, second } = clockFields(value)
  const rest = value % ticksPerSecond
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(7, '0').replace(/0+$/, '')}`
  const two = (part: number): string => String(part).padStart(2, '0')
  return { hours: two(hour), minutes: two(minute), seconds: two(second), fraction }
}
