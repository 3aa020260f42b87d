import type { IsValidValue } from '../../dialect.js'
import { GUID_PATTERN, integersInRange } from '../shared/valid-values.js'

/** The numbers of bits of integer columns. */
const integerBits = { int2: 16, int4: 32, int8: 64 }

/**
 * Returns the SQL condition for values of PostgreSQL that are valid for their property. Times can be infinite, before
 * the year 1 or after 9999, and 24:00; decimal numbers can be infinite or NaN, whose difference with itself is NaN.
 */
export const isValidInPostgres: IsValidValue = (column, r) => {
  const { type, facts } = column
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset': {
      const zone = facts.dataType === 'timestamptz' ? ' 00:00Z' : ''
      return `(${r} >= '0001-01-01${zone}' and ${r} < '10000-01-01${zone}')`
    }
    case 'Edm.Time':
      return `(${r} < '24:00')`
    case 'Edm.Decimal':
      return facts.dataType === 'numeric' ? `(${r} - ${r} = 0)` : undefined
    case 'Edm.Guid':
      return facts.dataType === 'uuid' ? undefined : `(${r} ~ '${GUID_PATTERN}')`
    default:
      return integersInRange(column, r, integerBits)
  }
}
