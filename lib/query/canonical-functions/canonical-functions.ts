import type { Decimal } from '../../edm/decimal.js'
import { ceilingDecimal, floorDecimal, roundDecimal } from '../../edm/decimal.js'
import type { Instant } from '../../edm/instant.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import { clockFields } from '../../edm/primitive-types/time.js'
import { ODataError } from '../../errors/odata-error.js'

/** A signature of a function. */
export interface Signature {
  readonly parameters: readonly PrimitiveTypeName[]
  readonly result: PrimitiveTypeName
  /** True if the last parameter can be repeated. */
  readonly variadic?: boolean
  /** Evaluates the function. Never called with null, because the result is null if an argument is null. */
  evaluate(...operands: Operand[]): Operand
}

/** The signatures of a function. The first one that matches the arguments is used. */
export type CanonicalFunction = readonly Signature[]

/**
 * The canonical functions of strings. All compare by code unit.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (canonical functions)
 */
const stringFunctions = {
  /** The first parameter is the part: `substringof('a',Name)`. */
  substringof: [
    {
      parameters: ['Edm.String', 'Edm.String'],
      result: 'Edm.Boolean',
      evaluate: (needle, text) => findText(text as string, needle as string) >= 0,
    },
  ],
  startswith: [
    {
      parameters: ['Edm.String', 'Edm.String'],
      result: 'Edm.Boolean',
      evaluate: (text, start) => (text as string).startsWith(start as string),
    },
  ],
  endswith: [
    {
      parameters: ['Edm.String', 'Edm.String'],
      result: 'Edm.Boolean',
      evaluate: (text, end) => (text as string).endsWith(end as string),
    },
  ],
  /** Counts UTF-16 code units, as other OData V2 services do. */
  length: [{ parameters: ['Edm.String'], result: 'Edm.Int32', evaluate: (text) => (text as string).length }],
  /** Zero-based; -1 if the string is not found. */
  indexof: [
    {
      parameters: ['Edm.String', 'Edm.String'],
      result: 'Edm.Int32',
      evaluate: (text, needle) => findText(text as string, needle as string),
    },
  ],
  substring: [
    {
      parameters: ['Edm.String', 'Edm.Int32'],
      result: 'Edm.String',
      evaluate: (text, start) => substring(text as string, Number(start), Number.POSITIVE_INFINITY),
    },
    {
      parameters: ['Edm.String', 'Edm.Int32', 'Edm.Int32'],
      result: 'Edm.String',
      evaluate: (text, start, length) => substring(text as string, Number(start), Number(length)),
    },
  ],
  replace: [
    {
      parameters: ['Edm.String', 'Edm.String', 'Edm.String'],
      result: 'Edm.String',
      evaluate: (text, find, replacement) => replace(text as string, find as string, replacement as string),
    },
  ],
  concat: [
    {
      parameters: ['Edm.String', 'Edm.String'],
      variadic: true,
      result: 'Edm.String',
      evaluate: (...texts) => concat(texts as string[]),
    },
  ],
  tolower: [
    { parameters: ['Edm.String'], result: 'Edm.String', evaluate: (text) => (text as string).toLowerCase() },
  ],
  toupper: [
    { parameters: ['Edm.String'], result: 'Edm.String', evaluate: (text) => (text as string).toUpperCase() },
  ],
  trim: [{ parameters: ['Edm.String'], result: 'Edm.String', evaluate: (text) => trim(text as string) }],
} as const satisfies Record<string, CanonicalFunction>

/** Limits created strings. Nested calls of `replace` in a short URI could otherwise use much memory and CPU time. */
const maximumLength = 32_768

/** For shorter strings, the search of JavaScript takes little more than linear time. */
const short = 64

/**
 * The canonical functions of dates and times. The fields of an Edm.DateTimeOffset are those in its own time zone.
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
 * The canonical functions of numbers. Integers are converted to decimals.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (canonical functions)
 */
const mathFunctions = {
  round: rounding(roundHalfEven, roundDecimal),
  floor: rounding(Math.floor, floorDecimal),
  ceiling: rounding(Math.ceil, ceilingDecimal),
} as const satisfies Record<string, CanonicalFunction>

/** All canonical functions by name, except `isof` and `cast`, which take types. */
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

/** Rounds halves to the even neighbor, as in IEEE 754. Decimals round halves away from zero. */
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

/** Returns a Date whose UTC fields are the local fields of a time with an offset. */
function localDate(instant: Instant): Date {
  return new Date(instant.milliseconds + instant.offset * 60_000)
}

/** Limits the length of strings that an expression creates. Strings of the data may be longer. */
function checked(length: number, longestGiven: number): void {
  if (length > maximumLength && length > longestGiven) {
    throw new ODataError('LimitExceeded', {
      message: `An expression computes a string of more than ${maximumLength} characters.`,
      details: { limit: 'textLength' },
    })
  }
}

function concat(texts: readonly string[]): string {
  checked(
    texts.reduce((length, text) => length + text.length, 0),
    texts.reduce((longest, text) => Math.max(longest, text.length), 0),
  )
  return texts.join('')
}

function replace(text: string, find: string, replacement: string): string {
  if (find === '') return text
  const fragments = splitText(text, find)
  checked(text.length + (fragments.length - 1) * (replacement.length - find.length), text.length)
  return fragments.join(replacement)
}

/** Returns a part of a string. Positions outside of the string are moved to its ends. Surrogate pairs are not split. */
function substring(text: string, start: number, length: number): string {
  const from = Math.min(Math.max(start, 0), text.length)
  const to = Math.min(from + Math.max(length, 0), text.length)
  return text.slice(splitsPair(text, from) ? from + 1 : from, splitsPair(text, to) ? to - 1 : to)
}

function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

/** Removes white space as Unicode defines it: unlike the `trim` of JavaScript, with U+0085 and without U+FEFF. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isWhiteSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  return (
    unit === 0x85 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  )
}

/**
 * Returns the result of `indexOf` in linear time. The search of JavaScript takes the product of both lengths for
 * malicious strings, such as many `a` around one `b`.
 *
 * @param needle the string to find
 */
export function findText(text: string, needle: string, from = 0): number {
  if (needle.length <= short || needle.length > text.length - from) return text.indexOf(needle, from)
  const borders = bordersOf(needle)
  let matched = 0
  for (let index = from; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (needle.charCodeAt(matched) === unit) matched++
    if (matched === needle.length) return index + 1 - matched
  }
  return -1
}

/** Returns the result of `split` in linear time. */
export function splitText(text: string, separator: string): string[] {
  if (separator.length <= short) return text.split(separator)
  const fragments: string[] = []
  let start = 0
  for (let end = findText(text, separator); end >= 0; end = findText(text, separator, start)) {
    fragments.push(text.slice(start, end))
    start = end + separator.length
  }
  fragments.push(text.slice(start))
  return fragments
}

/**
 * Returns the failure function of the Knuth-Morris-Pratt algorithm: for each prefix, the length of its longest border.
 */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let length = 0
  for (let index = 1; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
    if (text.charCodeAt(length) === unit) length++
    borders[index] = length
  }
  return borders
}
