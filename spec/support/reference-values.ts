/**
 * The values of the reference evaluator: whole numbers as bigint, decimals as fractions of bigints, moments as counts
 * of 100 nanoseconds. Written for simplicity alone, and without anything of the library.
 */
export type ReferenceValue =
  | null
  | { readonly t: 'Boolean'; readonly v: boolean }
  | { readonly t: WholeType; readonly v: bigint }
  | { readonly t: 'Decimal'; readonly n: bigint; readonly d: bigint }
  | { readonly t: 'Double' | 'Single'; readonly v: number }
  | { readonly t: 'String' | 'Guid' | 'Binary'; readonly v: string }
  | { readonly t: 'DateTime' | 'Time'; readonly v: bigint }
  | { readonly t: 'DateTimeOffset'; readonly v: bigint; readonly offset: number }
  | { readonly t: 'Entity'; readonly type: string }
  /** A number without suffix, whose type depends on what it meets. */
  | { readonly t: 'Integer' | 'Real'; readonly text: string }

type WholeType = 'Byte' | 'SByte' | 'Int16' | 'Int32' | 'Int64'
export type NumberType = WholeType | 'Decimal' | 'Double' | 'Single'
export type Some = Exclude<ReferenceValue, null>
export type WholeValue = Extract<Some, { t: WholeType }>
export type DecimalValue = Extract<Some, { t: 'Decimal' }>

const ranges: Readonly<Record<WholeType, readonly [bigint, bigint]>> = {
  Byte: [0n, 255n],
  SByte: [-128n, 127n],
  Int16: [-32768n, 32767n],
  Int32: [-2147483648n, 2147483647n],
  Int64: [-9223372036854775808n, 9223372036854775807n],
}

export function isWhole(value: Some): value is WholeValue {
  return Object.hasOwn(ranges, value.t)
}

/** Digits with fraction and exponent as a fraction. */
export function fraction(text: string): DecimalValue {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', behind = ''] = mantissa.split('.')
  const n = BigInt(whole + behind)
  const power = Number(exponent) - behind.length
  const scale = 10n ** BigInt(Math.abs(power))
  return power < 0 ? { t: 'Decimal', n, d: scale } : { t: 'Decimal', n: n * scale, d: 1n }
}

/** The nearest double of a fraction whose denominator is a power of ten. */
function nearestDouble({ n, d }: DecimalValue): number {
  return Number(`${n}e-${String(d).length - 1}`)
}

/** A number without suffix as what it is by itself. */
export function natural(value: ReferenceValue): ReferenceValue {
  if (value === null) return null
  if (value.t === 'Real') return { t: 'Double', v: Number(value.text) }
  if (value.t !== 'Integer') return value
  return wholeIn('Int32', value.text) ?? wholeIn('Int64', value.text) ?? fraction(value.text)
}

/** Converts a number without suffix to the type of the other operand. */
export function beside(value: ReferenceValue, other: Some): ReferenceValue {
  if (value === null || (value.t !== 'Integer' && value.t !== 'Real')) return value
  if (other.t === 'Decimal') return /\d/.test(value.text) ? fraction(value.text) : natural(value)
  if (other.t === 'Single') return { t: 'Single', v: Math.fround(Number(value.text)) }
  if (other.t === 'Double') return { t: 'Double', v: Number(value.text) }
  const whole = isWhole(other) && value.t === 'Integer' ? wholeIn(other.t, value.text) : undefined
  return whole ?? natural(value)
}

function wholeIn(t: WholeType, text: string): WholeValue | undefined {
  const v = BigInt(text)
  const [least, most] = ranges[t]
  return v >= least && v <= most ? { t, v } : undefined
}

/** Any Double makes Double, any Single Single, any Decimal Decimal, any Int64 Int64, all else Int32. */
export function commonType(a: NumberType, b: NumberType): NumberType {
  for (const type of ['Double', 'Single', 'Decimal', 'Int64'] as const)
    if (a === type || b === type) return type
  return 'Int32'
}

export function converted(value: Some, type: NumberType): Some {
  if (value.t === type) return value
  const number = (): number =>
    value.t === 'Decimal' ? nearestDouble(value) : Number((value as { v: bigint | number }).v)
  if (type === 'Double') return { t: 'Double', v: number() }
  if (type === 'Single') return { t: 'Single', v: Math.fround(number()) }
  if (!isWhole(value)) throw new Error(`${value.t} cannot become ${type}.`)
  return type === 'Decimal' ? { t: 'Decimal', n: value.v, d: 1n } : { t: type, v: value.v }
}

