import type { Instant } from '../../edm/instant.js'
import { earliest, latest, plainMilliseconds } from '../../edm/instant.js'
import { formatSingle, signedText } from '../../edm/primitive-types/floating-point.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { ByteEscapes } from '../../util/byte-escapes.js'
import { escaper } from '../../util/escape-characters.js'
import { integerText, numberText } from '../../util/number-text.js'
import type { WriteContext } from '../format.js'
import type { FormatText } from '../plain-text.js'
import { throwInvalidValue, toOperand, formatText } from '../plain-text.js'

/** The representation of the values of a type that are not null. */
interface JsonForm {
  readonly before: string
  /** Formats what is between `before` and `after`. */
  readonly format: FormatText
  readonly after: string
}

const bare = (type: PrimitiveTypeName): JsonForm => ({ before: '', format: formatText[type], after: '' })
const quoted = (type: PrimitiveTypeName): JsonForm => ({ before: '"', format: formatText[type], after: '"' })

/**
 * Verbose JSON of the simple types. Numbers that JavaScript cannot represent exactly are strings, and so are
 * floating-point numbers unless the option `doubleAsNumber` is set.
 *
 * @spec MS-ODATA 2.2.6.3.4 (simple values in verbose JSON)
 */
const forms: Readonly<Record<PrimitiveTypeName, JsonForm>> = {
  'Edm.String': { before: '"', format: stringContent, after: '"' },
  'Edm.Boolean': bare('Edm.Boolean'),
  'Edm.Byte': bare('Edm.Byte'),
  'Edm.SByte': bare('Edm.SByte'),
  'Edm.Int16': bare('Edm.Int16'),
  'Edm.Int32': bare('Edm.Int32'),
  'Edm.Int64': quoted('Edm.Int64'),
  'Edm.Decimal': quoted('Edm.Decimal'),
  'Edm.Double': quoted('Edm.Double'),
  'Edm.Single': quoted('Edm.Single'),
  'Edm.Guid': quoted('Edm.Guid'),
  'Edm.Binary': quoted('Edm.Binary'),
  'Edm.DateTime': { before: '"\\/Date(', format: millisecondsOf('Edm.DateTime', ''), after: ')\\/"' },
  // Clients disagree on whether the ticks before an offset are local time or UTC; with +0000 they are equal.
  'Edm.DateTimeOffset': {
    before: '"\\/Date(',
    format: millisecondsOf('Edm.DateTimeOffset', 'Z'),
    after: '+0000)\\/"',
  },
  'Edm.Time': quoted('Edm.Time'),
}

const doubleNumber: JsonForm = { before: '', format: numberOrString('Edm.Double', numberText), after: '' }
const singleNumber: JsonForm = { before: '', format: numberOrString('Edm.Single', formatSingle), after: '' }

/** Returns the representation of the values of a type. Its function throws a TypeError for invalid values. */
export function jsonForm(
  type: PrimitiveTypeName,
  { doubleAsNumber }: Pick<WriteContext, 'doubleAsNumber'>,
): JsonForm {
  if (doubleAsNumber && type === 'Edm.Double') return doubleNumber
  return doubleAsNumber && type === 'Edm.Single' ? singleNumber : forms[type]
}

/** Serializes a value that is not null. @throws TypeError for a value that is invalid for the type */
export function jsonValue(
  type: PrimitiveTypeName,
  value: unknown,
  context: Pick<WriteContext, 'doubleAsNumber'>,
): string {
  const { before, format, after } = jsonForm(type, context)
  return before + format(value) + after
}

/** Creates a function that formats a number, and infinity and NaN as strings: JSON has no numbers for them. */
function numberOrString(type: PrimitiveTypeName, format: (value: number) => string): FormatText {
  return (value) => {
    const number = toOperand(value, type) as number
    if (number === 0) return signedText(number)
    return Number.isFinite(number) ? format(number) : `"${formatText[type](value)}"`
  }
}

/** Creates a function that formats the milliseconds of dates and strings. @param zone of strings that need no general parser */
function millisecondsOf(type: 'Edm.DateTime' | 'Edm.DateTimeOffset', zone: '' | 'Z'): FormatText {
  return (value) => {
    const milliseconds =
      typeof value === 'string'
        ? plainMilliseconds(value, zone)
        : value instanceof Date
          ? value.getTime()
          : undefined
    const isKnown = milliseconds !== undefined && milliseconds >= earliest && milliseconds <= latest
    return integerText(isKnown ? milliseconds : (toOperand(value, type) as Instant).milliseconds)
  }
}

function stringContent(value: unknown): string {
  return typeof value === 'string' ? escapeString(value) : throwInvalidValue(value, 'Edm.String')
}

/** Escapes a string without its quotes. Characters beyond ASCII need escapes only as lone surrogates. */
const special = /["\\\u0000-\u001f\ud800-\udfff]/
const escapeString = escaper(special, escapeWithJson, escapeWithJson)

/** Escapes of {@link jsonString}. */
export const jsonEscapes = new ByteEscapes(special, escapeWithJson)

/** Formats a JSON string. */
export function jsonString(text: string): string {
  return `"${escapeString(text)}"`
}

function escapeWithJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
