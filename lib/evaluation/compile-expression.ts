import type { EntityType } from '../edm/edm-model.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { canonicalFunctions } from '../query/canonical-functions/canonical-functions.js'
import type { CanonicalFunction } from '../query/canonical-functions/canonical-functions.js'
import type { Binary, Call, Cast, Expression, IsOf, Literal, Unary } from '../query/expression.js'
import { operatorKinds } from '../query/operator-types.js'
import type { ArithmeticOperator } from './arithmetic.js'
import { arithmetic, negation } from './arithmetic.js'
import type { ReadOperand } from './compile-path.js'
import { compilePropertyPath, compileSteps } from './compile-path.js'
import type { EqualityOperator, RelationalOperator } from './compare-values.js'
import { equality, promotion, relation } from './compare-values.js'
import type { EvaluationContext } from './evaluation-context.js'
import { fusedComparison } from './fused-comparison.js'
import type { Row } from './row.js'
import { instanceTest } from './row.js'
import { formatDateTime, formatDateTimeOffset } from '../edm/primitive-types/date-time.js'
import { formatDouble, formatSingle } from '../edm/primitive-types/floating-point.js'
import { formatTime } from '../edm/primitive-types/time.js'

/** A condition in three-valued logic. For null, neither function returns true. */
export interface Condition {
  readonly isTrue: (row: Row) => boolean
  readonly isFalse: (row: Row) => boolean
}

/**
 * Compiles bound expressions to closures, once for a request, which are called for every row.
 *
 * A condition becomes two functions: one returns true if it is true, the other if it is false. Negation swaps them, and
 * `and` and `or` combine them without a value for null.
 *
 * @spec MS-ODATA 2.2.3.6.1.1 (lifted operators, logical operators)
 */
export class ExpressionCompiler {
  constructor(
    private readonly type: EntityType,
    private readonly context: EvaluationContext,
  ) {}

  /** Compiles an expression to a function that returns its value for a row. */
  operand(expression: Expression): ReadOperand {
    switch (expression.kind) {
      case 'Literal':
        return constant(literalOperand(expression))
      case 'PropertyPath':
        return compilePropertyPath(expression, this.type, this.context)
      case 'Cast':
        return this.cast(expression)
      case 'Call':
        return this.call(expression)
      case 'Unary':
        return expression.operator === '-' ? this.negated(expression) : this.complement(expression)
      case 'Binary':
        if (expression.type !== 'Edm.Boolean') return this.arithmetic(expression)
        return operatorKinds[expression.operator] === 'logical'
          ? this.logical(expression)
          : this.comparison(expression)
      case 'IsOf':
        return this.isOf(expression)
      case 'EntityPath':
        throw new Error('An entity has no value.')
    }
  }

  /** Compiles a Boolean expression to a condition. */
  condition(expression: Expression): Condition {
    switch (expression.kind) {
      case 'Unary': {
        const { isTrue, isFalse } = this.condition(expression.operand)
        return { isTrue: isFalse, isFalse: isTrue }
      }
      case 'Binary':
        if (expression.operator === 'and') return this.and(expression)
        if (expression.operator === 'or') return this.or(expression)
        return decided(this.comparison(expression))
      case 'IsOf':
        return decided(this.isOf(expression))
      default: {
        const read = this.operand(expression)
        return { isTrue: (row) => read(row) === true, isFalse: (row) => read(row) === false }
      }
    }
  }

  private and({ left, right }: Binary): Condition {
    const a = this.condition(left)
    const b = this.condition(right)
    return {
      isTrue: (row) => a.isTrue(row) && b.isTrue(row),
      isFalse: (row) => a.isFalse(row) || b.isFalse(row),
    }
  }

  private or({ left, right }: Binary): Condition {
    const a = this.condition(left)
    const b = this.condition(right)
    return {
      isTrue: (row) => a.isTrue(row) || b.isTrue(row),
      isFalse: (row) => a.isFalse(row) && b.isFalse(row),
    }
  }

  /**
   * Compiles `and` and `or` to a function that returns their value. Each side is evaluated once: calling both functions
   * of a condition would double the work with every level of nesting.
   */
  private logical({ operator, left, right }: Binary): ReadOperand {
    const a = this.operand(left)
    const b = this.operand(right)
    const decisive = operator === 'or'
    return (row) => {
      const x = a(row)
      if (x === decisive) return x
      const y = b(row)
      return x !== null || y === decisive ? y : null
    }
  }

  /** Compiles `not` to a function that returns its value. */
  private complement({ operand }: Unary): ReadOperand {
    const read = this.operand(operand)
    return (row) => {
      const value = read(row)
      return value === null ? null : value === false
    }
  }

  /** Compiles a comparison, which is never null: null equals only null, and has no order. */
  private comparison(expression: Binary): (row: Row) => boolean {
    const { operator, left, right } = expression
    if (left.kind === 'EntityPath' || right.kind === 'EntityPath') return this.entityIsNull(expression)
    const fused = fusedComparison(expression, this.type)
    if (fused !== undefined) return fused
    const a = this.promoted(left, expression.operandType)
    const b = this.promoted(right, expression.operandType)
    if (operator === 'eq' || operator === 'ne')
      return equalityTest(operator, equality(expression.operandType), a, b)
    const holds = relation(operator as RelationalOperator, expression.operandType)
    return (row) => {
      const x = a(row)
      if (x === null) return false
      const y = b(row)
      return y !== null && holds(x, y)
    }
  }

