import type { TextColumn } from '../dialect.js'

/** Digits of a floating-point number that every language formats alike. MySQL has no exponent in 0.0000001. */
const shortNumber = /^(?:0|-?(?!0\.0{6})(?:[1-9]\d{0,7}|0)\.\d{1,7}|-?[1-9]\d{0,14})$/

/** Printable ASCII characters that need no escape in JSON and XML. */
const plainString = /^[ !#-%'-;=?-[\]-~]*$/

const afterAscii = /[\u0080-\u00ff]/

/** Returns the string of a cell, whose characters are the bytes of UTF-8. */
export function decodeUtf8(cell: unknown): string {
  const bytes = cell as string
  return afterAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes
}

/** Columns of strings. */
export const stringColumn: TextColumn = {
  decode: decodeUtf8,
  plainText: (cell) => (plainString.test(cell as string) ? (cell as string) : undefined),
}

/** Columns of floating-point numbers with double precision. */
export const doubleColumn: TextColumn = {
  decode: Number,
  plainText: (cell) => (shortNumber.test(cell as string) ? (cell as string) : undefined),
}

/**
 * Returns `2012-05-29 09:13:28.5` in the form of Edm.DateTime.
 *
 * @param precision number of fraction digits. Absent: those of the cell
 */
export function dateTimeText(cell: string, precision: number | undefined): string {
  const date = cell.slice(0, 10)
  const isExact = precision === undefined || cell.length === (precision === 0 ? 19 : 20 + precision)
  if (isExact) return `${date}T${cell.slice(11)}`
  const seconds = `${date}T${cell.slice(11, 19)}`
  if (precision === 0) return seconds
  const fraction = cell.slice(20, 20 + precision).padEnd(precision, '0')
  return `${seconds}.${fraction}`
}
