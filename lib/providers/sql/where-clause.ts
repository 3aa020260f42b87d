import { canFail } from '../../query/can-fail.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { forEachPath } from '../../query/expression.js'
import type { Sql } from './sql-text.js'
import { allOf, sql, joined } from './sql-text.js'
import { SqlExpressionCompiler } from './compile-expression.js'
import type { SqlDialect } from './dialect.js'
import type { QueryScope } from './query-scope.js'

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

/**
 * Compiles a condition with `toupper` or `tolower` for a database that converts only ASCII letters as JavaScript does. The
 * result is true for all rows that meet the condition, and for rows in which a converted string has other letters.
 *
 * @returns undefined if the database evaluates the rest of the condition differently
 */
export function narrowedCondition(
  condition: Expression,
  scope: QueryScope,
  dialect: SqlDialect,
): Sql | undefined {
  const { asciiCase } = dialect
  if (asciiCase === undefined) return undefined
  const exceptions: Sql[] = []
  const approximate: SqlDialect = {
    ...dialect,
    call(name, parameters) {
      const [text] = parameters
      if (text === undefined || (name !== 'toupper' && name !== 'tolower'))
        return dialect.call(name, parameters)
      exceptions.push(asciiCase.hasOthers(text.sql))
      return { sql: asciiCase.convert(name, text.sql), type: 'Edm.String', nullable: text.nullable }
    },
  }
  const compiled = new SqlExpressionCompiler(scope, approximate).isTrue(condition)
  if (compiled === undefined || exceptions.length === 0) return undefined
  return sql`(${joined([compiled, ...exceptions], ' or ')})`
}
