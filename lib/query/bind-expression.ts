import { Decimal } from '../edm/decimal.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isNumeric, isPrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { errorAt } from '../errors/odata-error.js'
import type { ODataErrorCode } from '../errors/error-codes.js'
import type {
  BinarySyntax,
  CallSyntax,
  ExpressionSyntax,
  LiteralSyntax,
  OrderBySyntax,
  PathSyntax,
  UnarySyntax,
} from '../uri/syntax-tree.js'
import { bindCall, bindTypeFunction, isTypeFunction } from './bind-call.js'
import { literalAs, naturalLiteral, literalHint, quotedHint } from './bind-literal.js'
import type { CreatePathError, Binder, BindingScope } from './bind-path.js'
import { bindPath } from './bind-path.js'
import type { Binary, EntityPath, Expression, Literal, OrderByTerm, Unary } from './expression.js'
import { conditionOf } from './expression.js'
import { comparisonType, negated, operatorKinds, promote, widens } from './operator-types.js'

/** The source text of an expression, for error messages. */
interface ExpressionSource {
  readonly source: string
  /** The name of the query option for messages: `$filter`. */
  readonly label: string
  readonly code?: ODataErrorCode
}

/**
 * Binds a filter: resolves its names and types.
 *
 * @throws ODataError InvalidSystemQueryOption, with the position, for unknown names, incompatible types, and a result
 * that is not Edm.Boolean
 * @spec MS-ODATA 2.2.3.6.1.1
 */
export function bindFilter(
  syntax: ExpressionSyntax,
  scope: BindingScope,
  source: ExpressionSource,
): Expression {
  const binder = new ExpressionBinder(scope, source)
  const expression = binder.bind(syntax)
  if (expression.type !== 'Edm.Boolean' && expression.type !== null) {
    throw binder.error(`a filter must be a Boolean expression, not ${describe(expression)}`, syntax)
  }
  return expression
}

/**
 * Binds the expression of a computed property.
 *
 * @param type type of the property. The expression is converted to it if no information is lost
 * @throws ODataError InvalidSystemQueryOption, see {@link bindFilter}
 */
export function bindExpression(
  syntax: ExpressionSyntax,
  scope: BindingScope,
  type: PrimitiveTypeName,
  source: ExpressionSource,
): Expression {
  const binder = new ExpressionBinder(scope, source)
  const expression = binder.literalFor(syntax, type) ?? binder.bind(syntax)
  const from = expression.type
  if (from === type || from === null) return expression
  if (typeof from === 'string' && widens(from, type)) return { kind: 'Cast', operand: expression, type }
  throw binder.error(`the property is ${type}, but this is ${describe(expression)}`, syntax)
}

/** Binds the terms of `$orderby`: resolves their names and types. @spec MS-ODATA 2.2.3.6.1.2 */
export function bindOrderBy(
  syntax: readonly OrderBySyntax[],
  scope: BindingScope,
  source: ExpressionSource,
): OrderByTerm[] {
  const binder = new ExpressionBinder(scope, source)
  return syntax.map((term) => {
    const expression = binder.bind(term.expression)
    if (expression.kind === 'EntityPath') {
      throw binder.error('entities have no order; name one of their properties', term.expression)
    }
    return { expression, descending: term.descending }
  })
}

/** Resolves the names and types of one expression. */
class ExpressionBinder implements Binder {
  constructor(
    readonly scope: BindingScope,
    private readonly source: ExpressionSource,
  ) {}

  bind(syntax: ExpressionSyntax): Expression {
    switch (syntax.kind) {
      case 'Literal':
        return this.literal(syntax)
      case 'Path':
        return this.path(syntax)
      case 'Call':
        return this.call(syntax)
      case 'Unary':
        return this.unary(syntax)
      case 'Binary':
        return operatorKinds[syntax.operator] === 'logical' ? this.logical(syntax) : this.binary(syntax)
    }
  }

