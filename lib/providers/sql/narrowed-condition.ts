import type { Expression } from '../../query/expression.js'
import { SqlExpressionCompiler } from './compile-expression.js'
import type { SqlDialect } from './dialect.js'
import type { QueryScope } from './query-scope.js'
import type { Sql } from './sql-text.js'
import { joined, sql } from './sql-text.js'

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
