import type { ValuePart } from '../../../provider/entry-template.js'
import { hasNumbers } from '../column-fit.js'
import { affinityOf } from '../column-fit.js'
import type { Field } from './render-dialect.js'

/** A text that is the same for all, as a literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A text as it is read. */
function textOf({ column, reference }: Field): string {
  return hasNumbers(column) ? `cast(${reference} as text)` : reference
}

/** What a column of texts holds are texts and bytes, and with bytes the functions of JSON fail. */
function onlyTexts({ column, isOfView }: Field): boolean {
  return !isOfView && (hasNumbers(column) || affinityOf(column.facts.dataType) === 'text')
}

function characterOf(character: string): string {
  return character < ' ' ? `char(${String(character.charCodeAt(0))})` : quoted(character)
}

export function jsonStringOf(field: Field): string {
  const text = textOf(field)
  return onlyTexts(field)
    ? `json_quote(${text})`
    : `case typeof(${text}) when 'text' then json_quote(${text}) end`
}

/**
 * Texts without anything unusual are told by their form in JSON, which is then only longer by its quotes: they have no
 * quotes and no control characters.
 */
export function xmlStringOf(
  field: Field,
  { opening, openingOfBlank = opening, escapes = [] }: ValuePart,
): string {
  const r = textOf(field)
  const [start, startOfBlank] = [quoted(opening), quoted(openingOfBlank)]
  const isText = onlyTexts(field) ? '' : `typeof(${r}) = 'text' and `
  const json = `json_quote(${r})`
  const isPlain =
    `${isText}octet_length(${json}) = octet_length(${r}) + 2 and ${r} >= '!' collate binary ` +
    `and ${r} not glob '*<*' and ${r} not glob '*>*' and ${r} not glob '*&*' and rtrim(${r}) = ${r} collate binary`
  const isLegal = ['u00', 'b', 'f'].map((escape) => `instr(${json}, '\\${escape}') = 0`).join(' and ')
  const blanks = `' ' || char(9) || char(10)`
  const escaped = escapes.reduce(
    (sql, [character, written]) => `replace(${sql}, ${characterOf(character)}, ${quoted(written)})`,
    r,
  )
  const opened = `case when trim(${r}, ${blanks}) = ${r} collate binary then ${start} else ${startOfBlank} end`
  return `case when ${isPlain} then ${start} || ${r} when ${isText}${isLegal} then ${opened} || ${escaped} end`
}

/** Only texts of characters that need no encoding, and no quotes. */
export function addressTextOf(field: Field): string {
  const r = textOf(field)
  const isPlain = `${r} not glob '*[^A-Za-z0-9._~()*!,=:@$;-]*' and length(${r}) = octet_length(${r})`
  return `case when typeof(${r}) = 'text' and ${isPlain} then ${r} end`
}

/** So many digits, and bars where they belong. Functions look at a text up to its first NUL: there must be no more. */
export function guidText(field: Field): string {
  const { reference: r } = field
  const isText = onlyTexts(field) ? '' : `typeof(${r}) = 'text' and `
  const isGuid = `octet_length(unhex(${r}, '-')) = 16 and ${r} glob '????????-????-????-????-????????????'`
  return `case when ${isText}${isGuid} and octet_length(${r}) = 36 then lower(${r}) end`
}
