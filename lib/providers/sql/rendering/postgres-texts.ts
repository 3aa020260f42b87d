import type { ValuePart } from '../../../provider/entry-template.js'
import type { Field } from './render-dialect.js'

/**
 * A text that is the same for all, as a literal. With `E` where there are backslashes: what they mean else is a
 * setting.
 */
export function quoted(text: string): string {
  const content = text.replaceAll("'", "''")
  return text.includes('\\') ? `E'${content.replaceAll('\\', '\\\\')}'` : `'${content}'`
}

/** The years that OData has; infinity and the years before and behind are none. */
function inYears(time: string): string {
  return `${time} >= timestamp '0001-01-01' and ${time} < timestamp '10000-01-01'`
}

/** A column as a time in UTC. */
function timeOf({ column, reference }: Field): string {
  switch (column.facts.dataType) {
    case 'timestamptz':
      return `(${reference} at time zone 'UTC')`
    case 'date':
      return `${reference}::timestamp`
    default:
      return reference
  }
}

export function millisecondsOf(field: Field): string {
  const time = timeOf(field)
  // Rounded since older versions give a floating-point number.
  const milliseconds = `round(extract(epoch from date_trunc('milliseconds', ${time})) * 1000)::bigint::text`
  return `case when ${inYears(time)} then ${milliseconds} end`
}

export function dateText(field: Field, precision: number | undefined): string {
  const time = timeOf(field)
  const digits = fraction(`to_char(${time}, 'US')`, precision)
  return `case when ${inYears(time)} then to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS') || ${digits} end`
}

/** A time of day as a duration: `PT09H13M28S`. The end of a day is none. */
export function timeText({ reference: r }: Field): string {
  const text = `to_char(${r}, '"PT"HH24"H"MI"M"SS') || ${fraction(`to_char(${r}, 'US')`, undefined)} || 'S'`
  return `case when ${r} < time '24:00' then ${text} end`
}

function fraction(digits: string, precision: number | undefined): string {
  if (precision === 0) return `''`
  if (precision !== undefined)
    return `'.' || rpad(left(${digits}, ${String(precision)}), ${String(precision)}, '0')`
  return `rtrim('.' || rtrim(${digits}, '0'), '.')`
}

/** Digits without exponent; JavaScript has no sign for zero there. */
export function floatText({ reference: r }: Field): string {
  return `case when ${r} = 0 then '0' when ${r}::text !~ '[a-zA-Z]' then ${r}::text end`
}

export function decimalText({ reference: r }: Field): string {
  return `case when ${r}::text !~ '[a-zA-Z]' then ${r}::text end`
}

/** A text as it is read: the blanks that fill up `char(n)` get lost in a conversion to `text`. */
function textOf({ column, reference }: Field): string {
  return column.facts.dataType === 'bpchar' ? `concat(${reference})` : `${reference}::text`
}

function characterOf(character: string): string {
  return character < ' ' ? `chr(${String(character.charCodeAt(0))})` : quoted(character)
}

export function jsonStringOf(field: Field): string {
  return `to_json(${textOf(field)})::text`
}

export function xmlStringOf(
  field: Field,
  { opening, openingOfBlank = opening, escapes = [] }: ValuePart,
): string {
  const r = textOf(field)
  const special = `'[&<>"\\r\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]'`
  const illegal = `'[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]'`
  const blank = `'^[ \\t\\n]|[ \\t\\n]$'`
  const escaped = escapes.reduce(
    (sql, [character, written]) => `replace(${sql}, ${characterOf(character)}, ${quoted(written)})`,
    r,
  )
  const start = `case when ${r} ~ ${blank} then ${quoted(openingOfBlank)} else ${quoted(opening)} end`
  const text = `case when ${r} !~ ${special} then ${r} when ${r} !~ ${illegal} then ${escaped} end`
  return `(${start} || ${text})`
}

/** Only texts of characters that need no encoding, and no quotes. */
export function addressTextOf(field: Field): string {
  const r = textOf(field)
  return `case when ${r} ~ '^[A-Za-z0-9._~()*!,=:@$;-]*$' then ${r} end`
}
