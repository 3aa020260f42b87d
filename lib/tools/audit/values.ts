import type { Decimal } from '../../edm/decimal.js'
import { compareDecimals, parseDecimal } from '../../edm/decimal.js'
import { ticksOf } from './literals.js'
import type { Row, Sample } from './sample.js'

/** The number in a member of JSON, which may be written as a string; undefined for null and what is no number. */
export function numberIn(row: Row, name: string): Decimal | undefined {
  return toNumber(row[name])
}

export function toNumber(value: unknown): Decimal | undefined {
  return typeof value === 'number' || typeof value === 'string' ? parseDecimal(String(value)) : undefined
}

export function textIn(row: Row, name: string): string | undefined {
  const value = row[name]
  return typeof value === 'string' ? value : undefined
}

/** Milliseconds since 1970 of a date in UTC. */
export function ticksIn(row: Row, name: string): number | undefined {
  return ticksOf(row[name])
}

/** Negative when the first number is the smaller one. */
export function compareNumbers(a: Decimal | undefined, b: Decimal | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : compareDecimals(a, b)
}

/** The entities in which a property is a number that is not smaller than another. */
export function rowsFrom({ rows }: Sample, name: string, least: unknown): readonly Row[] {
  return rows.filter((row) => (compareNumbers(numberIn(row, name), toNumber(least)) ?? -1) >= 0)
}

/** Letters, digits and spaces in between, of which every server thinks the same. */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9](?:[A-Za-z0-9 ]*[A-Za-z0-9])?$/.test(value)
}

/** What databases may take for the same text: without case, marks and blanks at the end. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()
}

/** Zero-based code units of a text that has none but those of the basic plane; others are counted differently. */
export function isBasicText(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text)
}

/** A simple value as it stands in JSON, without quotes. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
