import { canFail } from '../../query/can-fail.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { forEachPath } from '../../query/expression.js'
import type { Sql } from './sql-text.js'
import { allOf, sql } from './sql-text.js'

/** Returns a `where` clause; empty without conditions. */
export function where(conditions: readonly Sql[]): Sql {
  const all = allOf(conditions)
  return all === undefined ? sql`` : sql` where ${all}`
}

/**
 * Restricts the evaluation of a condition to rows that meet other conditions. The planner may reorder the conditions of
 * `where`, but not those of `case`.
 */
export function guarded(conditions: readonly Sql[], condition: Sql): Sql {
  const all = allOf(conditions)
  return all === undefined ? condition : sql`case when ${all} then ${condition} end`
}

export function isFallible({ expression }: OrderByTerm): boolean {
  return canFail(expression)
}

/** Returns true if an expression can fail on a hidden row: the planner may evaluate it before the join condition. */
export function canFailOnHidden(expression: Expression): boolean {
  if (!canFail(expression)) return false
  let isRestricted = false
  forEachPath(expression, ({ steps }) => {
    isRestricted ||= steps.some((step) => step.kind === 'Navigation' && step.restriction !== undefined)
  })
  return isRestricted
}
