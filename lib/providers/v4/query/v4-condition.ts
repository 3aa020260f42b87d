import type { V4PrimitiveTypeName, V4PropertyMapping, V4TypeMapping } from '../../../csdl/v4/v4-mapping.js'
import { isV4Primitive } from '../../../csdl/v4/v4-mapping.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { Binary, Call, Expression, Literal } from '../../../query/expression.js'
import { v4Literal } from '../v4-literals.js'
import type { V4Model } from '../v4-model.js'
import type {
  SortKey,
  QuerySyntax,
  ComparisonOperator,
  UpstreamCondition,
} from '../../upstream/query-translator.js'
import { isComparisonOperator, swappedRelations } from '../../upstream/query-translator.js'
import { acceptsArgument, v4FunctionOf } from './v4-functions.js'
import { v4PathOf } from './v4-paths.js'
import { v4SeekPlace } from './v4-seek.js'

/** Everything that the translation of a condition depends on. */
interface ConditionScope {
  readonly model: V4Model
  readonly type: V4TypeMapping
  readonly isCap: boolean
}

/** Returns the expressions of OData V4. */
export function v4QuerySyntax(scope: ConditionScope): QuerySyntax<V4SortKey> {
  return {
    condition: (expression) => v4Condition(expression, scope),
    orderKey: (expression) => v4SortKey(expression, scope),
    seekPlace: v4SeekPlace,
  }
}

/**
 * Translates a condition.
 *
 * Comparisons of V2 are never null: null equals only null, and has no order. Services differ in conditions over null, so
 * that negations are moved inwards, and null is stated.
 *
 * @returns undefined if the V2 service must evaluate it
 * @spec OData URL Conventions 4.01, 5.1.1
 */
function v4Condition(expression: Expression, scope: ConditionScope): UpstreamCondition | undefined {
  const translator = new Translator(scope)
  const text = translator.condition(expression, false)
  return text === undefined ? undefined : { text, forms: translator.forms }
}

/**
 * Translates a term of `$orderby`.
 *
 * CAP sorts strings by the collation of the language of the request, but compares them by code point: pages that continue
 * after a string would lose entities. The collation does not apply to functions.
 *
 * @returns undefined if the V2 service must sort
 */
function v4SortKey(expression: Expression, scope: ConditionScope): V4SortKey | undefined {
  const translator = new Translator(scope)
  const operand = translator.operand(expression)
  const type = operand?.property.type
  if (operand === undefined || type?.kind !== 'primitive') return undefined
  if (type.name === 'Edm.Binary' || type.name === 'Edm.Duration') return undefined
  const sortText = scope.isCap && type.name === 'Edm.String' ? `concat(${operand.text},'')` : undefined
  return { ...operand, sortText, forms: translator.forms.add(`order ${type.name}`) }
}

/** A value to sort by. */
export type V4SortKey = V4Operand & SortKey

/** A value in the V4 service. */
interface V4Operand {
  readonly text: string
  /** The type to which literals on the other side are converted. */
  readonly property: V4PropertyMapping
  readonly isNullable: boolean
  /** The nullable paths in it. */
  readonly paths: readonly string[]
}

const negated: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'le',
  ge: 'lt',
  lt: 'ge',
  le: 'gt',
}

/** More digits than a double has, as which some databases of CAP store decimals. */
const MAX_DECIMAL_DIGITS = 15

class Translator {
  readonly forms = new Set<string>()

  constructor(private readonly scope: ConditionScope) {}

  condition(expression: Expression, isNegated: boolean): string | undefined {
    switch (expression.kind) {
      case 'Unary':
        return expression.operator === 'not' ? this.condition(expression.operand, !isNegated) : undefined
      case 'PropertyPath': {
        const operand = this.operand(expression)
        return operand && `${operand.text} eq ${String(!isNegated)}`
      }
      case 'Call':
        return this.test(expression, isNegated)
      case 'Binary':
        if (expression.operator === 'and' || expression.operator === 'or')
          return this.logical(expression, isNegated)
        return this.comparison(expression, isNegated)
      default:
        return undefined
    }
  }