/** Negative, zero or positive; undefined where NaN is involved. Both are of the same type. */
export function compared(a: Some, b: Some): number | undefined {
  if (a.t === 'Decimal' && b.t === 'Decimal') return sign(a.n * b.d, b.n * a.d)
  if (a.t === 'String' && b.t === 'String') return byCodePoint(a.v, b.v)
  if ('v' in a && 'v' in b) {
    if (Number.isNaN(a.v) || Number.isNaN(b.v)) return undefined
    return sign(a.v, b.v)
  }
  throw new Error(`${a.t} cannot be compared with ${b.t}.`)
}

function sign<T>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const ticksPerSecond = 10_000_000n

/** Ticks since 1970 of `2012-05-29T09:13:28.1234567`, counted day by day from the Gregorian rules. */
function momentOf(text: string): bigint {
  const match = /^(\d+)-(\d+)-(\d+)(?:T(.*))?$/.exec(text)
  if (match === null) throw new Error(`'${text}' is no date.`)
  const [year, month, day] = [BigInt(match[1] ?? 0), Number(match[2]), BigInt(match[3] ?? 0)]
  const leaps = (before: bigint): bigint => before / 4n - before / 100n + before / 400n
  const isLeap = year % 4n === 0n && (year % 100n !== 0n || year % 400n === 0n)
  const lengths = [31n, isLeap ? 29n : 28n, 31n, 30n, 31n, 30n, 31n, 31n, 30n, 31n, 30n, 31n]
  const inYear = lengths.slice(0, month - 1).reduce((sum, length) => sum + length, 0n)
  const days = (year - 1n) * 365n + leaps(year - 1n) + inYear + day - 719_163n
  return days * 86_400n * ticksPerSecond + clockOf(match[4] ?? '00:00')
}

/** Ticks since midnight of `09:13:28.1234567`. */
export function clockOf(text: string): bigint {
  const [hours = '0', minutes = '0', seconds = '0'] = text.split(':')
  const [whole = '0', behind = ''] = seconds.split('.')
  const total = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(whole)
  return total * ticksPerSecond + BigInt(behind.padEnd(7, '0'))
}

/** The value of a property as a provider gives it. */
export function fromRow(value: unknown, type: string): ReferenceValue {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'Boolean':
      return { t: type, v: value as boolean }
    case 'Decimal':
      return fraction(typeof value === 'number' ? String(value) : (value as string))
    case 'Double':
      return { t: type, v: value as number }
    case 'Single':
      return { t: type, v: Math.fround(value as number) }
    case 'String':
      return { t: type, v: value as string }
    case 'Guid':
      return { t: type, v: (value as string).toLowerCase() }
    case 'Binary':
      return {
        t: type,
        v: Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, '0')).join(''),
      }
    case 'DateTime':
    case 'DateTimeOffset':
      return moment(value as Date | string, type)
    case 'Time':
      return { t: type, v: clockOf(value as string) }
    default:
      return { t: type as WholeType, v: BigInt(value as number | bigint | string) }
  }
}

/** A Date, or a text with or without zone. */
export function moment(value: Date | string, t: 'DateTime' | 'DateTimeOffset'): ReferenceValue {
  if (value instanceof Date)
    return t === 'DateTime'
      ? { t, v: BigInt(value.getTime()) * 10_000n }
      : { t, v: BigInt(value.getTime()) * 10_000n, offset: 0 }
  const [, local = '', zone = ''] = /^(.*?)(Z|[+-]\d\d:\d\d)?$/.exec(value) ?? []
  const minutes = zone === '' || zone === 'Z' ? 0 : Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))
  const offset = zone.startsWith('-') ? -minutes : minutes
  const v = momentOf(local) - BigInt(offset) * 60n * ticksPerSecond
  return t === 'DateTime' ? { t, v } : { t, v, offset }
}

/** Year, month, day, hour, minute and second of the writer's clock, found by trying. */
export function fieldsOf(
  ticks: bigint,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', bigint> {
  const perDay = 86_400n * ticksPerSecond
  const rest = ((ticks % perDay) + perDay) % perDay
  const midnight = ticks - rest
  const two = (part: bigint): string => String(part).padStart(2, '0')
  // No later than the year: it has at most 366 days, and at least 365 where counting goes backwards.
  let year = 1970n + (midnight < 0n ? midnight / (365n * perDay) - 1n : midnight / (366n * perDay))
  while (momentOf(`${year + 1n}-01-01`) <= midnight) year++
  let month = 1n
  while (month < 12n && momentOf(`${year}-${two(month + 1n)}-01`) <= midnight) month++
  const day = (midnight - momentOf(`${year}-${two(month)}-01`)) / perDay + 1n
  const seconds = rest / ticksPerSecond
  return { year, month, day, hour: seconds / 3600n, minute: (seconds / 60n) % 60n, second: seconds % 60n }
}
