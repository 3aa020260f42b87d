import type { IsValidValue } from '../../dialect.js'
import { GUID_PATTERN, integersInRange } from '../shared/valid-values.js'

/** The numbers of bits of integer columns. */
const integerBits = { tinyint: 8, smallint: 16, mediumint: 24, int: 32, bigint: 64, year: 12 }

/**
 * Returns the SQL condition for values of MySQL and MariaDB that are valid for their property. Dates can be zero, have
 * a month or a day that is zero, or be the 31st of every month; times can be negative and longer than a day.
 */
export const isValidInMysql: IsValidValue = (column, r) => {
  const { type, facts } = column
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return `(${r} >= '0001-01-01' and dayofmonth(${r}) > 0 and (dayofmonth(${r}) <= dayofmonth(last_day(${r}))) is true)`
    case 'Edm.Time':
      return `(${r} between '00:00:00' and '23:59:59.999999')`
    case 'Edm.Guid':
      return facts.dataType === 'uuid' ? undefined : `(${r} regexp '${GUID_PATTERN}')`
    default:
      return integersInRange(column, r, integerBits)
  }
}
