import type { Field } from './render-dialect.js'

/** Days and hours that every month and every day have, of years with four digits: nearly all are such. */
const usual = ['[012][0-8][T ][01]?', '[012][0-8][T ]2[0-3]', '[01]9[T ][01]?']
const form = '????-??-??[T ]??:??:??'
/** Years 1 to 9999: a number that makes all times positive, with half a millisecond for rounding. */
const shift = '62135596800000'

/** Milliseconds from 1970, of text in the form of ISO 8601 without zone or in UTC. */
export function dateMilliseconds({ reference: r }: Field): string {
  const exact = `cast(unixepoch(${r}, 'subsec') * 1000 + ${shift}.5 as integer) - ${shift}`
  const { isDay, whole, digits, isFraction } = partsOf(r, 19)
  const seconds = `unixepoch(${whole}) * 1000`
  return (
    `(case when octet_length(${r}) = 23 and (${isUsual(r)} or ${r} glob '${form}.??[0-9]' and ${isDay}) then ${exact} ` +
    `when ${r} glob '${form}*' and ${isDay} and ${isFraction} ` +
    `then ${seconds} + cast(substr(${digits} || '000', 1, 3) as integer) end)`
  )
}

/** Text of ISO 8601 without zone, with as many digits of a second as are asked for, or as are needed. */
export function dateText({ reference: r }: Field, precision: number | undefined): string {
  const { isDay, digits, isFraction } = partsOf(r, 19)
  const text = `substr(${r}, 1, 10) || 'T' || substr(${r}, 12, 8) || ${fraction(digits, precision)}`
  const general = `when ${r} glob '${form}*' and ${isDay} and ${isFraction} then ${text} end`
  if (precision !== 3) return `case ${general}`
  const isReady =
    `(${isUsual(r)} or ${r} glob '${form}.??[0-9]' and ${isDay}) and ${r} glob '*T*' and octet_length(${r}) = 23 ` +
    `and unixepoch(${r}) is not null`
  return `case when ${isReady} then ${r} ${general}`
}

/** With three digits of a second. */
function isUsual(r: string): string {
  return usual.map((one) => `${r} glob '[1-9]???-??-${one}:??:??.??[0-9]'`).join(' or ')
}

/** A time of day as a duration: `PT09H13M28S`. */
export function timeText({ reference: r }: Field): string {
  const { digits, isFraction } = partsOf(r, 8, '')
  const clock = `substr(${r}, 1, 8)`
  const isTime = `${r} glob '??:??:??*' and time(${clock}) = ${clock} and ${r} < '24'`
  const part = (start: number): string => `substr(${r}, ${String(start)}, 2)`
  const text = `'PT' || ${part(1)} || 'H' || ${part(4)} || 'M' || ${part(7)} || ${fraction(digits, undefined)} || 'S'`
  return `case when ${isTime} and ${isFraction} then ${text} end`
}

/**
 * The day that the text names exists, and what is behind its seconds is a fraction of no more digits than there can be.
 *
 * @param length of the text up to the seconds
 * @param zone what may stand at the end
 */
function partsOf(r: string, length: number, zone = 'Z') {
  const whole = `substr(${r}, 1, ${String(length)})`
  const rest = `substr(${r}, ${String(length + 1)})`
  const digits = `ltrim(${zone === '' ? rest : `rtrim(${rest}, '${zone}')`}, '.')`
  const isDay = `date(${whole}) = substr(${r}, 1, 10) and substr(${r}, 12, 2) < '24' and ${r} >= '0001'`
  const endings = [`'.' || ${digits}`, ...(zone === '' ? [] : [`'.' || ${digits} || '${zone}'`])]
  const isNumber = `${digits} <> '' and octet_length(${digits}) <= 7 and ltrim(${digits}, '0123456789') = ''`
  const isEnding = `(${rest} in ('', '${zone}') or ${isNumber} and ${rest} in (${endings.join(', ')}))`
  // Functions look at a text up to its first NUL, others find what is behind it.
  const isFraction = `length(${r}) = octet_length(${r}) and ${isEnding}`
  return { whole, digits, isDay, isFraction }
}

function fraction(digits: string, precision: number | undefined): string {
  if (precision === 0) return `''`
  if (precision !== undefined) {
    return `'.' || substr(${digits} || '${'0'.repeat(precision)}', 1, ${String(precision)})`
  }
  return `case when rtrim(${digits}, '0') = '' then '' else '.' || rtrim(${digits}, '0') end`
}
