import type { EvaluationContext } from '../../lib/evaluation/evaluation-context.js'
import { ExpressionCompiler } from '../../lib/evaluation/compile-expression.js'
import type { Operand } from '../../lib/edm/primitive-types/primitive-type.js'
import { primitiveTypes } from '../../lib/edm/primitive-types/primitive-types.js'
import type { Row } from '../../lib/evaluation/row.js'
import { bindFilter, bindOrderBy } from '../../lib/query/bind-expression.js'
import type { Expression, OrderByTerm } from '../../lib/query/expression.js'
import { parseFilter, parseOrderBy } from '../../lib/uri/parse-expression.js'
import { scopeOf, setNamed } from './protocol-model.js'

/** Rows hold the related entity itself under the name of the navigation property. */
export const embeddedNavigation: EvaluationContext = {
  navigate({ navigation }) {
    return (row) => (row[navigation.name] as Row | null | undefined) ?? null
  },
}

/** A filter on the entities of a set of the protocol model. */
export function filterOn(set: string, text: string): Expression {
  return bindFilter(parseFilter(text), scopeOf(set), { source: text, label: '$filter' })
}

/** The terms of an order of the entities of a set of the protocol model. */
export function orderOn(set: string, text: string): OrderByTerm[] {
  return bindOrderBy(parseOrderBy(text), scopeOf(set), { source: text, label: '$orderby' })
}

/** Any expression, not only a condition. */
export function expressionOn(set: string, text: string): Expression {
  const [term] = orderOn(set, text)
  if (term === undefined) throw new Error('There is no term.')
  return term.expression
}

/** Evaluates a condition for a row; null when it is neither true nor false. */
export function outcomeOf(condition: Expression, row: Row, set = 'Products'): boolean | null {
  const { isTrue, isFalse } = new ExpressionCompiler(setNamed(set).entityType, embeddedNavigation).condition(
    condition,
  )
  if (isTrue(row) && isFalse(row)) throw new Error('A condition cannot be true and false.')
  return isTrue(row) ? true : isFalse(row) ? false : null
}

/** Evaluates the text of a filter for a row. */
export function filterOutcome(text: string, row: Row = {}, set = 'Products'): boolean | null {
  return outcomeOf(filterOn(set, text), row, set)
}

/** The value of an expression for a row, in the form that providers give and take. */
export function valueOf(text: string, row: Row = {}, set = 'Products'): unknown {
  const expression = expressionOn(set, text)
  const read = new ExpressionCompiler(setNamed(set).entityType, embeddedNavigation).operand(expression)
  const operand = read(row)
  if (operand === null) return null
  return typeof expression.type === 'string' ? javaScriptValue(operand, expression.type) : operand
}

function javaScriptValue(operand: Operand, type: keyof typeof primitiveTypes): unknown {
  return primitiveTypes[type].toValue(operand)
}
