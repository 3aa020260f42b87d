import type { IntegerTypeName } from '../../../edm/primitive-types/integer.js'
import { integerRanges } from '../../../edm/primitive-types/integer.js'
import { affinityOf } from '../column-fit.js'
import type { Field } from './render-dialect.js'

const safe = '9007199254740991'

/** Whole numbers in the range of their type; a text is greater than every number. */
export function wholeText({ reference: r, column }: Field): string {
  const [least, greatest] = integerRanges[column.type as IntegerTypeName]
  const isInRange = `${r} between ${least} and ${greatest}`
  if (column.facts.isRowId === true) return `case when ${isInRange} then ${r} end`
  return `case when ${isInRange} and (${r} | 0) = ${r} then (${r} | 0) end`
}

export function longText({ reference: r, column }: Field): string {
  return column.facts.isRowId === true ? r : `case typeof(${r}) when 'integer' then ${r} end`
}

/**
 * The shortest digits that give a floating-point number back, which 15 are if they do. Most numbers are whole or have
 * few decimals, which is cheap to see: a quotient of whole numbers is the nearest number to the decimal it stands for.
 */
export function doubleText({ reference: r }: Field): string {
  return `case ${casesOfDouble(r)} end`
}

function casesOfDouble(r: string): string {
  const millionths = `(${r} * 1e6 + 0.5 | 0)`
  const digits = `printf('%!.15g', ${r})`
  const isWhole = `${r} = (${r} | 0)`
  return (
    `when ${r} between 0.001 and 1e8 and ${millionths} / 1e6 = ${r} ` +
    `then case when ${isWhole} then (${r} | 0) else ${digits} end ` +
    `when ${r} between -${safe} and ${safe} and ${isWhole} then (${r} | 0) ` +
    `when typeof(${r}) = 'real' and cast(${digits} as real) = ${r} and ${digits} not glob '*[en]*' then ${digits}`
  )
}

/** So many digits are the same for the number and for the shorter one that is nearest to it. */
export function singleText({ reference: r }: Field): string {
  const digits = `printf('%!.6g', ${r})`
  return (
    `case when ${r} between -999999 and 999999 and ${r} = (${r} | 0) then (${r} | 0) ` +
    `when typeof(${r}) = 'real' and cast(${digits} as real) = ${r} and ${digits} not glob '*[en]*' then ${digits} end`
  )
}

/** Digits are text, or numbers of either kind. */
export function decimalText({ reference: r, column, isOfView }: Field): string {
  const affinity = isOfView ? undefined : affinityOf(column.facts.dataType)
  if (affinity === 'text') return `case ${caseOfDigits(r)} end`
  return affinity === undefined
    ? `case ${casesOfDouble(r)} ${caseOfDigits(r)} end`
    : `case ${casesOfDouble(r)} end`
}

/** A text that is digits, and has nothing behind its end that others see. */
function caseOfDigits(r: string): string {
  const isDigits =
    `${r} not glob '*[^-0-9.]*' and ${r} not glob '*.*.*' and ${r} not glob '?*-*' and ${r} glob '*[0-9]' ` +
    `and (${r} glob '[0-9]*' or ${r} glob '-[0-9]*') and length(${r}) = octet_length(${r})`
  return `when typeof(${r}) = 'text' and ${isDigits} then ${r}`
}