  private logical({ operator, left, right }: Binary, isNegated: boolean): string | undefined {
    const a = this.condition(left, isNegated)
    const b = a && this.condition(right, isNegated)
    const word = (operator === 'and') === isNegated ? 'or' : 'and'
    return b && `(${a} ${word} ${b})`
  }

  /** Translates a function that returns a Boolean. */
  private test(call: Call, isNegated: boolean): string | undefined {
    const operand = call.type === 'Edm.Boolean' ? this.call(call) : undefined
    if (operand === undefined) return undefined
    if (!isNegated) return operand.text
    const present = operand.paths.map((path) => `${path} ne null`)
    return `(${[`not ${operand.text}`, ...present].join(' and ')})`
  }

  private comparison(expression: Binary, isNegated: boolean): string | undefined {
    const { operator } = expression
    if (!isComparisonOperator(operator)) return undefined
    const isSwapped = expression.left.kind === 'Literal'
    const [left, right] = isSwapped
      ? [expression.right, expression.left]
      : [expression.left, expression.right]
    const direct = isSwapped ? swappedRelations[operator] : operator
    const decided = isNegated ? negated[direct] : direct
    if (right.kind === 'Literal') {
      if (isCondition(left)) return this.decision(left, right, direct, isNegated)
      return this.withLiteral(left, right, expression.operandType, decided, isNegated)
    }
    const [a, b] = [this.operand(left), this.operand(right)]
    if (a === undefined || b === undefined || a.isNullable || b.isNullable) return undefined
    if (nameOf(a) !== nameOf(b)) return undefined
    return this.compared(a, decided, b.text)
  }

  /** Translates `substringof('a',Name) eq true`. */
  private decision(
    condition: Expression,
    { value }: Literal,
    operator: ComparisonOperator,
    isNegated: boolean,
  ): string | undefined {
    return operator === 'eq' && typeof value === 'boolean' && !isNegated
      ? this.condition(condition, !value)
      : undefined
  }

  private withLiteral(
    left: Expression,
    { value }: Literal,
    operandType: PrimitiveTypeName | null,
    operator: ComparisonOperator,
    isNegated: boolean,
  ): string | undefined {
    const operand = this.operand(left)
    if (operand === undefined) return undefined
    if (value === null || value === undefined) {
      if (operator !== 'eq' && operator !== 'ne') return undefined
      return operand.paths.length > 1 ? undefined : this.compared(operand, operator, 'null')
    }
    if (!isComparable(operand, operandType)) return undefined
    const literal = v4Literal(value, operand.property)
    if (literal === undefined) return undefined
    if (this.scope.isCap && nameOf(operand) === 'Edm.Decimal' && digitsOf(literal) > MAX_DECIMAL_DIGITS)
      return undefined
    const comparison = this.compared(operand, operator, literal)
    // Null has no order: only a negated comparison is true for it.
    const isTrueForNull = isNegated ? operator !== 'eq' : operator === 'ne'
    if (comparison === undefined || !operand.isNullable) return comparison
    if (!isTrueForNull) return operator === 'ne' ? `(${comparison} and ${operand.text} ne null)` : comparison
    return `(${comparison} or ${operand.text} eq null)`
  }

  private compared(operand: V4Operand, operator: ComparisonOperator, other: string): string | undefined {
    const type = nameOf(operand)
    const isOrder = operator !== 'eq' && operator !== 'ne'
    if (isOrder && (type === 'Edm.Boolean' || type === 'Edm.Binary' || type === 'enum')) return undefined
    if (type === 'Edm.Binary' && other !== 'null') return undefined
    this.forms.add(`${operator} ${type}`)
    return `${operand.text} ${operator} ${other}`
  }

