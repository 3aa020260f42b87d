export const aggregationMethods = ['sum', 'min', 'max', 'average', 'count', 'countDistinct'] as const

/**
 * How the values of a group become one value. `count` counts rows, `countDistinct` different values.
 *
 * @example const method: AggregationMethod = 'countDistinct'
 */
export type AggregationMethod = (typeof aggregationMethods)[number]

/** Returns true for methods that count, whose results have no unit. */
export function isCounted(method: AggregationMethod): boolean {
  return method === 'count' || method === 'countDistinct'
}

/**
 * How a measure is aggregated: a method, or a method and the property that it is applied to.
 *
 * @example const best: MeasureOption<'Amount'> = { max: 'Amount' }
 */
export type MeasureOption<PropertyName extends string = string> =
  AggregationMethod | { readonly [Method in AggregationMethod]?: PropertyName }
