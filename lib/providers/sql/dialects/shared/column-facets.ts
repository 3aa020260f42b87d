import type { Decimal } from '../../../../edm/decimal.js'
import { normalizeDecimal } from '../../../../edm/decimal.js'
import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../../../edm/primitive-types/primitive-types.js'
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
 * Returns the facets of a decimal column. CSDL has no negative scale, and none above the precision: the precision grows by
 * the digits that are always zero.
 */
function decimalFacets(
  precision: number | undefined,
  scale = 0,
): { readonly precision?: number; readonly scale?: number } {
  if (precision === undefined || precision < 1) return {}
  return scale < 0
    ? { precision: precision - scale, scale: 0 }
    : { precision: Math.max(precision, scale), scale }
}

/**
 * Returns why a column would round a decimal; undefined if it stores all digits.
 *
 * @param scale of the column; negative if it stores only multiples of a power of ten
 */
export function lostDigits(scale: number, value: unknown): string | undefined {
  const decimal = primitiveTypes['Edm.Decimal'].toOperand(value) as Decimal | undefined
  if (decimal === undefined) return undefined
  const { coefficient, scale: digits } = normalizeDecimal(decimal)
  if (digits > Math.max(scale, 0))
    return `the database stores ${String(Math.max(scale, 0))} digits after the decimal point, not ${String(digits)}`
  const unit = 10n ** BigInt(Math.max(-scale, 0))
  return digits === 0 && coefficient % unit !== 0n
    ? `the database stores only multiples of ${String(unit)}`
    : undefined
}