  operand(expression: Expression): V4Operand | undefined {
    if (expression.kind === 'Call') return this.call(expression)
    if (expression.kind !== 'PropertyPath') return undefined
    const path = v4PathOf(expression, this.scope.type, this.scope.model)
    if (path === undefined || path.property.type.kind === 'complex') return undefined
    if (path.hasNavigation) this.forms.add('path')
    const { text, property, isNullable } = path
    return { text, property, isNullable, paths: isNullable ? [text] : [] }
  }

  private call(call: Call): V4Operand | undefined {
    const { isCap } = this.scope
    if (call.name === 'substring') return this.substring(call)
    const found = v4FunctionOf(call, isCap)
    if (found === undefined) return undefined
    this.forms.add(found.name)
    const operands: V4Operand[] = []
    for (const [index, argument] of call.arguments.entries()) {
      const operand = this.argument(argument, found.arguments[index] ?? [])
      if (operand === undefined) return undefined
      operands.push(operand)
    }
    const paths = operands.flatMap((one) => one.paths)
    const texts = operands.map(({ text }) => text)
    if (found.isSwapped === true) texts.reverse()
    return resultOf(`${found.name}(${texts.join()})`, call.type, paths)
  }

  private argument(argument: Expression, types: readonly string[]): V4Operand | undefined {
    if (argument.kind === 'Literal') {
      const [name = ''] = types
      if (argument.value === null || !isV4Primitive(name)) return undefined
      const property = mappingOf(name, name as PrimitiveTypeName)
      const text = v4Literal(argument.value, property)
      return text === undefined ? undefined : { text, property, isNullable: false, paths: [] }
    }
    const operand = this.operand(argument)
    if (operand === undefined || !acceptsArgument(types, operand.property, this.scope.isCap)) return undefined
    return operand
  }

  /** Translates `substring` with constant positions: services treat others that are out of range differently. */
  private substring(call: Call): V4Operand | undefined {
    const [text, ...positions] = call.arguments
    if (!this.scope.isCap || text === undefined) return undefined
    this.forms.add('substring')
    const operand = this.argument(text, ['Edm.String'])
    const numbers = positions.map((one) => (one.kind === 'Literal' ? Number(one.value) : -1))
    if (operand === undefined || numbers.some((one) => !(one >= 0 && one < 2 ** 31))) return undefined
    return resultOf(`substring(${[operand.text, ...numbers].join()})`, call.type, operand.paths)
  }
}

function isCondition(expression: Expression): boolean {
  return (
    (expression.kind === 'Call' || expression.kind === 'Binary' || expression.kind === 'Unary') &&
    expression.type === 'Edm.Boolean'
  )
}

/** Returns false for comparisons in which services convert values to another type than V2 does. */
function isComparable({ property }: V4Operand, operandType: PrimitiveTypeName | null): boolean {
  const { type } = property
  if (type.kind !== 'primitive') return type.kind === 'enum' && operandType === 'Edm.String'
  const isFloating = type.name === 'Edm.Double' || type.name === 'Edm.Single'
  if (operandType === 'Edm.Double' || operandType === 'Edm.Single')
    // Services store an Edm.Single with the digits of an Edm.Double, which equal no literal of an Edm.Single.
    return type.name === 'Edm.Double'
  return !isFloating
}

function nameOf({ property: { type } }: V4Operand): string {
  return type.kind === 'primitive' ? type.name : type.kind
}

function digitsOf(literal: string): number {
  return literal.replace(/^[-0.]+|\D/g, '').length
}

function resultOf(text: string, type: PrimitiveTypeName, paths: readonly string[]): V4Operand | undefined {
  if (!isV4Primitive(type)) return undefined
  return { text, property: mappingOf(type, type), isNullable: paths.length > 0, paths }
}

function mappingOf(name: V4PrimitiveTypeName, v2Name: PrimitiveTypeName): V4PropertyMapping {
  return { name: '', type: { kind: 'primitive', name, v2Name }, nullable: true, precision: 7 }
}