  error(message: string, { position }: { readonly position: number }, code?: ODataErrorCode): Error {
    const { label, source } = this.source
    return errorAt(`${label}: ${message}`, source, position, this.source.code ?? code)
  }

  literalFor(syntax: ExpressionSyntax, type: PrimitiveTypeName): Literal | undefined {
    return isFlexible(syntax) ? literalAs(syntax, type) : undefined
  }

  private literal(syntax: LiteralSyntax): Literal {
    const literal = naturalLiteral(syntax)
    if (literal !== undefined) return literal
    const type = syntax.form === 'Real' ? 'Double' : syntax.form
    throw this.error(
      syntax.form === 'Value'
        ? 'this value does not have a simple type'
        : `this is not a literal of type Edm.${type}`,
      syntax,
    )
  }

  private path(syntax: PathSyntax): Expression {
    const createError: CreatePathError = (message, index, unknown = '', code) => {
      const before = syntax.names.slice(0, index).reduce((length, name) => length + name.length + 1, 0)
      const hint = unknown !== '' && this.isOperand(syntax) ? quotedHint(unknown) : ''
      const position = syntax.position + (syntax.root === undefined ? before : 0)
      return this.error(message + hint, { position }, code)
    }
    if (syntax.root === undefined) return bindPath(syntax.names, this.scope, createError)
    const root = this.call(syntax.root)
    if (!isEntityPath(root))
      throw this.error(`only a cast to an entity type can be followed by '/'`, syntax.root)
    return bindPath(syntax.names, this.scope, createError, root)
  }

  /**
   * Returns true for a single name in the place of a value: an operand of a comparison, or an argument of a function.
   */
  private isOperand({ names, position, root }: PathSyntax): boolean {
    if (root !== undefined || names.length > 1) return false
    return valuePlace.test(this.source.source.slice(Math.max(0, position - 20), position))
  }

  private call(syntax: CallSyntax): Expression {
    return isTypeFunction(syntax.name) ? bindTypeFunction(syntax, this) : bindCall(syntax, this)
  }

  private unary(syntax: UnarySyntax): Unary {
    const operand = this.bind(syntax.operand)
    const { type } = operand
    if (syntax.operator === 'not') {
      if (type !== 'Edm.Boolean' && type !== null) {
        const hint = "put comparisons after 'not' in parentheses"
        throw this.error(`'not' needs true or false, not ${describe(operand)}; ${hint}`, syntax)
      }
      return { kind: 'Unary', operator: 'not', operand, type: 'Edm.Boolean' }
    }
    if (type !== null && !isNumeric(type)) {
      throw this.error(`'-' needs a number, not ${describe(operand)}`, syntax)
    }
    return { kind: 'Unary', operator: '-', operand, type: type === null ? 'Edm.Int32' : negated(type) }
  }

  private logical(syntax: BinarySyntax): Binary {
    // A chain of `and` is nested on the left and can be long. Iterates instead of recursing.
    const chain: BinarySyntax[] = []
    let leftmost: ExpressionSyntax = syntax
    while (leftmost.kind === 'Binary' && operatorKinds[leftmost.operator] === 'logical') {
      chain.push(leftmost)
      leftmost = leftmost.left
    }
    let left = this.condition(leftmost, chain.at(-1) ?? syntax)
    for (const { operator, right, position } of chain.reverse()) {
      left = conditionOf(operator, left, this.condition(right, { position }))
    }
    return left as Binary
  }

  private condition(syntax: ExpressionSyntax, operator: { readonly position: number }): Expression {
    const operand = this.bind(syntax)
    if (operand.type === 'Edm.Boolean' || operand.type === null) return operand
    throw this.error(`this operator requires conditions on both sides, not ${describe(operand)}`, operator)
  }

  private binary(syntax: BinarySyntax): Expression {
    const [left, right] = this.operands(syntax)
    const { operator } = syntax
    const kind = operatorKinds[operator]
    if (kind === 'arithmetic') return this.arithmetic(syntax, left, right)
    return conditionOf(operator, left, right, this.comparison(syntax, left, right))
  }

