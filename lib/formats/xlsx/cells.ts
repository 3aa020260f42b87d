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
type WriteCell = (value: unknown) => string

/** How the cells of a column are serialized. */
interface CellColumn {
  readonly write: WriteCell
  /** Serializes the plain text of a Boolean or an integer. */
  readonly writeText?: ((text: string) => string) | undefined
  /** Width of the column in characters, without its heading. */
  readonly width: number
}

const DATE = 'yyyy-mm-dd'
const DATE_TIME = 'yyyy-mm-dd hh:mm:ss'
const CLOCK = 'hh:mm:ss'
/** The end of a format for fractions of a second, which programs would hide or round to the next second. */
const FRACTION = '.000'
const NUMBER_WIDTH = 12
const TEXT_WIDTH = 24

/** Returns how the values of a property are serialized. */
export function cellColumn(property: SimpleProperty, styles: Styles): CellColumn {
  const { type, scale } = property
  const format = valueFormatter(property)
  switch (type) {
    case 'Edm.Boolean':
      return ofText(format, (text) => `" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`)
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      return ofText(format, (digits) => numberCell(digits))
    case 'Edm.Double':
    case 'Edm.Single':
      return ofText(format, floatingPointCell)
    case 'Edm.Int64':
      return ofText(format, decimalCell(styles.indexOf('0')))
    case 'Edm.Decimal':
      return ofText(format, decimalCell(decimalStyle(scale, styles)))
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return dateColumn(property, format, styles)
    case 'Edm.Time': {
      const write = timeCell(CLOCK, styles)
      return {
        write: (value) => write(Math.floor((toOperand(value, type) as number) / TICKS_PER_MS)),
        width: CLOCK.length + FRACTION.length + 2,
      }
    }
    case 'Edm.String':
    case 'Edm.Guid':
    case 'Edm.Binary':
      return { write: (value) => textCell(format(value)), width: TEXT_WIDTH }
  }
}

/** Returns the column of numbers and Booleans, which are serialized from their text. */
function ofText(format: (value: unknown) => string, writeText: (text: string) => string): CellColumn {
  return { write: (value) => writeText(format(value)), writeText, width: NUMBER_WIDTH }
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
function decimalCell(style: number): (digits: string) => string {
  return (digits) => (isExact(digits) ? numberCell(digits, style) : textCell(digits))
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
/** 1970-01-01, which has the serial number 25,569. */
const UNIX_EPOCH_MS = 25_569 * MS_PER_DAY
/** 1900-03-01. Excel has a February 29 before it, which did not exist. */
const FIRST_DATE = Date.UTC(1900, 2, 1)

/**
 * Creates a function that writes milliseconds as a serial number. Spreadsheets have no shorter times: with ticks, the end
 * of a day would be rounded to the next day, and that of 9999 to an invalid date.
 */
function timeCell(format: string, styles: Styles): (milliseconds: number) => string {
  const style = styles.indexOf(format)
  const fractionStyle = styles.indexOf(format + FRACTION)
  return (milliseconds) =>
    numberCell(String(milliseconds / MS_PER_DAY), milliseconds % 1000 === 0 ? style : fractionStyle)
}

function dateColumn(
  property: SimpleProperty,
  format: (value: unknown) => string,
  styles: Styles,
): CellColumn {
  const { type } = property
  const columnOf = (write: (milliseconds: number) => string, width: number): CellColumn => ({
    write: (value) => {
      const { milliseconds } = toOperand(value, type) as Instant
      return milliseconds < FIRST_DATE ? textCell(format(value)) : write(milliseconds)
    },
    width,
  })
  if (type === 'Edm.DateTime' && hasDateOnly(property)) {
    const style = styles.indexOf(DATE)
    const day = (milliseconds: number): string =>
      numberCell(String(Math.floor((milliseconds + UNIX_EPOCH_MS) / MS_PER_DAY)), style)
    return columnOf(day, DATE.length + 2)
  }
  const write = timeCell(DATE_TIME, styles)
  return columnOf(
    (milliseconds) => write(milliseconds + UNIX_EPOCH_MS),
    DATE_TIME.length + FRACTION.length + 2,
  )
}

/** The maximum length of a cell, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 32_767

/** Serializes a string, which is never evaluated as a formula. */
export function textCell(text: string, style = 0): string {
  const styled = style === 0 ? '' : `" s="${style}`
  const space = hasSpace.test(text) ? ' xml:space="preserve"' : ''
  return `${styled}" t="inlineStr"><is><t${space}>${cellText(text)}</t></is></c>`
}

/** White space that XML processors may remove. One reader shows the attribute that preserves it as part of the text. */
const hasSpace = /^\s|\s$|[\r\n]/

/** Characters that XML lacks, and text that looks like the escape of one, which many readers do not decode. */
const needsEscape =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}|_(?=x[0-9A-Fa-f]{4}_)/gu

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
