import type { ColumnPlan } from '../../tables/table-plan.js'

/** Returns the arguments of the type of a decimal: `(10, 2)`. */
export function decimalArguments({ precision, scale }: Pick<ColumnPlan, 'precision' | 'scale'>): string {
  return precision === undefined ? '' : `(${String(precision)}, ${String(scale ?? 0)})`
}

/** Returns the literal of a string. */
export function quotedText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
