import type { IsValidValue } from '../../dialect.js'
import { GUID_PATTERN, integersInRange } from '../shared/valid-values.js'

const integerBits = {
  tinyint: 8,
  smallint: 16,
  integer: 32,
  bigint: 64,
  utinyint: 8,
  usmallint: 16,
  uinteger: 32,
}

/** Returns the SQL condition for values of DuckDB that are valid for their property. */
export const isValidInDuckdb: IsValidValue = (column, r) => {
  const { type, facts } = column
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset': {
      const zone = type === 'Edm.DateTimeOffset' ? ' 00:00:00+00' : ''
      return `(${r} >= '0001-01-01${zone}' and ${r} < '10000-01-01${zone}')`
    }
    case 'Edm.Time':
      return `(${r} < '24:00:00')`
    case 'Edm.Guid':
      return facts.dataType === 'uuid' ? undefined : `regexp_full_match(${r}, '${GUID_PATTERN}')`
    default:
      return integersInRange(column, r, integerBits)
  }
}
