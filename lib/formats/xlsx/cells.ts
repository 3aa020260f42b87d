import type { Instant } from '../../edm/instant.js'
import { escapeText } from '../../xml/escape-xml.js'
import type { SimpleProperty } from '../export/export-columns.js'
import { hasDateOnly, valueFormatter } from '../export/table-writer.js'
import { toOperand } from '../plain-text.js'
import type { Styles } from './workbook.js'

/**
 * Serializes a value that is not null: everything of the element `c` after the address, such as `" s="2"><v>1</v></c>`.
 *
 * @spec ECMA-376 part 1, 18.3.1.4
 */
export type WriteCell = (value: unknown) => string

/** How the cells of a column are serialized. */
export interface CellColumn {
  readonly write: WriteCell
  /** Width of the column in characters, without its heading. */
  readonly width: number
}

const DATE = 'yyyy-mm-dd'
const DATE_TIME = 'yyyy-mm-dd hh:mm:ss'
const CLOCK = 'hh:mm:ss'
const NUMBER_WIDTH = 12
const TEXT_WIDTH = 24

/** Returns how the values of a property are serialized. */
export function cellColumn(property: SimpleProperty, styles: Styles): CellColumn {
  const { type, scale } = property
  const format = valueFormatter(property)
  switch (type) {
    case 'Edm.Boolean':
      return {
        write: (value) => `" t="b"><v>${format(value) === 'true' ? 1 : 0}</v></c>`,
        width: NUMBER_WIDTH,
      }
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      return { write: (value) => numberCell(format(value)), width: NUMBER_WIDTH }
    case 'Edm.Double':
    case 'Edm.Single':
      return { write: (value) => floatingPointCell(format(value)), width: NUMBER_WIDTH }
    case 'Edm.Int64':
      return { write: decimalCell(format, styles.indexOf('0')), width: NUMBER_WIDTH }
    case 'Edm.Decimal':
      return { write: decimalCell(format, decimalStyle(scale, styles)), width: NUMBER_WIDTH }
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return dateColumn(property, format, styles)
    case 'Edm.Time': {
      const style = styles.indexOf(CLOCK)
      return {
        write: (value) => numberCell(String((toOperand(value, type) as number) / TICKS_PER_DAY), style),
        width: CLOCK.length + 2,
      }
    }
    case 'Edm.String':
    case 'Edm.Guid':
    case 'Edm.Binary':
      return { write: (value) => textCell(format(value)), width: TEXT_WIDTH }
  }
}

function numberCell(digits: string, style = 0): string {
  return style === 0 ? `"><v>${digits}</v></c>` : `" s="${style}"><v>${digits}</v></c>`
}

/** Writes a floating-point number, and the names of infinity and NaN as text. */
function floatingPointCell(digits: string): string {
  return digits.endsWith('N') || digits.endsWith('F') ? textCell(digits) : numberCell(digits)
}

/** Spreadsheets keep 15 digits of a number. */
const MAX_DIGITS = 15
/** Longer numbers have exponents that doubles do not have. */
const MAX_NUMBER_LENGTH = 300

/** Creates a function that writes a decimal, as text if a spreadsheet would round it. */
function decimalCell(format: (value: unknown) => string, style: number): WriteCell {
  return (value) => {
    const digits = format(value)
    return isExact(digits) ? numberCell(digits, style) : textCell(digits)
  }
}

function isExact(digits: string): boolean {
  if (digits.length <= MAX_DIGITS) return true
  const significant = digits.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')
  return significant.length <= MAX_DIGITS && digits.length <= MAX_NUMBER_LENGTH
}

/** Excel formats show up to 30 digits after the decimal point. */
const MAX_FORMAT_DIGITS = 30

function decimalStyle(scale: number | undefined, styles: Styles): number {
  if (scale === undefined) return 0
  return styles.indexOf(scale === 0 ? '0' : `0.${'0'.repeat(Math.min(scale, MAX_FORMAT_DIGITS))}`)
}

const MS_PER_DAY = 86_400_000
const TICKS_PER_MS = 10_000
const TICKS_PER_DAY = MS_PER_DAY * TICKS_PER_MS
/** The serial number of 1970-01-01. */
const UNIX_EPOCH = 25_569
/** The serial number of 1900-03-01. Excel has a February 29 before it, which did not exist. */
const FIRST_SERIAL = 61

function dateColumn(
  property: SimpleProperty,
  format: (value: unknown) => string,
  styles: Styles,
): CellColumn {
  const { type } = property
  const isDay = type === 'Edm.DateTime' && hasDateOnly(property)
  const formatCode = isDay ? DATE : DATE_TIME
  const style = styles.indexOf(formatCode)
  const write: WriteCell = (value) => {
    const { milliseconds, ticks } = toOperand(value, type) as Instant
    const days = (milliseconds + ticks / TICKS_PER_MS) / MS_PER_DAY + UNIX_EPOCH
    if (days < FIRST_SERIAL) return textCell(format(value))
    return numberCell(String(isDay ? Math.floor(days) : days), style)
  }
  return { write, width: formatCode.length + 2 }
}

/** The maximum length of a cell, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 32_767

/** Serializes a string, which is never evaluated as a formula. */
export function textCell(text: string, style = 0): string {
  const styled = style === 0 ? '' : `" s="${style}`
  return `${styled}" t="inlineStr"><is><t xml:space="preserve">${cellText(text)}</t></is></c>`
}

/** Characters that XML lacks or changes, and text that looks like the escape of one. */
const needsEscape = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}|_(?=x[0-9A-Fa-f]{4}_)/gu

/** @spec ECMA-376 part 1, 22.9.2.19 (ST_Xstring) */
function cellText(text: string): string {
  const cut = text.length > MAX_TEXT_LENGTH ? cutText(text) : text
  return escapeText(cut.replace(needsEscape, escapeCharacter))
}

function escapeCharacter(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** Cuts a string, but not within a surrogate pair. */
function cutText(text: string): string {
  const end = text.codePointAt(MAX_TEXT_LENGTH - 1) ?? 0
  return text.slice(0, end > 0xffff ? MAX_TEXT_LENGTH - 1 : MAX_TEXT_LENGTH)
}