  /** Binds both operands. A number without suffix gets the type of the other operand. */
  private operands({ left, right }: BinarySyntax): [Expression, Expression] {
    if (isFlexible(left) === isFlexible(right)) return [this.bind(left), this.bind(right)]
    if (isFlexible(left)) {
      const bound = this.bind(right)
      return [this.beside(bound, left), bound]
    }
    const bound = this.bind(left)
    return [bound, this.beside(bound, right)]
  }

  private beside({ type }: Expression, syntax: ExpressionSyntax): Expression {
    return (typeof type === 'string' ? this.literalFor(syntax, type) : undefined) ?? this.bind(syntax)
  }

  private comparison(syntax: BinarySyntax, left: Expression, right: Expression): PrimitiveTypeName | null {
    const kind = operatorKinds[syntax.operator] === 'equality' ? 'equality' : 'relational'
    if (isEntityPath(left) || isEntityPath(right)) {
      if (kind === 'equality' && (left.type === null || right.type === null)) return null
      throw this.error(`an entity can only be compared with null, by 'eq' and 'ne'`, syntax)
    }
    const a = left.type
    const b = right.type
    if (a === null || b === null) return a ?? b
    const type = comparisonType(kind, a, b)
    if (type === undefined) {
      throw this.error(
        `'${syntax.operator}' cannot compare ${describe(left)} with ${describe(right)}.${valueHint(syntax, a, b)}`,
        syntax,
      )
    }
    return type
  }

  private arithmetic(syntax: BinarySyntax, left: Expression, right: Expression): Binary {
    const { operator } = syntax
    for (const operand of [left, right]) {
      if (operand.type !== null && !isNumeric(operand.type)) {
        throw this.error(`'${operator}' needs numbers, not ${describe(operand)}`, syntax)
      }
    }
    const a = (left.type ?? right.type ?? 'Edm.Int32') as PrimitiveTypeName
    const b = (right.type ?? a) as PrimitiveTypeName
    const type = promote(a, b)
    if ((operator === 'div' || operator === 'mod') && isExactZero(right, type)) {
      throw this.error('division by zero', syntax.right)
    }
    return { kind: 'Binary', operator, left, right, operandType: type, type }
  }
}

/** Matches the text before a value. */
const valuePlace = /(?:[\s)](?:eq|ne|lt|gt|le|ge)\s+|\w\(\s*|,\s*)$/

/** Suggests how to write the literal of one side in the type of the other. */
function valueHint({ left, right }: BinarySyntax, a: PrimitiveTypeName, b: PrimitiveTypeName): string {
  return a === b ? '' : literalHint(right, a) || literalHint(left, b)
}

/** Returns true for a literal whose type depends on the other operand. */
function isFlexible(syntax: ExpressionSyntax): syntax is LiteralSyntax {
  return (
    syntax.kind === 'Literal' &&
    (syntax.form === 'Integer' || syntax.form === 'Real' || syntax.form === 'Value')
  )
}

function isEntityPath(expression: Expression): expression is EntityPath {
  return expression.kind === 'EntityPath'
}

/** Returns true for a literal zero that is not a floating-point number. Division by it has no result. */
function isExactZero(expression: Expression, type: PrimitiveTypeName): boolean {
  if (type === 'Edm.Double' || type === 'Edm.Single' || expression.kind !== 'Literal') return false
  if (expression.type === null || expression.value === null || !isPrimitiveTypeName(expression.type))
    return false
  const operand = primitiveTypes[expression.type].toOperand(expression.value)
  // The nearest double of a small decimal may be zero.
  return operand instanceof Decimal ? operand.coefficient === 0n : Number(operand) === 0
}

/** Describes an expression for messages. */
function describe(expression: Expression): string {
  const { type } = expression
  if (type === null) return 'null'
  return typeof type === 'string' ? type : `an entity of type '${type.name}'`
}
