import type { ExpressionLimits } from '../uri/parse-expression.js'
import { parseFilter } from '../uri/parse-expression.js'
import type { LiteralSyntax } from '../uri/syntax-tree.js'
import type { FilterShape } from '../uri/uri-shape.js'
import { BoundedCache } from '../util/bounded-cache.js'
import { bindFilter } from './bind-expression.js'
import { literalAs } from './bind-literal.js'
import type { BindingScope } from './bind-path.js'
import type { Expression, Literal } from './expression.js'
import { conditionOf } from './expression.js'
import { valueKey } from './expression-key.js'
import { operatorKinds } from './operator-types.js'

const MAX_CACHED_FILTERS = 500
/** Longer filters, in characters, are rarely repeated. */
const MAX_CACHED_LENGTH = 1000

/** The last filter of a shape. */
interface CachedFilter {
  text: string
  expression: Expression
  /** True if other literals of the same shape can take the place of those of the expression. */
  readonly isTemplate: boolean
}

/**
 * Bound filters by their shape: filters that differ only in the values of their literals are bound once. Filters with
 * the same text share their expression, and with it everything that is cached for it: tables of UI5 request the count
 * of a filter together with a page.
 */
export class FilterCache {
  private readonly filters = new BoundedCache<string, CachedFilter>(MAX_CACHED_FILTERS)

  /**
   * Parses and binds a filter.
   *
   * @param shape the shape of the text; undefined if it has none
   * @throws ODataError InvalidSystemQueryOption or LimitExceeded
   */
  bind(
    text: string,
    shape: FilterShape | undefined,
    scope: BindingScope,
    limits: ExpressionLimits,
  ): Expression {
    if (text.length > MAX_CACHED_LENGTH) return bindFilterText(text, scope, limits)
    const key = `${scope.entitySet.path} ${shape?.text ?? text}`
    const cached = this.filters.get(key)
    if (cached?.text === text) return cached.expression
    const replaced = cached?.isTemplate === true && shape && withLiterals(cached.expression, shape.literals)
    if (cached !== undefined && replaced) {
      cached.text = text
      cached.expression = replaced
      return replaced
    }
    const expression = bindFilterText(text, scope, limits)
    const isTemplate = shape !== undefined && isReplaceable(expression, shape.literals)
    this.filters.set(key, { text, expression, isTemplate })
    return expression
  }
}

/** Parses and binds a filter. @throws ODataError InvalidSystemQueryOption or LimitExceeded */
export function bindFilterText(text: string, scope: BindingScope, limits: ExpressionLimits): Expression {
  return bindFilter(parseFilter(text, { limits }), scope, { source: text, label: '$filter' })
}

/**
 * Returns true if the binder gives every filter of the same shape the same expression with other values: its literals
 * are operands of comparisons and functions, whose types do not depend on values.
 *
 * @param literals of the shape
 */
function isReplaceable(expression: Expression, literals: readonly LiteralSyntax[]): boolean {
  const rest = [...literals]
  return takeLiterals(expression, rest) && rest.length === 0
}

/**
 * Removes the literals of an expression from the start of a list.
 *
 * @param other the other operand of the same operator
 * @returns false if the expression, or a type in it, may depend on the value of a literal
 */
function takeLiterals(expression: Expression, rest: LiteralSyntax[], other?: Expression): boolean {
  switch (expression.kind) {
    case 'Literal':
      return isConstant(expression) || isTyped(expression, rest.shift(), other)
    case 'PropertyPath':
    case 'EntityPath':
      return true
    case 'Unary':
      return isOwn(expression) && expression.operator === 'not' && takeLiterals(expression.operand, rest)
    case 'Binary': {
      const { left, operator, right } = expression
      if (!isOwn(expression) || operatorKinds[operator] === 'arithmetic') return false
      return takeLiterals(left, rest, right) && takeLiterals(right, rest, left)
    }
    case 'Call':
      return isOwn(expression) && expression.arguments.every((one) => takeLiterals(one, rest))
    case 'Cast':
    case 'IsOf':
      return false
  }
}

/** Returns false for the expressions of computed properties, whose literals are those of the model. */
function isOwn({ origin, search }: Expression): boolean {
  return origin === undefined && search === undefined
}

/** Returns true for `null`, `true` and `false`, which are part of a shape. */
function isConstant({ origin, type }: Literal): boolean {
  return origin === undefined && (type === null || type === 'Edm.Boolean')
}

/** Returns true if every valid value of a literal gets the same type. */
function isTyped(
  literal: Literal,
  syntax: LiteralSyntax | undefined,
  other: Expression | undefined,
): boolean {
  const { origin, type, value } = literal
  if (syntax === undefined || type === null || origin !== undefined) return false
  // Numbers without suffix have the type of the other operand, if it has their values.
  const isFlexible = syntax.form === 'Integer' || syntax.form === 'Real'
  if (isFlexible && (other === undefined || other.kind === 'Literal' || other.type !== type)) return false
  const own = literalAs(syntax, type)
  return own !== undefined && valueKey(own.value) === valueKey(value)
}

/** Returns an expression with other literals; undefined if one of them is not a valid value of its type. */
function withLiterals(template: Expression, literals: readonly LiteralSyntax[]): Expression | undefined {
  let index = 0
  const replaced = (one: Expression): Expression | undefined => {
    switch (one.kind) {
      case 'Literal': {
        if (isConstant(one) || one.type === null) return one
        const syntax = literals[index++]
        return syntax && literalAs(syntax, one.type)
      }
      case 'Unary': {
        const operand = replaced(one.operand)
        return operand && { kind: 'Unary', operator: one.operator, operand, type: one.type }
      }
      case 'Binary': {
        const left = replaced(one.left)
        const right = left && replaced(one.right)
        return left && right && conditionOf(one.operator, left, right, one.operandType)
      }
      case 'Call': {
        const { name, parameterTypes, type } = one
        const given = one.arguments.map(replaced).filter((argument) => argument !== undefined)
        if (given.length < one.arguments.length) return undefined
        return { kind: 'Call', name, arguments: given, parameterTypes, type }
      }
      default:
        return one
    }
  }
  return replaced(template)
}
