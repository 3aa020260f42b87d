import { integerRanges } from '../../../edm/primitive-types/integer.js'
import type { Column } from '../column.js'
import { hasNumbers } from '../column-fit.js'

const hexadecimal = '[0-9a-fA-F]'
const guid = [8, 4, 4, 4, 12].map((count) => hexadecimal.repeat(count)).join('-')
const day = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'

/**
 * Returns the SQL condition for stored values that are valid for the type of a property. It is true or false for all
 * values but null.
 *
 * @param r the SQL reference of the column
 */
export function isValidValue(column: Column, r: string): string {
  const { type } = column
  const isText = `typeof(${r}) = 'text' and length(${r}) = length(cast(${r} as blob))`
  switch (type) {
    case 'Edm.Boolean':
      return `(typeof(${r}) = 'integer' and ${r} in (0, 1))`
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32': {
      const [least, greatest] = integerRanges[type]
      return `(typeof(${r}) = 'integer' and ${r} between ${String(least)} and ${String(greatest)})`
    }
    case 'Edm.Int64':
      return `(typeof(${r}) = 'integer')`
    case 'Edm.Double':
    case 'Edm.Single':
      return `(typeof(${r}) in ('integer', 'real'))`
    case 'Edm.Decimal':
      return `(typeof(${r}) = 'integer' or typeof(${r}) = 'real' and abs(${r}) < 9e999 or ${isText} and ${isDigits(r)})`
    case 'Edm.String':
      return hasNumbers(column) ? `(typeof(${r}) <> 'blob')` : `(typeof(${r}) = 'text')`
    case 'Edm.Binary':
      return `(typeof(${r}) = 'blob')`
    case 'Edm.Guid':
      return `(typeof(${r}) = 'text' and ${r} glob '${guid}')`
    case 'Edm.Time':
      return `(${isText} and ${isClock(r)})`
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return `(${isText} and ${isDate(r)})`
  }
}

function isDigits(r: string): string {
  return (
    `${r} not glob '*[^-0-9.]*' and ${r} not glob '*.*.*' and ${r} not glob '?*-*' and ${r} glob '*[0-9]' ` +
    `and (${r} glob '[0-9]*' or ${r} glob '-[0-9]*')`
  )
}

function isDate(r: string): string {
  // SQLite accepts the 31st of every month and returns another date.
  const isDay = `substr(${r}, 1, 10) glob '${day}' and date(substr(${r}, 1, 10)) = substr(${r}, 1, 10) and substr(${r}, 1, 4) >= '0001'`
  const time = `substr(${r}, 12)`
  const withoutZone = `case when ${time} glob '*Z' then substr(${time}, 1, length(${time}) - 1) when ${time} glob '*+00:00' then substr(${time}, 1, length(${time}) - 6) else ${time} end`
  return `${isDay} and (length(${r}) = 10 or substr(${r}, 11, 1) in ('T', ' ') and ${isClock(`(${withoutZone})`)})`
}

/** Returns the condition for a time of day with up to seven fraction digits. */
function isClock(r: string): string {
  const clock = '[0-2][0-9]:[0-5][0-9]'
  const isWhole = `${r} glob '${clock}' or ${r} glob '${clock}:[0-5][0-9]'`
  const isFraction = `${r} glob '${clock}:[0-5][0-9].[0-9]*' and length(${r}) <= 16 and substr(${r}, 10) not glob '*[^0-9]*'`
  return `substr(${r}, 1, 2) < '24' and (${isWhole} or ${isFraction})`
}