  private entityIsNull({ operator, left, right }: Binary): (row: Row) => boolean {
    const path = left.kind === 'EntityPath' ? left : right
    const walk = path.kind === 'EntityPath' ? compileSteps(path.steps, this.type, this.context) : undefined
    const wanted = operator === 'eq'
    return walk === undefined ? () => !wanted : (row) => (walk(row) === null) === wanted
  }

  private isOf({ operand, testedType }: IsOf): (row: Row) => boolean {
    if (operand.kind !== 'EntityPath' || typeof testedType === 'string') {
      const read = this.operand(operand)
      return operand.type === testedType ? (row) => read(row) !== null : () => false
    }
    const walk = compileSteps(operand.steps, this.type, this.context)
    const isInstance = instanceTest(operand.type, testedType)
    if (walk === undefined) return isInstance
    return (row) => {
      const entity = walk(row)
      return entity !== null && isInstance(entity)
    }
  }

  private negated({ operand, type }: Unary): ReadOperand {
    const read = this.operand(operand)
    const negate = negation(type)
    return (row) => {
      const value = read(row)
      return value === null ? null : negate(value)
    }
  }

  private arithmetic({ operator, left, right, type }: Binary): ReadOperand {
    const a = this.promoted(left, type)
    const b = this.promoted(right, type)
    const operate = arithmetic(operator as ArithmeticOperator, type)
    return (row) => {
      const x = a(row)
      if (x === null) return null
      const y = b(row)
      return y === null ? null : operate(x, y)
    }
  }

  private cast({ operand, type }: Cast): ReadOperand {
    const read = this.operand(operand)
    const from = operand.type
    if (from === null || from === type || typeof from !== 'string') return read
    const convert = type === 'Edm.String' ? castToString(from) : promotion(from, type)
    if (convert === undefined) return read
    return (row) => {
      const value = read(row)
      return value === null ? null : convert(value)
    }
  }

  /** Compiles an operand, and converts it to the type of the operator. */
  private promoted(expression: Expression, type: PrimitiveTypeName | null): ReadOperand {
    const from = typeof expression.type === 'string' ? expression.type : null
    const convert = type === null ? undefined : promotion(from, type)
    const read = this.operand(expression)
    if (convert === undefined) return read
    if (expression.kind === 'Literal') return constant(applied(read({}), convert))
    return (row) => applied(read(row), convert)
  }

  private call({ name, arguments: parameters, parameterTypes, type }: Call): ReadOperand {
    const signatures: CanonicalFunction = canonicalFunctions[name]
    const [first] = parameterTypes
    const signature = signatures.find(
      (one) =>
        one.parameters[0] === first &&
        one.result === type &&
        (one.parameters.length === parameters.length || one.variadic === true),
    )
    if (signature === undefined) throw new Error(`'${name}' has no such signature.`)
    const reads = parameters.map((parameter, index) =>
      this.promoted(parameter, parameterTypes[index] ?? null),
    )
    return callWith(reads, (...operands) => signature.evaluate(...operands))
  }
}

function applied(operand: Operand | null, convert: (operand: Operand) => Operand): Operand | null {
  return operand === null ? null : convert(operand)
}

/** Calls a function without creating an array for each row if it has one or two arguments, as nearly all have. */
function callWith(reads: readonly ReadOperand[], evaluate: (...operands: Operand[]) => Operand): ReadOperand {
  const [a, b] = reads
  if (reads.length === 1 && a !== undefined) {
    return (row) => {
      const x = a(row)
      return x === null ? null : evaluate(x)
    }
  }
  if (reads.length === 2 && a !== undefined && b !== undefined) {
    return (row) => {
      const x = a(row)
      if (x === null) return null
      const y = b(row)
      return y === null ? null : evaluate(x, y)
    }
  }
  return (row) => {
    const operands: Operand[] = []
    for (const read of reads) {
      const operand = read(row)
      if (operand === null) return null
      operands.push(operand)
    }
    return evaluate(...operands)
  }
}

function equalityTest(
  operator: EqualityOperator,
  equal: (left: Operand, right: Operand) => boolean,
  a: ReadOperand,
  b: ReadOperand,
): (row: Row) => boolean {
  const wanted = operator === 'eq'
  return (row) => {
    const x = a(row)
    const y = b(row)
    return (x === null || y === null ? x === y : equal(x, y)) === wanted
  }
}

function literalOperand({ type, value }: Literal): Operand | null {
  if (type === null || value === null) return null
  return primitiveTypes[type].toOperand(value) ?? null
}

function constant(operand: Operand | null): ReadOperand {
  return () => operand
}

/** Creates a condition that is never null. */
function decided(isTrue: (row: Row) => boolean): Condition {
  return { isTrue, isFalse: (row) => !isTrue(row) }
}

/** Returns the function that formats operands of a type as in XML. @spec MS-ODATA 2.2.3.6.1.1.5 (castExpression) */
function castToString(from: PrimitiveTypeName): (operand: Operand) => string {
  const { toValue } = primitiveTypes[from]
  switch (from) {
    case 'Edm.Double':
      return (operand) => formatDouble(operand as number)
    case 'Edm.Single':
      return (operand) => formatSingle(operand as number)
    case 'Edm.DateTime':
      return (operand) => formatDateTime(toValue(operand))
    case 'Edm.DateTimeOffset':
      return (operand) => formatDateTimeOffset(toValue(operand))
    case 'Edm.Time':
      return (operand) => formatTime(toValue(operand))
    default:
      return (operand) => String(toValue(operand))
  }
}
