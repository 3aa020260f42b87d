import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts, ColumnType } from '../../column.js'

/**
 * Adds the facets that a column declares to the type of its property.
 *
 * @param defaultPrecision of times; absent if times have no precision
 */
export function withFacets(
  type: PrimitiveTypeName,
  { dataType, typeArguments: [first, second] }: ColumnFacts,
  defaultPrecision?: number,
): ColumnType {
  // SQLite also stores times of day, and their fractions, in a column of dates.
  if (dataType === 'date')
    return { type, isDay: true, ...(defaultPrecision === undefined ? {} : { precision: 0 }) }
  switch (type) {
    case 'Edm.Decimal':
      return { type, ...decimalFacets(first, second) }
    case 'Edm.Binary':
    case 'Edm.String':
      return first === undefined || first < 1 ? { type } : { type, maxLength: first }
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
    case 'Edm.Time':
      return defaultPrecision === undefined ? { type } : { type, precision: first ?? defaultPrecision }
    default:
      return { type }
  }
}

/**
 * Returns the facets of a decimal column; none for negative scales and scales that exceed the precision, which CSDL
 * does not support.
 */
function decimalFacets(
  precision: number | undefined,
  scale = 0,
): { readonly precision?: number; readonly scale?: number } {
  if (precision === undefined || precision < 1) return {}
  return scale < 0 || scale > precision ? {} : { precision, scale }
}
